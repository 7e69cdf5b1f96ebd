import { createHash } from 'node:crypto';
import type { Element } from '../der/read.ts';
import { oidOf } from '../der/values.ts';
import { unsupported } from '../errors.ts';

/** The digests of ICAO 9303, as node:crypto calls them. */
export type Digest = 'sha1' | 'sha224' | 'sha256' | 'sha384' | 'sha512';

/** How many bytes each digest has. */
export const DIGEST_BYTES: Readonly<Record<Digest, number>> = {
  sha1: 20,
  sha224: 28,
  sha256: 32,
  sha384: 48,
  sha512: 64,
};

/** The object identifier of each digest. */
export const DIGEST_OIDS: Readonly<Record<Digest, string>> = {
  sha1: '1.3.14.3.2.26',
  sha224: '2.16.840.1.101.3.4.2.4',
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
};

/** Every digest, the weakest first. */
export const DIGESTS = Object.keys(DIGEST_OIDS) as Digest[];

const BY_OID = new Map(DIGESTS.map((digest) => [DIGEST_OIDS[digest], digest]));

/** The digest that an AlgorithmIdentifier names; throws UNSUPPORTED for any other. */
export const digestOf = (algorithm: Element | undefined, what: string): Digest => {
  const digest = BY_OID.get(oidOf(algorithm?.children[0], what));
  if (digest === undefined) throw unsupported(`${what} is none of SHA-1, 224, 256, 384, 512`);
  return digest;
};

/** The hash of all these bytes, in this order. */
export const hash = (digest: Digest, ...bytes: readonly Uint8Array[]): Buffer => {
  const state = createHash(digest);
  for (const part of bytes) state.update(part);
  return state.digest();
};
