import { DIGESTS, type Digest } from '../keys/digests.ts';
import type { PublicKey } from '../keys/public-key.ts';
import { signatureIsRight } from '../keys/signature.ts';
import { LIMITS } from '../limits.ts';
import { recoverySignatureIsRight } from './iso9796.ts';

/**
 * What the check of an answer needs: the chip's key, our challenge, and the digest if data group 14
 * names one.
 */
export interface ActiveAuthentication {
  readonly key: PublicKey;
  readonly challenge: Uint8Array;
  readonly response: Uint8Array;
  readonly digest?: Digest;
}

/**
 * An ECDSA answer is r followed by s; some national cards write DER. If no digest is named, any of
 * the five digests may fit: each needs the chip's key.
 */
const ecdsaIsRight = ({ key, challenge, response, digest }: ActiveAuthentication): boolean =>
  (digest ? [digest] : DIGESTS).some((candidate) =>
    (['ieee-p1363', 'der'] as const).some((encoding) =>
      signatureIsRight({ kind: 'ECDSA', digest: candidate, encoding }, key, challenge, response),
    ),
  );

/** Whether the chip answered our challenge with the key of data group 15. */
export const activeAuthenticationIsRight = (answer: ActiveAuthentication): boolean => {
  if (answer.response.length === 0 || answer.response.length > LIMITS.answerBytes) return false;
  return answer.key.kind === 'RSA'
    ? recoverySignatureIsRight(answer.key, answer.challenge, answer.response)
    : ecdsaIsRight(answer);
};
