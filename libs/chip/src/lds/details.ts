import { isUtf8 } from 'node:buffer';
import type { Element } from '../der/read.ts';
import { table } from '../table.ts';
import { readDataGroup } from './files.ts';

/** What data group 11 says about the holder, as the issuer wrote it. */
export interface HolderDetails {
  readonly fullName?: string;
  readonly otherNames?: readonly string[];
  readonly personalNumber?: string;
  /** YYYY-MM-DD. */
  readonly dateOfBirth?: string;
  readonly placeOfBirth?: string;
  readonly address?: string;
  readonly telephone?: string;
  readonly profession?: string;
  readonly title?: string;
  readonly custody?: string;
}

/** What data group 12 says about the document. */
export interface DocumentDetails {
  readonly issuingAuthority?: string;
  /** YYYY-MM-DD. */
  readonly dateOfIssue?: string;
  readonly endorsements?: string;
  readonly taxOrExitRequirements?: string;
}

type Read = (field: Element) => string | undefined;

/** Text is UTF-8 (9303-10). What is not is left out: which letters it means would be a guess. */
const text: Read = ({ content }) =>
  isUtf8(content) ? content.toString('utf8').replaceAll('<', ' ').replace(/ +/g, ' ').trim() || undefined : undefined;

/** A date has eight digits in ASCII; some issuers write it in four bytes of BCD. */
const date: Read = ({ content }) => {
  const digits = content.length === 4 ? content.toString('hex') : content.toString('latin1');
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(digits) ?? [];
  const written = `${year}-${month}-${day}`;
  const time = new Date(`${written}T00:00:00Z`);
  return year !== undefined && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(written)
    ? written
    : undefined;
};

const HOLDER = table<readonly [number, Read]>({
  fullName: [0x5f0e, text],
  personalNumber: [0x5f10, text],
  dateOfBirth: [0x5f2b, date],
  placeOfBirth: [0x5f11, text],
  address: [0x5f42, text],
  telephone: [0x5f12, text],
  profession: [0x5f13, text],
  title: [0x5f14, text],
  custody: [0x5f18, text],
});

const DOCUMENT = table<readonly [number, Read]>({
  issuingAuthority: [0x5f19, text],
  dateOfIssue: [0x5f26, date],
  endorsements: [0x5f1b, text],
  taxOrExitRequirements: [0x5f1c, text],
});

const readFields = (
  file: Element,
  fields: Readonly<Record<string, readonly [number, Read]>>,
): Record<string, string> => {
  const found: Record<string, string> = {};
  for (const [name, [tag, read]] of Object.entries(fields)) {
    const field = file.children.find((candidate) => candidate.tag === tag);
    const value = field && read(field);
    if (value) found[name] = value;
  }
  return found;
};

const OTHER_NAMES = 0xa0;
const OTHER_NAME = 0x5f0f;

/** Reads data group 11. */
export const readDataGroup11 = (bytes: Uint8Array): HolderDetails => {
  const file = readDataGroup(bytes, 11);
  const list = file.children.find(({ tag }) => tag === OTHER_NAMES)?.children ?? [];
  const otherNames = list.filter(({ tag }) => tag === OTHER_NAME).flatMap((field) => text(field) ?? []);
  return { ...readFields(file, HOLDER), ...(otherNames.length > 0 ? { otherNames } : {}) };
};

/** Reads data group 12. */
export const readDataGroup12 = (bytes: Uint8Array): DocumentDetails => readFields(readDataGroup(bytes, 12), DOCUMENT);
