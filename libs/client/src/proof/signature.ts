import type { Proof } from '@assay/contracts';
import jwt from 'jsonwebtoken';
import type { VerificationKey } from './keys.ts';
import { Refusal } from './report.ts';

const HEADER = '{"alg":"RS256"}';
const WHERE = 'proof.json, signature';

/** Base64url has several spellings of the same bytes; only the canonical one is what was signed. */
const decode = (part: string): Buffer => {
  const bytes = Buffer.from(part, 'base64url');
  if (bytes.toString('base64url') !== part)
    throw new Refusal('a part of the signature is not canonical base64url', WHERE);
  return bytes;
};

const checkHeader = (text: string): void => {
  if (text === HEADER) return;
  let header: unknown;
  try {
    header = JSON.parse(text);
  } catch {
    throw new Refusal('the header of the signature is not JSON', WHERE);
  }
  if (typeof header !== 'object' || header === null)
    throw new Refusal('the header of the signature is no object', WHERE);
  const { alg } = header as { alg?: unknown };
  if (alg !== 'RS256')
    throw new Refusal(
      `the signature's algorithm is ${typeof alg === 'string' ? alg.slice(0, 20) : 'not named'}, not RS256`,
      WHERE,
    );
  const more = Object.keys(header).filter((member) => member !== 'alg');
  throw new Refusal(
    more.length > 0
      ? `the header of the signature holds more than the algorithm: ${more.join(', ').slice(0, 100)}`
      : 'the header of the signature is not {"alg":"RS256"}',
    WHERE,
  );
};

/**
 * Verifies a compact JWS over exactly the given characters. Returns the thumbprint of the key that
 * made it.
 */
export const verifySignature = (signature: string, content: string, keys: readonly VerificationKey[]): string => {
  const parts = signature.split('.');
  const [header, payload, last] = parts;
  if (parts.length !== 3 || !header || !payload || last === undefined)
    throw new Refusal('the signature has not three parts', WHERE);
  checkHeader(decode(header).toString('utf8'));
  if (decode(payload).toString('utf8') !== content)
    throw new Refusal('what was signed is not the content of this file', WHERE);
  decode(last);
  const signer = keys.find(({ key }) => {
    try {
      // The algorithm is ours to name, never the header's. The content is no token: it has no times
      // to be checked.
      jwt.verify(signature, key, { algorithms: ['RS256'], ignoreExpiration: true, ignoreNotBefore: true });
      return true;
    } catch {
      return false;
    }
  });
  if (!signer) throw new Refusal('none of the keys made this signature', WHERE);
  return signer.kid;
};

/**
 * Verifies the signature of proof.json: it covers the minimized JSON of everything else in the
 * file.
 */
export const verifyProofSignature = ({ signature, ...content }: Proof, keys: readonly VerificationKey[]): string =>
  verifySignature(signature, JSON.stringify(content), keys);
