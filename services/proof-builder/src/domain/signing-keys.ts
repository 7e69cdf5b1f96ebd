import { createHash, createPublicKey } from 'node:crypto';
import { formatDateTime, type SigningKeysReply } from '@assay/contracts';

/** A key that signs proofs, as JWKS publish it. */
export interface PublicJwk {
  kty: 'RSA';
  n: string;
  e: string;
  use: 'sig';
  alg: 'RS256';
  kid: string;
}

/** RFC 7638: SHA-256 of the key's required members in the order of their names, base64url. */
const thumbprint = ({ n, e }: { n: string; e: string }): string =>
  createHash('sha256')
    .update(JSON.stringify({ e, kty: 'RSA', n }))
    .digest('base64url');

/** The public half of a key given in PEM (public or private), as a JWK. */
export const publicJwkOf = (pem: string): PublicJwk => {
  const { n, e } = createPublicKey(pem).export({ format: 'jwk' });
  if (!n || !e) throw new Error('not an RSA key');
  return { kty: 'RSA', n, e, use: 'sig', alg: 'RS256', kid: thumbprint({ n, e }) };
};

/** When a key signs: from `activeFrom` (it is published before) until a newer one does. */
export interface KeyTimes {
  kid: string;
  activeFrom: string;
  retired: boolean;
}

/**
 * The key that signs at an instant: the newest one whose time has come. Until then the former one
 * signs on: the overlap.
 */
export const signingAt = <K extends KeyTimes>(keys: readonly K[], now: Date): K | undefined =>
  keys
    .filter(({ retired, activeFrom }) => !retired && activeFrom <= formatDateTime(now))
    .sort((a, b) => (`${a.activeFrom} ${a.kid}` < `${b.activeFrom} ${b.kid}` ? 1 : -1))[0];

/**
 * The same; where the time of none has come, the first that comes. The clock of a replica may be
 * behind that of the one which made the key, or was set back: proofs do not wait for it.
 */
export const signerAt = <K extends KeyTimes>(keys: readonly K[], now: Date): K | undefined =>
  signingAt(keys, now) ??
  keys.filter(({ retired }) => !retired).sort((a, b) => (a.activeFrom < b.activeFrom ? -1 : 1))[0];

/** The keys as operators see them, newest first. */
export const signingKeyList = (
  keys: readonly (KeyTimes & { createdAt: string })[],
  now: Date,
): SigningKeysReply['keys'] => {
  const current = signerAt(keys, now);
  return keys
    .map(({ kid, createdAt, activeFrom }) => ({ kid, signs: kid === current?.kid, createdAt, signsFrom: activeFrom }))
    .reverse();
};

/** Keys that sign no more: their private half is destroyed, their public half stays published. */
export const superseded = <K extends KeyTimes>(keys: readonly K[], now: Date): K[] => {
  const current = signingAt(keys, now);
  return current ? keys.filter((key) => !key.retired && key.activeFrom < current.activeFrom) : [];
};

/** True when the newest key has signed for so long that its successor should be published now. */
export const rotationDue = (
  keys: readonly KeyTimes[],
  now: Date,
  maxAgeSeconds: number,
  overlapSeconds: number,
): boolean => {
  const newest = keys
    .map(({ activeFrom }) => activeFrom)
    .sort()
    .at(-1);
  const latest = new Date(now.getTime() - (maxAgeSeconds - overlapSeconds) * 1000);
  return newest === undefined || newest <= formatDateTime(latest);
};
