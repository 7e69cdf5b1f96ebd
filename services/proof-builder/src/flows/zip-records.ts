/** One entry of a ZIP archive that is stored as it is, uncompressed. */
export interface StoredEntry {
  readonly name: string;
  readonly size: number;
  /**
   * Absent if it is not known before the content was read: then it is written after the content.
   */
  readonly crc32?: number | undefined;
  /** UTC. */
  readonly modifiedAt: Date;
}

/** An entry that was written: where its header is, and the CRC-32 of its content. */
export interface WrittenEntry extends StoredEntry {
  readonly crc32: number;
  readonly offset: number;
  readonly isDeferred: boolean;
}

/** Numbers from here on do not fit into 32 bits, or mean that the value is in the ZIP64 field. */
const MAX_32 = 0xffffffff;
const MAX_16 = 0xffff;

const VERSION = 20;
const VERSION_ZIP64 = 45;
/** Unix, version 6.3. */
const MADE_BY = 0x033f;
/** A plain file of mode 644, as Unix has it in the upper half. */
const ATTRIBUTES = 0o100644 * 0x10000;
const UTF8_NAME = 1 << 11;
const DESCRIPTOR = 1 << 3;
const STORED = 0;
const ZIP64_FIELD = 1;

/**
 * Whether CRC-32 and size are written behind the content: a header has no room for a size of 4 GiB.
 */
export const isDeferred = ({ crc32, size }: StoredEntry): boolean => crc32 === undefined || size >= MAX_32;

const flags = (deferred: boolean): number => UTF8_NAME | (deferred ? DESCRIPTOR : 0);

const dosTime = (at: Date): number =>
  (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | Math.floor(at.getUTCSeconds() / 2);

const dosDate = (at: Date): number =>
  ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();

/** Concatenated little-endian numbers, each with its width in bytes. */
const record = (fields: readonly (readonly [width: 2 | 4 | 8, value: number])[]): Buffer => {
  const bytes = Buffer.alloc(fields.reduce((sum, [width]) => sum + width, 0));
  let at = 0;
  for (const [width, value] of fields) {
    if (width === 8) bytes.writeBigUInt64LE(BigInt(value), at);
    else bytes.writeUIntLE(value, at, width);
    at += width;
  }
  return bytes;
};

/** The header before the content of an entry. */
export const localHeader = (entry: StoredEntry): Buffer => {
  const name = Buffer.from(entry.name);
  const deferred = isDeferred(entry);
  const size = deferred ? 0 : entry.size;
  const fixed = record([
    [4, 0x04034b50],
    [2, VERSION],
    [2, flags(deferred)],
    [2, STORED],
    [2, dosTime(entry.modifiedAt)],
    [2, dosDate(entry.modifiedAt)],
    [4, deferred ? 0 : (entry.crc32 ?? 0)],
    [4, size],
    [4, size],
    [2, name.length],
    [2, 0],
  ]);
  return Buffer.concat([fixed, name]);
};

/** Whether the directory has the entry's numbers in ZIP64's field. */
const isLarge = (size: number, offset: number): boolean => size >= MAX_32 || offset >= MAX_32;

/** CRC-32 and size behind the content of an entry whose header could not say them. */
export const descriptor = ({ size, crc32, offset }: WrittenEntry): Buffer => {
  const width = isLarge(size, offset) ? 8 : 4;
  return record([
    [4, 0x08074b50],
    [4, crc32],
    [width, size],
    [width, size],
  ]);
};

/** The entry's record in the directory at the end of the archive. */
export const directoryRecord = (entry: WrittenEntry): Buffer => {
  const name = Buffer.from(entry.name);
  const large = isLarge(entry.size, entry.offset);
  const fixed = record([
    [4, 0x02014b50],
    [2, MADE_BY],
    [2, large ? VERSION_ZIP64 : VERSION],
    [2, flags(entry.isDeferred)],
    [2, STORED],
    [2, dosTime(entry.modifiedAt)],
    [2, dosDate(entry.modifiedAt)],
    [4, entry.crc32],
    [4, large ? MAX_32 : entry.size],
    [4, large ? MAX_32 : entry.size],
    [2, name.length],
    [2, large ? 28 : 0],
    [2, 0],
    [2, 0],
    [2, 0],
    [4, ATTRIBUTES],
    [4, large ? MAX_32 : entry.offset],
  ]);
  const zip64 = record([
    [2, ZIP64_FIELD],
    [2, 24],
    [8, entry.size],
    [8, entry.size],
    [8, entry.offset],
  ]);
  return Buffer.concat(large ? [fixed, name, zip64] : [fixed, name]);
};

/** What a directory is: how many entries, where it begins, how long it is. */
export interface Directory {
  readonly entries: number;
  readonly offset: number;
  readonly size: number;
}

/** The last records of the archive, which lead to its directory. */
export const endOfDirectory = ({ entries, offset, size }: Directory): Buffer => {
  const large = entries >= MAX_16 || offset >= MAX_32 || size >= MAX_32;
  const end = record([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, large ? MAX_16 : entries],
    [2, large ? MAX_16 : entries],
    [4, large ? MAX_32 : size],
    [4, large ? MAX_32 : offset],
    [2, 0],
  ]);
  if (!large) return end;
  const zip64End = record([
    [4, 0x06064b50],
    [8, 44],
    [2, MADE_BY],
    [2, VERSION_ZIP64],
    [4, 0],
    [4, 0],
    [8, entries],
    [8, entries],
    [8, size],
    [8, offset],
  ]);
  const locator = record([
    [4, 0x07064b50],
    [4, 0],
    [8, offset + size],
    [4, 1],
  ]);
  return Buffer.concat([zip64End, locator, end]);
};
