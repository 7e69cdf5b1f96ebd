import { Refusal } from './report.ts';
import type { ByteSource } from './source.ts';

/** Where the central directory begins, and how many entries it lists. */
export interface EndRecord {
  directory: number;
  count: number;
}

const END = 22;
const LOCATOR = 20;
const END64 = 56;
const RECORD = 46;

interface Ends {
  directory: number;
  directoryBytes: number;
  count: number;
  /** Where the end records begin: right behind the directory. */
  begin: number;
  /** Version that wrote a ZIP64 end; absent without one. */
  madeBy?: number;
}

const LOCATOR_SIGNATURE = 0x07064b50;
const ZIP64_VERSION = 45;

const readEnd64 = async (source: ByteSource): Promise<Ends> => {
  const begin = source.size - END - LOCATOR - END64;
  const bytes = await source.read(Math.max(0, begin), source.size - END);
  const good =
    bytes.length === END64 + LOCATOR &&
    bytes.readUInt32LE(0) === 0x06064b50 &&
    Number(bytes.readBigUInt64LE(4)) === END64 - 12 &&
    bytes.readUInt16LE(14) === ZIP64_VERSION &&
    bytes.readUInt32LE(16) === 0 &&
    bytes.readUInt32LE(20) === 0 &&
    bytes.readBigUInt64LE(24) === bytes.readBigUInt64LE(32) &&
    bytes.readUInt32LE(END64) === LOCATOR_SIGNATURE &&
    bytes.readUInt32LE(END64 + 4) === 0 &&
    Number(bytes.readBigUInt64LE(END64 + 8)) === begin &&
    bytes.readUInt32LE(END64 + 16) === 1;
  if (!good) throw new Refusal('the ZIP64 end of the archive is broken');
  return {
    count: Number(bytes.readBigUInt64LE(32)),
    directoryBytes: Number(bytes.readBigUInt64LE(40)),
    directory: Number(bytes.readBigUInt64LE(48)),
    begin,
    madeBy: bytes.readUInt16LE(12),
  };
};

/**
 * Every record of the directory must be on this one disk, and the records must fill the directory.
 */
const checkDirectory = async (source: ByteSource, ends: Ends): Promise<void> => {
  const { directory, directoryBytes, count, madeBy } = ends;
  const bytes = await source.read(directory, directory + directoryBytes);
  // Programs write here what they write in the directory, or the version of ZIP64.
  if (madeBy !== undefined && madeBy !== ZIP64_VERSION && (count === 0 || madeBy !== bytes.readUInt16LE(4)))
    throw new Refusal('the ZIP64 end of the archive is broken');
  let at = 0;
  for (let entry = 0; entry < count; entry += 1) {
    if (at + RECORD > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50)
      throw new Refusal('the central directory is broken');
    if (bytes.readUInt16LE(at + 34) !== 0) throw new Refusal('the archive is spread over several disks');
    at += RECORD + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  if (at !== bytes.length) throw new Refusal('the central directory holds more than its entries');
};

const MOST_DIRECTORY_BYTES = 16 * 1024 * 1024;

/**
 * Reads the end of a ZIP: it must be the last bytes of the file, without a comment, right behind a
 * directory that it describes exactly.
 */
export const readEndRecord = async (source: ByteSource): Promise<EndRecord> => {
  const bytes = await source.read(Math.max(0, source.size - END), source.size);
  if (bytes.length < END || bytes.readUInt32LE(0) !== 0x06054b50)
    throw new Refusal('the archive does not end where a ZIP ends: it is cut off, or something follows');
  if (bytes.readUInt16LE(20) !== 0) throw new Refusal('the archive has a comment');
  if (bytes.readUInt16LE(4) !== 0 || bytes.readUInt16LE(6) !== 0)
    throw new Refusal('the archive is spread over several disks');
  const [here, all, size, offset] = [
    bytes.readUInt16LE(8),
    bytes.readUInt16LE(10),
    bytes.readUInt32LE(12),
    bytes.readUInt32LE(16),
  ];
  if (here !== all) throw new Refusal('the archive is spread over several disks');
  const wide = all === 0xffff || size === 0xffffffff || offset === 0xffffffff;
  const locator = await source.read(Math.max(0, source.size - END - LOCATOR), source.size - END);
  if (!wide && locator.length === LOCATOR && locator.readUInt32LE(0) === LOCATOR_SIGNATURE)
    throw new Refusal('the archive has a ZIP64 end that its end does not need: programs would read two directories');
  const ends = wide
    ? await readEnd64(source)
    : { count: all, directoryBytes: size, directory: offset, begin: source.size - END };
  const agree =
    [0xffff, ends.count].includes(all) &&
    [0xffffffff, ends.directoryBytes].includes(size) &&
    [0xffffffff, ends.directory].includes(offset);
  if (!agree) throw new Refusal('the ZIP64 end of the archive is broken');
  if (ends.directory + ends.directoryBytes !== ends.begin || ends.directoryBytes > MOST_DIRECTORY_BYTES)
    throw new Refusal('the central directory is not where the end of the archive says');
  await checkDirectory(source, ends);
  return { directory: ends.directory, count: ends.count };
};
