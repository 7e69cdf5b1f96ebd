import { unsupported } from '../errors.ts';
import { type PublicKey, publicKeyOf } from '../keys/public-key.ts';
import { onNamedCurve } from '../keys/standard-curves.ts';
import type { ChipAuthenticationInfo, SecurityInfos } from '../lds/security-infos.ts';
import { table } from '../table.ts';

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

/**
 * Selects protocol and key from data group 14: the strongest protocol that has a key. Throws
 * UNSUPPORTED if there is none that we support.
 */
export const selectProtocol = ({ protocols, keys }: SecurityInfos): Selection => {
  const ours = keys.filter(({ agreement }) => agreement === 'ECDH');
  const offered = protocols.length > 0 ? protocols : ours.slice(0, 1).map(({ keyId }) => withoutInfo(keyId));
  for (const { protocol, keyId } of offered.toSorted(strongestFirst)) {
    const cipher = CIPHERS[protocol];
    const key =
      ours.find((candidate) => keyId === undefined || candidate.keyId === keyId) ??
      (ours.length === 1 && ours[0]?.keyId === undefined ? ours[0] : undefined);
    if (cipher && key)
      return {
        protocol,
        cipher,
        ...(keyId === undefined ? {} : { keyId }),
        key: publicKeyOf(onNamedCurve(key.publicKey)),
      };
  }
  throw unsupported(
    keys.some(({ agreement }) => agreement === 'DH')
      ? 'the chip offers finite-field Diffie-Hellman only'
      : 'the chip offers no chip authentication',
  );
};
