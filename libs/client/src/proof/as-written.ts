import type { Entry, LocalFileHeader } from 'yauzl';
import { Refusal } from './report.ts';

/** Compression method of an entry that is stored as it is. */
export const STORED = 0;

const ZIP64 = 0x0001;
const ZIP64_FIELD_BYTES = 24;
const UTF8_NAME = 1 << 11;
const HAS_DESCRIPTOR = 1 << 3;

/** Whether the directory has an entry's sizes and its place in ZIP64's field. */
export const hasZip64 = (entry: Entry): boolean => entry.extraFields.some(({ id }) => id === ZIP64);

/** The end of proofing in the name of the root folder, as a ZIP writes the time of an entry. */
const timeIn = (name: string): { date: number; time: number } | undefined => {
  const [, ...digits] = /^[^/]*_(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})\d{3}\//.exec(name) ?? [];
  if (digits.length === 0) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = digits.map(Number);
  const date = ((year - 1980) << 9) | (month << 5) | day;
  return { date, time: (hour << 11) | (minute << 5) | (second >> 1) };
};

/**
 * An entry exactly as the service writes it (Unix, version 6.3, a plain file of mode 644, stored,
 * of the end of proofing, no extra field but ZIP64's).
 */
export const isAsWritten = (name: string, entry: Entry, local: LocalFileHeader): boolean => {
  const { date, time } = timeIn(name) ?? {};
  return (
    entry.versionMadeBy === 0x033f &&
    entry.versionNeededToExtract === (hasZip64(entry) ? 45 : 20) &&
    (entry.generalPurposeBitFlag & ~HAS_DESCRIPTOR) === UTF8_NAME &&
    entry.lastModFileDate === date &&
    entry.lastModFileTime === time &&
    entry.extraFields.every(({ id, data }) => id === ZIP64 && data.length === ZIP64_FIELD_BYTES) &&
    entry.compressionMethod === STORED &&
    entry.internalFileAttributes === 0 &&
    entry.externalFileAttributes === 0o100644 * 0x10000 &&
    local.versionNeededToExtract === 20 &&
    local.extraFieldLength === 0
  );
};

/** An entry with its headers compared with those that the service writes. */
interface ComparedEntry {
  name: string;
  entry: Entry;
  isAsWritten: boolean;
}

/**
 * True when the archive was packed again as a whole, or its entries lie in another order than the
 * directory lists them. Entries that differ while others are as they were written have been
 * tampered with.
 */
export const wasRepacked = (entries: readonly ComparedEntry[]): boolean => {
  const others = entries.filter((entry) => !entry.isAsWritten);
  const allStored = entries.every(({ entry }) => entry.compressionMethod === STORED);
  if (allStored && others.length > 0 && others.length < entries.length)
    throw new Refusal('the header of an entry was altered', others[0]!.name);
  const places = entries.map(({ entry }) => entry.relativeOffsetOfLocalHeader);
  return others.length > 0 || places.some((place, at) => at > 0 && place < places[at - 1]!);
};
