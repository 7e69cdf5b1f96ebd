import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { type Element, readDer } from '../der/read.ts';
import { SIGNATURE } from '../der/read-limits.ts';
import { expectTag, integerBytes, oidOf, smallInteger } from '../der/values.ts';
import { encodeElement, encodeOid, TAG } from '../der/write.ts';
import { attempt, malformed, unsupported } from '../errors.ts';
import { table } from '../table.ts';
import { DIGEST_OIDS, type Digest, digestOf } from './digests.ts';
import type { PublicKey } from './public-key.ts';

/** How a signature was made. */
export type SignatureScheme =
  | { readonly kind: 'PKCS1'; readonly digest: Digest }
  | { readonly kind: 'PSS'; readonly digest: Digest; readonly maskDigest: Digest; readonly saltBytes: number }
  | { readonly kind: 'ECDSA'; readonly digest: Digest; readonly encoding: 'der' | 'ieee-p1363' };

const PKCS1 = table<Digest>({
  '1.2.840.113549.1.1.5': 'sha1',
  '1.3.14.3.2.29': 'sha1',
  '1.2.840.113549.1.1.14': 'sha224',
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
});

const ECDSA = table<Digest>({
  '1.2.840.10045.4.1': 'sha1',
  '1.2.840.10045.4.3.1': 'sha224',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
});

/**
 * BSI TR-03111: r followed by s. Active authentication names its digest by the same identifiers.
 */
export const PLAIN_ECDSA = table<Digest>({
  '0.4.0.127.0.7.1.1.4.1.1': 'sha1',
  '0.4.0.127.0.7.1.1.4.1.2': 'sha224',
  '0.4.0.127.0.7.1.1.4.1.3': 'sha256',
  '0.4.0.127.0.7.1.1.4.1.4': 'sha384',
  '0.4.0.127.0.7.1.1.4.1.5': 'sha512',
});

const RSA_ENCRYPTION = '1.2.840.113549.1.1.1';
const EC_PUBLIC_KEY = '1.2.840.10045.2.1';
const PSS = '1.2.840.113549.1.1.10';
const MGF1 = '1.2.840.113549.1.1.8';

const explicit = (parameters: Element | undefined, number: number): Element | undefined =>
  parameters?.children.find(({ tag }) => tag === (0xa0 | number))?.children[0];

const pssScheme = (parameters: Element | undefined): SignatureScheme => {
  const digestId = explicit(parameters, 0);
  const digest = digestId ? digestOf(digestId, 'the digest of a PSS signature') : 'sha1';
  const mask = explicit(parameters, 1);
  if (mask && oidOf(mask.children[0], 'the mask of a PSS signature') !== MGF1)
    throw unsupported('a PSS mask is not MGF1');
  const maskDigest = mask ? digestOf(mask.children[1], 'the digest of a PSS mask') : 'sha1';
  const salt = explicit(parameters, 2);
  return { kind: 'PSS', digest, maskDigest, saltBytes: salt ? smallInteger(salt, 'the salt of a PSS signature') : 20 };
};

/**
 * The scheme that an AlgorithmIdentifier names. Many signers name only a key (plain rsaEncryption,
 * id-ecPublicKey): then the digest is that of `digestAlgorithm`. Throws UNSUPPORTED for any other.
 */
export const schemeOf = (algorithm: Element, digestAlgorithm?: Digest): SignatureScheme => {
  const oid = oidOf(algorithm.children[0], 'a signature algorithm');
  if (oid === PSS) return pssScheme(algorithm.children[1]);
  const pkcs1 = PKCS1[oid] ?? (oid === RSA_ENCRYPTION ? digestAlgorithm : undefined);
  if (pkcs1) return { kind: 'PKCS1', digest: pkcs1 };
  const ecdsa = ECDSA[oid] ?? (oid === EC_PUBLIC_KEY ? digestAlgorithm : undefined);
  if (ecdsa) return { kind: 'ECDSA', digest: ecdsa, encoding: 'der' };
  const plain = PLAIN_ECDSA[oid];
  if (plain) return { kind: 'ECDSA', digest: plain, encoding: 'ieee-p1363' };
  throw unsupported('a signature algorithm is not one we know');
};

const settings = (scheme: SignatureScheme) => {
  if (scheme.kind === 'PKCS1') return { padding: constants.RSA_PKCS1_PADDING };
  if (scheme.kind === 'PSS') return { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: scheme.saltBytes };
  return { dsaEncoding: scheme.encoding };
};

/**
 * The same key, restricted to this scheme: node:crypto takes the digest of the mask only from the
 * key.
 */
const restricted = ({ key }: PublicKey, { digest, maskDigest }: SignatureScheme & { kind: 'PSS' }): KeyObject => {
  const id = (oid: Digest) => encodeElement(TAG.sequence, encodeOid(DIGEST_OIDS[oid]));
  const tagged = (number: number, value: Buffer) => encodeElement(0xa0 | number, value);
  const mask = encodeElement(TAG.sequence, encodeOid(MGF1), id(maskDigest));
  const parameters = encodeElement(
    TAG.sequence,
    tagged(0, id(digest)),
    tagged(1, mask),
    tagged(2, encodeElement(TAG.integer, Buffer.from([0]))),
  );
  const bits = readDer(key.export({ format: 'der', type: 'spki' })).children[1]!.bytes;
  const spki = encodeElement(TAG.sequence, encodeElement(TAG.sequence, encodeOid(PSS), parameters), bits);
  return createPublicKey({ key: spki, format: 'der', type: 'spki' });
};

/** An RSA-PSS key that its issuer restricted names its digests itself. */
const isRestricted = ({ key }: PublicKey): boolean => key.asymmetricKeyDetails?.hashAlgorithm !== undefined;

const keyFor = (scheme: SignatureScheme, publicKey: PublicKey): KeyObject =>
  scheme.kind === 'PSS' && scheme.maskDigest !== scheme.digest && !isRestricted(publicKey)
    ? restricted(publicKey, scheme)
    : publicKey.key;

/** A number without a sign, as DER writes it. */
const unsigned = (number: Element | undefined): Buffer => {
  const bytes = integerBytes(number, 'a number of a signature');
  return encodeElement(TAG.integer, bytes[0]! & 0x80 ? Buffer.from([0]) : Buffer.alloc(0), bytes);
};

/**
 * The two numbers of an ECDSA signature in DER. Some signers put more zeros in front of a number,
 * or none where DER needs one, and a CMS may have any lengths of BER; OpenSSL accepts only DER.
 */
const inDer = (signature: Uint8Array): Buffer => {
  const { children } = expectTag(readDer(signature, SIGNATURE), TAG.sequence, 'a signature');
  if (children.length !== 2) throw malformed('a signature has not two numbers');
  return encodeElement(TAG.sequence, ...children.map(unsigned));
};

/**
 * Whether the signature over these bytes is right. A signature of another kind than its key is
 * wrong, and so are bytes that are no signature.
 */
export const signatureIsRight = (
  scheme: SignatureScheme,
  publicKey: PublicKey,
  signed: Uint8Array,
  signature: Uint8Array,
): boolean => {
  if ((scheme.kind === 'ECDSA') !== (publicKey.kind === 'EC')) return false;
  const isDer = scheme.kind === 'ECDSA' && scheme.encoding === 'der';
  const { value } = attempt(() => (isDer ? inDer(signature) : signature));
  if (value === undefined) return false;
  try {
    return verify(scheme.digest, signed, { key: keyFor(scheme, publicKey), ...settings(scheme) }, value);
  } catch {
    // OpenSSL throws if the form of a signature or a restricted key does not fit; then the
    // signature is not right.
    return false;
  }
};
