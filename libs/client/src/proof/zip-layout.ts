import { type Entry, fromRandomAccessReaderPromise, type LocalFileHeader, validateFileName, type ZipFile } from 'yauzl';
import { hasZip64, isAsWritten, STORED, wasRepacked } from './as-written.ts';
import { Refusal } from './report.ts';
import { type ByteSource, readerOf } from './source.ts';
import { readEndRecord } from './zip-end.ts';

/** One entry of the archive, with its place in the file checked. */
export interface ZipEntry {
  name: string;
  entry: Entry;
  isFolder: boolean;
  /** Both of its headers are to the byte such as the service writes them. */
  isAsWritten: boolean;
}

export interface ZipLayout {
  zip: ZipFile;
  entries: ZipEntry[];
  repacked: boolean;
}

export interface ZipLimits {
  entries: number;
  /** Largest sum of uncompressed sizes, in bytes. */
  bytes: number;
  /** Largest ratio of uncompressed to compressed size of one entry. */
  ratio: number;
}

const DEFLATED = 8;
const HAS_DESCRIPTOR = 1 << 3;
const ENCRYPTED = (1 << 0) | (1 << 6) | (1 << 13);
/** Extra fields that give an entry another name (Info-ZIP), or make a link of it (ASi, PKWARE). */
const OTHER_NAMES = [0x7075, 0x756e, 0x000d];
const ZIP64 = 0x0001;
const UNKNOWN_SIZE = 0xffffffff;

const nameOf = (entry: Entry): string => {
  const raw = entry.fileNameRaw;
  const name = raw.toString('latin1');
  if (!/^[\x21-\x7e]+$/.test(name)) throw new Refusal('an entry has a name outside of printable ASCII');
  if (name.includes('\\') || validateFileName(name) !== null || /(^|\/)\.{1,2}(\/|$)|\/\//.test(name))
    throw new Refusal('an entry would leave the folder it is unpacked in', name);
  if (entry.extraFields.some(({ id }) => OTHER_NAMES.includes(id)))
    throw new Refusal('an entry has a second name', name);
  return name;
};

const checkKind = (entry: Entry, name: string): void => {
  const fileType = (entry.externalFileAttributes >>> 28) & 0xf;
  const folder = name.endsWith('/');
  // Whatever system it says to be of: programs make links for more of them than Unix.
  if (![0, folder ? 4 : 8].includes(fileType)) throw new Refusal('an entry is neither a file nor a folder', name);
  if (entry.generalPurposeBitFlag & ENCRYPTED) throw new Refusal('an entry is encrypted', name);
  if (![STORED, DEFLATED].includes(entry.compressionMethod))
    throw new Refusal('an entry is neither stored nor deflated', name);
  if (entry.fileCommentLength > 0) throw new Refusal('an entry has a comment', name);
  if (folder && entry.uncompressedSize + entry.compressedSize > 0) throw new Refusal('a folder has content', name);
};

const checkSizes = (entry: Entry, name: string, { ratio }: ZipLimits): void => {
  if (entry.compressionMethod === STORED && entry.compressedSize !== entry.uncompressedSize)
    throw new Refusal('a stored entry has two sizes', name);
  if (entry.uncompressedSize > 1024 * 1024 && entry.uncompressedSize > entry.compressedSize * ratio)
    throw new Refusal('an entry grows out of proportion: a size bomb', name);
};

/** What extra fields are, by their numbers, in order. */
const fieldsOf = (bytes: Buffer): { id: number; data: Buffer }[] => {
  const fields: { id: number; data: Buffer }[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4 + bytes.readUInt16LE(at + 2))
    fields.push({ id: bytes.readUInt16LE(at), data: bytes.subarray(at + 4, at + 4 + bytes.readUInt16LE(at + 2)) });
  return fields;
};

/** The sizes by a local header: where it says that ZIP64's field has them, it is that field's. */
const localSizes = ({ compressedSize, uncompressedSize, extraField }: LocalFileHeader): [number, number] => {
  const [data, ...more] = fieldsOf(extraField).flatMap(({ id, data: bytes }) => (id === ZIP64 ? [bytes] : []));
  const sizeAt = (size: number, at: number): number =>
    size === UNKNOWN_SIZE && data && data.length >= at + 8 && more.length === 0
      ? Number(data.readBigUInt64LE(at))
      : size;
  return [sizeAt(compressedSize, uncompressedSize === UNKNOWN_SIZE ? 8 : 0), sizeAt(uncompressedSize, 0)];
};

/**
 * The header before the data must say what the directory says: programs differ in which of the two
 * they believe.
 */
const checkLocalHeader = (entry: Entry, local: LocalFileHeader, name: string): void => {
  const differs = (what: string): never => {
    throw new Refusal(`local header and central directory differ: ${what}`, name);
  };
  if (!local.fileName.equals(entry.fileNameRaw)) differs('name');
  if (local.generalPurposeBitFlag !== entry.generalPurposeBitFlag) differs('flags');
  if (local.compressionMethod !== entry.compressionMethod) differs('method');
  if (local.lastModFileTime !== entry.lastModFileTime || local.lastModFileDate !== entry.lastModFileDate)
    differs('time');
  if (local.versionNeededToExtract !== entry.versionNeededToExtract && !hasZip64(entry)) differs('version');
  const deferred = (entry.generalPurposeBitFlag & HAS_DESCRIPTOR) !== 0;
  const agrees = (value: number, expected: number): boolean => value === expected || (deferred && value === 0);
  const [packed, unpacked] = localSizes(local);
  if (local.crc32 !== entry.crc32 && !(deferred && local.crc32 === 0)) differs('CRC');
  if (!agrees(packed, entry.compressedSize) || !agrees(unpacked, entry.uncompressedSize)) differs('size');
};

/**
 * Programs that read an archive from its beginning believe the extra fields of the local header,
 * and other programs look there too.
 */
const checkLocalExtra = ({ extraField }: LocalFileHeader, name: string): void => {
  if (fieldsOf(extraField).some(({ id }) => OTHER_NAMES.includes(id)))
    throw new Refusal('an entry has a second name', name);
};

/** Bytes of the data descriptor behind an entry's data; it must say what the directory says. */
const descriptorLength = async (
  source: ByteSource,
  { name, entry }: ZipEntry,
  { dataEnd, next }: { dataEnd: number; next: number },
): Promise<number> => {
  if ((entry.generalPurposeBitFlag & HAS_DESCRIPTOR) === 0) return 0;
  const bytes = await source.read(dataEnd, Math.min(next, dataEnd + 24));
  const signed = bytes.length >= 16 && bytes.readUInt32LE(0) === 0x08074b50;
  const fields = signed ? bytes.subarray(4) : bytes;
  const wide = fields.length === 20;
  const sizes = wide
    ? [Number(fields.readBigUInt64LE(4)), Number(fields.readBigUInt64LE(12))]
    : fields.length === 12
      ? [fields.readUInt32LE(4), fields.readUInt32LE(8)]
      : [];
  if (
    fields.length < 12 ||
    fields.readUInt32LE(0) !== entry.crc32 ||
    sizes[0] !== entry.compressedSize ||
    sizes[1] !== entry.uncompressedSize
  )
    throw new Refusal('the data descriptor does not agree with the central directory', name);
  return bytes.length;
};

/**
 * Every byte before the directory belongs to exactly one entry: nothing before, between, behind,
 * and no two share any.
 */
const checkPlaces = async (
  source: ByteSource,
  zip: ZipFile,
  entries: readonly ZipEntry[],
  directory: number,
): Promise<void> => {
  const inOrder = [...entries].sort(
    (a, b) => a.entry.relativeOffsetOfLocalHeader - b.entry.relativeOffsetOfLocalHeader,
  );
  let expected = 0;
  for (const [at, placed] of inOrder.entries()) {
    const { name, entry } = placed;
    if (entry.relativeOffsetOfLocalHeader !== expected) throw new Refusal('bytes outside of any entry', name);
    const local = await zip.readLocalFileHeaderPromise(entry);
    checkLocalHeader(entry, local, name);
    checkLocalExtra(local, name);
    placed.isAsWritten = isAsWritten(name, entry, local);
    const next = inOrder[at + 1]?.entry.relativeOffsetOfLocalHeader ?? directory;
    const dataEnd = local.fileDataStart + entry.compressedSize;
    expected = dataEnd + (await descriptorLength(source, placed, { dataEnd, next }));
  }
  if (expected !== directory) throw new Refusal('bytes outside of any entry');
};

const checkNames = (entries: readonly ZipEntry[]): void => {
  const seen = new Set<string>();
  for (const { name } of entries) {
    const folded = name.toLowerCase();
    if (seen.has(folded)) throw new Refusal('two entries have the same name', name);
    seen.add(folded);
  }
  // In this order what is in a folder comes right behind it.
  const inOrder = entries.map(({ name }) => name).sort();
  for (const [at, name] of inOrder.entries())
    if (name.endsWith('/') && !inOrder[at + 1]?.startsWith(name))
      throw new Refusal('a folder that no file is in', name);
};

const broken = (error: unknown): never => {
  if (error instanceof Refusal) throw error;
  throw new Refusal(`not a readable ZIP archive: ${error instanceof Error ? error.message : 'error'}`);
};

/** Opens a ZIP and checks its structure to the last byte, without unpacking anything. */
export const readLayout = async (source: ByteSource, limits: ZipLimits): Promise<ZipLayout> => {
  const { directory, count } = await readEndRecord(source);
  if (count > limits.entries) throw new Refusal(`more than ${limits.entries} entries`);
  const options = { autoClose: false, decodeStrings: false, validateEntrySizes: true };
  const zip = await fromRandomAccessReaderPromise(readerOf(source), source.size, options).catch(broken);
  const entries: ZipEntry[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      const name = nameOf(entry);
      checkKind(entry, name);
      checkSizes(entry, name, limits);
      entries.push({ name, entry, isFolder: name.endsWith('/'), isAsWritten: false });
    }
    checkNames(entries);
    if (entries.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0) > limits.bytes)
      throw new Refusal(`more than ${limits.bytes} bytes when unpacked`);
    await checkPlaces(source, zip, entries, directory);
  } catch (error) {
    broken(error);
  }
  return { zip, entries, repacked: wasRepacked(entries) };
};
