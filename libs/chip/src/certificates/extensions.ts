import { type Element, readDer } from '../der/read.ts';
import { EXTENSION } from '../der/read-limits.ts';
import { oidOf, textOf } from '../der/values.ts';
import { TAG } from '../der/write.ts';
import { attempt, malformed } from '../errors.ts';
import { table } from '../table.ts';

/** What we read from a certificate's extensions. */
export interface Extensions {
  readonly subjectKeyId?: Buffer;
  readonly authorityKeyId?: Buffer;
  readonly isAuthority?: boolean;
  readonly keyUsage?: {
    readonly signsCertificates: boolean;
    readonly signsRevocationLists: boolean;
    /** Key usage digitalSignature or nonRepudiation. */
    readonly signs: boolean;
  };
  readonly purposes?: readonly string[];
  /**
   * The kinds of documents that a signer signs, by the first letters of their machine-readable
   * zones.
   */
  readonly documentTypes?: readonly string[];
}

const SUBJECT_KEY = '2.5.29.14';
const AUTHORITY_KEY = '2.5.29.35';
const BASIC = '2.5.29.19';
const KEY_USAGE = '2.5.29.15';
const PURPOSES = '2.5.29.37';
const DOCUMENT_TYPES = '2.23.136.1.1.6.2';

const keyUsage = (element: Element): Extensions => {
  const usage = element.tag === TAG.bitString ? (element.content[1] ?? 0) : 0;
  return {
    keyUsage: {
      signs: (usage & 0xc0) !== 0,
      signsCertificates: (usage & 0x04) !== 0,
      signsRevocationLists: (usage & 0x02) !== 0,
    },
  };
};

const authorityKey = (element: Element): Extensions => {
  const id = element.children.find(({ tag }) => tag === 0x80)?.content;
  return id ? { authorityKeyId: id } : {};
};

/**
 * DocumentTypeList of 9303-12: a version and a set of strings. Some issuers write the strings
 * alone.
 */
const documentTypes = ({ children }: Element): Extensions => {
  const strings = children.flatMap((child) => (child.constructed ? child.children : [child]));
  const types = strings
    .filter(({ tag }) => tag === TAG.printableString || tag === TAG.utf8String)
    .map((string) => textOf(string).trim().toUpperCase());
  return { documentTypes: types.filter((type) => /^[A-Z]/.test(type)) };
};

const READERS = table<(element: Element) => Extensions>({
  [SUBJECT_KEY]: ({ content }) => ({ subjectKeyId: content }),
  [AUTHORITY_KEY]: authorityKey,
  [BASIC]: ({ children }) => ({ isAuthority: children[0]?.tag === TAG.boolean && children[0].content[0] !== 0 }),
  [KEY_USAGE]: keyUsage,
  [PURPOSES]: ({ children }) => ({ purposes: children.map((child) => oidOf(child, 'a purpose of a key')) }),
  [DOCUMENT_TYPES]: documentTypes,
});

/**
 * Reads the extensions of a certificate or a revocation list. It ignores those that we do not use.
 */
export const extensionsOf = (list: Element | undefined): Extensions => {
  let read: Extensions = {};
  const seen = new Set<string>();
  for (const extension of list?.children ?? []) {
    const id = oidOf(extension.children[0], 'an extension');
    if (seen.has(id)) throw malformed('an extension is there twice');
    seen.add(id);
    const value = extension.children.at(-1);
    const reader = READERS[id];
    if (reader === undefined || value?.tag !== TAG.octetString) continue;
    const parsed = attempt(() => reader(readDer(value.content, EXTENSION)));
    if (parsed.value) read = { ...read, ...parsed.value };
  }
  return read;
};
