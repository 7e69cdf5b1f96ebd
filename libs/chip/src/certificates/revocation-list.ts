import { createHash } from 'node:crypto';
import { type Element, readDer } from '../der/read.ts';
import { TRUST_FILE } from '../der/read-limits.ts';
import { childAt, expectTag, findChild, integerBytes, octets, oidOf, timeOf } from '../der/values.ts';
import { TAG } from '../der/write.ts';
import { type Signed, signedOf } from './certificate.ts';
import { extensionsOf } from './extensions.ts';
import { type Name, nameKey, nameOf } from './name.ts';

/** A certificate revocation list. */
export interface RevocationList {
  readonly bytes: Buffer;
  readonly sha256: string;
  readonly issuer: Name;
  readonly authorityKeyId?: Buffer;
  readonly thisUpdate: Date;
  readonly nextUpdate?: Date;
  /**
   * Certificates of the list's own issuer: serial numbers in hexadecimal, without leading zeros.
   */
  readonly revoked: ReadonlySet<string>;
  /** Certificates of other issuers, in an indirect list, by `certificateKey`. */
  readonly revokedOfOthers: ReadonlySet<string>;
  /**
   * Whether a signer that it does not name is not revoked. A delta list, one of authorities or of
   * some reasons alone, and one with a critical extension that we do not know revoke what they
   * name, and say nothing of the rest (RFC 5280, 5.2).
   */
  readonly isComplete: boolean;
  readonly signed: Signed;
}

const isTime = (element: Element | undefined): boolean =>
  element?.tag === TAG.utcTime || element?.tag === TAG.generalizedTime;

/**
 * A certificate's issuer and serial number as one text, the same for every way to write the issuer.
 */
export const certificateKey = (issuer: Name, serialNumber: string): string => `${nameKey(issuer)}\n${serialNumber}`;

const CERTIFICATE_ISSUER = '2.5.29.29';
const DIRECTORY_NAME = 0xa4;

const extensionOf = (entry: Element, id: string): Element | undefined => {
  const extensions = entry.children.slice(1).find(({ tag }) => tag === TAG.sequence)?.children ?? [];
  return extensions.find(({ children }) => oidOf(children[0], 'an extension') === id);
};

const REASON = '2.5.29.21';
const REMOVE_FROM_LIST = Buffer.from('0a0108', 'hex');

/** RFC 5280, 5.3.1: an entry of a delta list may say that its certificate is revoked no longer. */
const isRemoval = (entry: Element): boolean => {
  const reason = extensionOf(entry, REASON)?.children.at(-1);
  return reason !== undefined && octets(reason, 'the reason of a revocation').equals(REMOVE_FROM_LIST);
};

/** The issuer that an entry names; undefined if it is the issuer of the entry before. */
const issuerNamedBy = (entry: Element): Name | undefined => {
  const named = extensionOf(entry, CERTIFICATE_ISSUER);
  if (named === undefined) return undefined;
  const names = readDer(octets(named.children.at(-1), 'the issuer of a revoked certificate'));
  const name = expectTag(findChild(names, DIRECTORY_NAME), DIRECTORY_NAME, 'the issuer of a revoked certificate');
  return nameOf(childAt(name, 0, TAG.sequence, 'the issuer of a revoked certificate'));
};

/**
 * RFC 5280, 5.3.3: an entry of an indirect list may name the issuer of its certificate. The entries
 * that follow have the same issuer until another is named.
 */
const entriesOf = (list: Element | undefined, own: Name) => {
  const revoked = new Set<string>();
  const revokedOfOthers = new Set<string>();
  let issuer = own;
  for (const entry of list?.children ?? []) {
    issuer = issuerNamedBy(entry) ?? issuer;
    if (isRemoval(entry)) continue;
    const serialNumber = integerBytes(entry.children[0], 'a revoked serial number').toString('hex');
    if (issuer === own || nameKey(issuer) === nameKey(own)) revoked.add(serialNumber);
    else revokedOfOthers.add(certificateKey(issuer, serialNumber));
  }
  return { revoked, revokedOfOthers };
};

const SCOPE = '2.5.29.28';
/** The authority's key and the list's number: they limit nothing. */
const LIMITLESS = ['2.5.29.35', '2.5.29.20'];
/** Members of the scope, by tag: authorities alone, some reasons alone, attributes alone. */
const LIMITS = [0x82, 0x83, 0x85];

const limits = (scope: Element | undefined): boolean =>
  readDer(octets(scope, 'the scope of a revocation list')).children.some(
    ({ tag, content }) => LIMITS.includes(tag) && content.some((byte) => byte !== 0),
  );

/** A delta list is known by a critical extension, too. */
const isWhole = ({ children }: Element): boolean => {
  const id = oidOf(children[0], 'an extension');
  if (id === SCOPE) return !limits(children.at(-1));
  return LIMITLESS.includes(id) || children[1]?.tag !== TAG.boolean || children[1].content[0] === 0;
};

/** Reads a revocation list from its element. */
export const revocationListOf = (element: Element): RevocationList => {
  const body = childAt(expectTag(element, TAG.sequence, 'a revocation list'), 0, TAG.sequence, 'a revocation list');
  const first = body.children[0]?.tag === TAG.integer ? 1 : 0;
  const next = isTime(body.children[first + 3]) ? body.children[first + 3] : undefined;
  const extensions = body.children.find(({ tag }) => tag === 0xa0)?.children[0];
  const { authorityKeyId } = extensionsOf(extensions);
  const issuer = nameOf(childAt(body, first + 1, TAG.sequence, 'the issuer of a revocation list'));
  const entries = body.children[first + (next ? 4 : 3)];
  return {
    bytes: element.bytes,
    sha256: createHash('sha256').update(element.bytes).digest('hex'),
    issuer,
    thisUpdate: timeOf(body.children[first + 2], 'the date of a revocation list'),
    ...(next ? { nextUpdate: timeOf(next, 'the next date of a revocation list') } : {}),
    ...(authorityKeyId ? { authorityKeyId } : {}),
    ...entriesOf(entries?.tag === TAG.sequence ? entries : undefined, issuer),
    isComplete: (extensions?.children ?? []).every(isWhole),
    signed: signedOf(element, 'a revocation list'),
  };
};

/** Reads a revocation list in DER. */
export const readRevocationList = (der: Uint8Array): RevocationList => revocationListOf(readDer(der, TRUST_FILE));
