import { type Certificate, certificateOf } from '../certificates/certificate.ts';
import { type Name, nameOf } from '../certificates/name.ts';
import type { Element } from '../der/read.ts';
import { childAt, expectTag, findChild, integerBytes, octets, oidOf } from '../der/values.ts';
import { encodeElement, TAG } from '../der/write.ts';
import { attempt, beyondLimit, malformed } from '../errors.ts';
import { LIMITS } from '../limits.ts';

/** How a signature names its signer. */
type SignerId = { readonly keyId: Buffer } | { readonly issuer: Name; readonly serialNumber: string };

/** One signature of a SignedData. */
export interface SignerInfo {
  readonly id: SignerId;
  readonly digestAlgorithm: Element;
  /**
   * The signed attributes with the tag of a set, in one or two forms: as they are in the file and,
   * if that differs, in DER with its order and lengths. Issuers sign either form.
   */
  readonly signedAttributes?: readonly Buffer[];
  readonly attributes: ReadonlyMap<string, Element>;
  readonly signatureAlgorithm: Element;
  readonly signature: Buffer;
}

/** A CMS SignedData that includes its content. */
export interface SignedData {
  readonly contentType: string;
  readonly content: Buffer;
  readonly certificates: readonly Certificate[];
  /** Certificates in it that we cannot read. */
  readonly unreadable: number;
  /** Those that we can read. */
  readonly signers: readonly SignerInfo[];
}

const SIGNED_DATA = '1.2.840.113549.1.7.2';

const signerId = (element: Element | undefined): SignerId => {
  if (element?.tag === 0x80) return { keyId: element.content };
  const pair = expectTag(element, TAG.sequence, 'the identifier of a signer');
  return {
    issuer: nameOf(childAt(pair, 0, TAG.sequence, 'the issuer of a signer')),
    serialNumber: integerBytes(pair.children[1], 'the serial number of a signer').toString('hex'),
  };
};

const attributesOf = (list: Element | undefined): Map<string, Element> => {
  const attributes = new Map<string, Element>();
  for (const attribute of list?.children ?? []) {
    const type = oidOf(attribute.children[0], 'a signed attribute');
    if (attributes.has(type)) throw malformed('a signed attribute is there twice');
    attributes.set(type, childAt(attribute, 1, TAG.set, 'the values of a signed attribute'));
  }
  return attributes;
};

/** The element with each length in its shortest form. */
const shortest = ({ tag, constructed, content, children }: Element): Buffer =>
  encodeElement(tag, ...(constructed ? children.map(shortest) : [content]));

const asSets = (element: Element): Buffer[] => {
  const asSent = Buffer.from(element.bytes);
  asSent[0] = TAG.set;
  const inDer = encodeElement(TAG.set, ...element.children.map(shortest).toSorted(Buffer.compare));
  return inDer.equals(asSent) ? [asSent] : [asSent, inDer];
};

const signerOf = (element: Element): SignerInfo => {
  const [, id, digestAlgorithm, ...rest] = expectTag(element, TAG.sequence, 'a signer').children;
  const signed = rest[0]?.tag === 0xa0 ? rest.shift() : undefined;
  return {
    id: signerId(id),
    digestAlgorithm: expectTag(digestAlgorithm, TAG.sequence, 'the digest of a signer'),
    ...(signed ? { signedAttributes: asSets(signed) } : {}),
    attributes: attributesOf(signed),
    signatureAlgorithm: expectTag(rest[0], TAG.sequence, 'the algorithm of a signer'),
    signature: octets(rest[1], 'the signature of a signer'),
  };
};

const certificatesOf = (list: Element | undefined): Pick<SignedData, 'certificates' | 'unreadable'> => {
  const found = list?.children ?? [];
  if (found.length > LIMITS.certificates) throw beyondLimit(`more than ${LIMITS.certificates} certificates`);
  // A certificate that does not parse is left out: the one that `sid` names may be beside it.
  const certificates = found.flatMap((element) => attempt(() => certificateOf(element)).value ?? []);
  return { certificates, unreadable: found.length - certificates.length };
};

/**
 * The signatures that can be read: another one is of an algorithm or a form that nobody knows, and
 * takes nothing from a right one beside it. Throws if there are some and none can be read.
 */
const signersOf = (list: Element | undefined): SignerInfo[] => {
  const found = expectTag(list, TAG.set, 'the signers of a SignedData').children;
  if (found.length > LIMITS.signers) throw beyondLimit(`more than ${LIMITS.signers} signers`);
  const read = found.map((element) => attempt(() => signerOf(element)));
  const signers = read.flatMap(({ value }) => value ?? []);
  const [first] = read;
  if (signers.length === 0 && first?.error) throw first.error;
  return signers;
};

/** Reads a ContentInfo that holds a SignedData. */
export const signedDataOf = (info: Element): SignedData => {
  expectTag(info, TAG.sequence, 'a signed object');
  if (oidOf(info.children[0], 'the type of a signed object') !== SIGNED_DATA)
    throw malformed('a signed object is no SignedData');
  const data = childAt(childAt(info, 1, 0xa0, 'a SignedData'), 0, TAG.sequence, 'a SignedData');
  const encapsulated = childAt(data, 2, TAG.sequence, 'the content of a SignedData');
  return {
    contentType: oidOf(encapsulated.children[0], 'the type of a content'),
    content: octets(
      childAt(encapsulated, 1, 0xa0, 'the content of a SignedData').children[0],
      'the content of a SignedData',
    ),
    ...certificatesOf(findChild(data, 0xa0)),
    signers: signersOf(data.children.at(-1)),
  };
};
