import { createHash } from 'node:crypto';
import { type Element, readDer } from '../der/read.ts';
import { bits, childAt, expectTag, integerBytes, timeOf } from '../der/values.ts';
import { TAG } from '../der/write.ts';
import { attempt } from '../errors.ts';
import { type PublicKey, publicKeyOf } from '../keys/public-key.ts';
import { schemeOf, signatureIsRight } from '../keys/signature.ts';
import { type Extensions, extensionsOf } from './extensions.ts';
import { type Name, nameOf } from './name.ts';

/** An X.509 certificate. */
export interface Certificate extends Extensions {
  readonly bytes: Buffer;
  readonly sha256: string;
  /** In hexadecimal, without zeros in front. */
  readonly serialNumber: string;
  readonly issuer: Name;
  readonly subject: Name;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /**
   * The key; it is read when first asked for. Throws a ChipError if it is of a kind that we do not
   * use.
   */
  readonly publicKey: () => PublicKey;
  /** The bits of the key, from which its usual identifier is made. */
  readonly keyBits: Buffer;
  readonly signed: Signed;
}

/** A signed structure of X.509: the signed bytes, the algorithm, and the signature. */
export interface Signed {
  readonly content: Buffer;
  readonly algorithm: Element;
  readonly signature: Buffer;
}

/** Reads SEQUENCE { content, algorithm, signature }. */
export const signedOf = (element: Element, what: string): Signed => ({
  content: childAt(element, 0, TAG.sequence, what).bytes,
  algorithm: childAt(element, 1, TAG.sequence, `the algorithm of ${what}`),
  signature: bits(element.children[2], `the signature of ${what}`),
});

/** The value, made when it is first asked for. */
export const once = <T>(make: () => T): (() => T) => {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

/** Reads a certificate from its element. */
export const certificateOf = (element: Element): Certificate => {
  const body = childAt(expectTag(element, TAG.sequence, 'a certificate'), 0, TAG.sequence, 'a certificate');
  const first = body.children[0]?.tag === 0xa0 ? 1 : 0;
  const validity = childAt(body, first + 3, TAG.sequence, 'the validity of a certificate');
  const key = childAt(body, first + 5, TAG.sequence, 'the key of a certificate');
  const extensions = body.children.find(({ tag }) => tag === 0xa3);
  return {
    bytes: element.bytes,
    sha256: createHash('sha256').update(element.bytes).digest('hex'),
    serialNumber: integerBytes(body.children[first], 'a serial number').toString('hex'),
    issuer: nameOf(childAt(body, first + 2, TAG.sequence, 'the issuer of a certificate')),
    subject: nameOf(childAt(body, first + 4, TAG.sequence, 'the subject of a certificate')),
    notBefore: timeOf(validity.children[0], 'the start of a validity'),
    notAfter: timeOf(validity.children[1], 'the end of a validity'),
    publicKey: once(() => publicKeyOf(key)),
    keyBits: bits(key.children[1], 'the key of a certificate'),
    signed: signedOf(element, 'a certificate'),
    ...extensionsOf(extensions?.children[0]),
  };
};

/** Reads a certificate in DER. */
export const readCertificate = (der: Uint8Array): Certificate => certificateOf(readDer(der));

/**
 * Whether a key made the signature of a structure; UNSUPPORTED if we do not know the algorithm or
 * the kind of key.
 */
export const signatureBy = (signed: Signed, issuer: Certificate): 'RIGHT' | 'WRONG' | 'UNSUPPORTED' => {
  const known = attempt(() => ({ scheme: schemeOf(signed.algorithm), key: issuer.publicKey() }));
  if (known.error) return 'UNSUPPORTED';
  return signatureIsRight(known.value.scheme, known.value.key, signed.content, signed.signature) ? 'RIGHT' : 'WRONG';
};

/**
 * Whether the certificate is signed with its own key. A self-issued certificate need not be: a link
 * certificate has the same name as issuer and as subject.
 */
export const isSelfSigned = (certificate: Certificate): boolean =>
  signatureBy(certificate.signed, certificate) === 'RIGHT';
