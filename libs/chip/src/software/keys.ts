import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readDer } from '../der/read.ts';
import { encodeOid } from '../der/write.ts';
import { DIGEST_BYTES, DIGEST_OIDS, type Digest, hash } from '../keys/digests.ts';
import { algorithm, context, integer, nothing, sequence } from './build.ts';

/** A kind of key: RSA of a size, or EC on a curve, with named or explicit parameters. */
export type KeyKind = `RSA-${number}` | { readonly curve: string; readonly explicit?: boolean };

/** A pair of keys, and the SubjectPublicKeyInfo as it is in certificates and data groups. */
export interface KeyPair {
  readonly kind: 'RSA' | 'EC';
  readonly privateKey: KeyObject;
  readonly spki: Buffer;
  readonly keyId: Buffer;
}

/** Where keys come from: made anew, or taken from a pool, since making RSA keys is slow. */
export type KeySource = (kind: KeyKind) => KeyPair;

const bitsOf = (spki: Buffer): Buffer => readDer(spki).children[1]!.content.subarray(1);

/** A pair of keys that was made before. */
export const keyPairOf = (
  kind: 'RSA' | 'EC',
  { privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject },
): KeyPair => {
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  return { kind, privateKey, spki, keyId: hash('sha1', bitsOf(spki)) };
};

/** Makes a pair of keys. */
export const drawKey: KeySource = (kind) => {
  if (typeof kind === 'string')
    return keyPairOf('RSA', generateKeyPairSync('rsa', { modulusLength: Number(kind.slice(4)) }));
  const paramEncoding = kind.explicit ? 'explicit' : 'named';
  return keyPairOf('EC', generateKeyPairSync('ec', { namedCurve: kind.curve, paramEncoding }));
};

/**
 * How to make a signature. For RSA keys, `padding` says how it is padded and whether its algorithm
 * names a digest.
 */
export interface SignatureForm {
  readonly digest: Digest;
  readonly padding?: 'PKCS1' | 'PKCS1_WITHOUT_DIGEST' | 'PSS';
}

const PKCS1: Readonly<Record<Digest, string>> = {
  sha1: '1.2.840.113549.1.1.5',
  sha224: '1.2.840.113549.1.1.14',
  sha256: '1.2.840.113549.1.1.11',
  sha384: '1.2.840.113549.1.1.12',
  sha512: '1.2.840.113549.1.1.13',
};
const ECDSA: Readonly<Record<Digest, string>> = {
  sha1: '1.2.840.10045.4.1',
  sha224: '1.2.840.10045.4.3.1',
  sha256: '1.2.840.10045.4.3.2',
  sha384: '1.2.840.10045.4.3.3',
  sha512: '1.2.840.10045.4.3.4',
};

const pssAlgorithm = (digest: Digest): Buffer => {
  const digestId = algorithm(DIGEST_OIDS[digest], nothing);
  const parameters = sequence(
    context(0, digestId),
    context(1, sequence(encodeOid('1.2.840.113549.1.1.8'), digestId)),
    context(2, integer(DIGEST_BYTES[digest])),
  );
  return algorithm('1.2.840.113549.1.1.10', parameters);
};

/** Signs, and returns the signature with its algorithm. */
export const signWith = ({ kind, privateKey }: KeyPair, { digest, padding = 'PKCS1' }: SignatureForm) => {
  if (kind === 'EC')
    return { algorithm: algorithm(ECDSA[digest]), sign: (bytes: Uint8Array) => sign(digest, bytes, privateKey) };
  if (padding === 'PSS') {
    const options = { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: DIGEST_BYTES[digest] };
    return { algorithm: pssAlgorithm(digest), sign: (bytes: Uint8Array) => sign(digest, bytes, options) };
  }
  const oid = padding === 'PKCS1' ? PKCS1[digest] : '1.2.840.113549.1.1.1';
  return { algorithm: algorithm(oid, nothing), sign: (bytes: Uint8Array) => sign(digest, bytes, privateKey) };
};
