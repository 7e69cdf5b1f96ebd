import type { Element } from '../der/read.ts';
import { attempt, beyondLimit, type ChipError, unsupported } from '../errors.ts';
import { type PublicKey, publicKeyOf } from '../keys/public-key.ts';
import { onNamedCurve } from '../keys/standard-curves.ts';
import type { ChipAuthenticationInfo, SecurityInfos } from '../lds/security-infos.ts';
import { LIMITS } from '../limits.ts';
import { table } from '../table.ts';
import { agreesOn } from './key-agreement.ts';

/** The cipher of a protected session. */
export type Cipher = '3DES' | 'AES-128' | 'AES-192' | 'AES-256';

/** The protocol and the key for chip authentication. */
export interface Selection {
  readonly protocol: string;
  readonly cipher: Cipher;
  readonly keyId?: number;
  readonly key: PublicKey;
}

const ECDH = '0.4.0.127.0.7.2.2.3.2';
const CIPHERS = table<Cipher>({
  [`${ECDH}.1`]: '3DES',
  [`${ECDH}.2`]: 'AES-128',
  [`${ECDH}.3`]: 'AES-192',
  [`${ECDH}.4`]: 'AES-256',
});

/**
 * Some chips (France) name a key but no protocol. It is 3DES then: the first edition of the
 * protocol had nothing else.
 */
const withoutInfo = (keyId: number | undefined): ChipAuthenticationInfo => ({
  protocol: `${ECDH}.1`,
  ...(keyId === undefined ? {} : { keyId }),
});

const strongestFirst = (a: ChipAuthenticationInfo, b: ChipAuthenticationInfo): number =>
  a.protocol < b.protocol ? 1 : -1;

const readKey = (spki: Element): PublicKey => {
  const key = publicKeyOf(onNamedCurve(spki));
  if (!agreesOn(key.curve))
    throw unsupported('the key of the chip is on a curve that chip authentication does not use');
  return key;
};

/** What the chip offers that we support, the strongest first; the keys are not read yet. */
const offersOf = ({ protocols, keys }: SecurityInfos) => {
  const ours = keys.filter(({ agreement }) => agreement === 'ECDH');
  const stated = protocols.filter(({ protocol }) => protocol.startsWith(`${ECDH}.`));
  if (stated.length > LIMITS.chipProtocols)
    throw beyondLimit(`the chip offers more than ${LIMITS.chipProtocols} protocols of chip authentication`);
  const offered = stated.length > 0 ? stated : ours.slice(0, 1).map(({ keyId }) => withoutInfo(keyId));
  return offered.toSorted(strongestFirst).flatMap(({ protocol, keyId }) => {
    const cipher = CIPHERS[protocol];
    const key =
      ours.find((candidate) => keyId === undefined || candidate.keyId === keyId) ??
      (ours.length === 1 && ours[0]?.keyId === undefined ? ours[0] : undefined);
    return cipher && key ? [{ protocol, cipher, keyId, publicKey: key.publicKey }] : [];
  });
};

/**
 * Selects protocol and key from data group 14: the strongest protocol that has a key we can use.
 * Throws UNSUPPORTED if there is none that we support, MALFORMED if its only key is none,
 * LIMIT_EXCEEDED if it offers too many.
 */
export const selectProtocol = (infos: SecurityInfos): Selection => {
  let problem: ChipError | undefined;
  for (const { protocol, cipher, keyId, publicKey } of offersOf(infos)) {
    const read = attempt(() => readKey(publicKey));
    if (read.value) return { protocol, cipher, ...(keyId === undefined ? {} : { keyId }), key: read.value };
    problem ??= read.error;
  }
  throw (
    problem ??
    unsupported(
      infos.keys.some(({ agreement }) => agreement === 'DH')
        ? 'the chip offers finite-field Diffie-Hellman only'
        : 'the chip offers no chip authentication',
    )
  );
};
