import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import type { ArchiveLayout } from '../domain/archive.ts';
import type { OpenMedium } from './media-in-turn.ts';
import {
  descriptor,
  directoryRecord,
  endOfDirectory,
  isDeferred,
  localHeader,
  type StoredEntry,
  type WrittenEntry,
} from './zip-records.ts';

interface Entry extends StoredEntry {
  readonly open: () => Promise<AsyncIterable<Buffer> | Iterable<Buffer>>;
}

const entriesOf = ({ root, endedAt, files, media }: ArchiveLayout, openMedium: OpenMedium): Entry[] => {
  const modifiedAt = new Date(endedAt);
  return [
    ...files.map(({ path, content }) => {
      const bytes = Buffer.from(content);
      const open = async () => [bytes];
      return { name: `${root}/${path}`, size: bytes.length, crc32: crc32(bytes), modifiedAt, open };
    }),
    ...media.map(({ path, mediaId, bytes, crc32: known }) => {
      const open = () => openMedium(mediaId);
      return { name: `${root}/${path}`, size: bytes, crc32: known, modifiedAt, open };
    }),
  ];
};

/**
 * Passes the content of an entry through and returns its CRC-32. Throws if size or CRC-32 differ
 * from those of the entry.
 */
async function* contentOf(entry: Entry): AsyncGenerator<Buffer, number> {
  let [size, sum] = [0, 0];
  for await (const chunk of await entry.open()) {
    size += chunk.length;
    sum = crc32(chunk, sum);
    yield chunk;
  }
  if (size !== entry.size) throw new Error(`${entry.name} has ${size} bytes and not ${entry.size}`);
  if (entry.crc32 !== undefined && sum !== entry.crc32) throw new Error(`${entry.name} has another CRC-32`);
  return sum;
}

async function* archive(entries: readonly Entry[]): AsyncGenerator<Buffer> {
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const header = localHeader(entry);
    yield header;
    const sum = yield* contentOf(entry);
    const deferred = isDeferred(entry);
    const written: WrittenEntry = { ...entry, crc32: sum, offset, isDeferred: deferred };
    directory.push(directoryRecord(written));
    const behind = deferred ? descriptor(written) : Buffer.alloc(0);
    if (deferred) yield behind;
    offset += header.length + entry.size + behind.length;
  }
  const records = Buffer.concat(directory);
  yield records;
  yield endOfDirectory({ entries: entries.length, offset, size: records.length });
}

/**
 * The archive as a stream of ZIP bytes: nothing is compressed (images and videos are already),
 * media are read one after the other as the stream is consumed, and memory does not grow with them.
 * Times, modes and order are fixed, so the same layout gives the same bytes. Size and CRC-32 are in
 * the header before the content wherever they are known.
 */
export const zipOf = (layout: ArchiveLayout, openMedium: OpenMedium): Readable =>
  Readable.from(archive(entriesOf(layout, openMedium)), { objectMode: false });

const unread: OpenMedium = () => Promise.reject(new Error('a size needs no content'));

/** The number of bytes that `zipOf` gives, without reading any. */
export const sizeOf = (layout: ArchiveLayout): number => {
  let [offset, directory] = [0, 0];
  const entries = entriesOf(layout, unread);
  for (const entry of entries) {
    const deferred = isDeferred(entry);
    const written = { ...entry, crc32: entry.crc32 ?? 0, offset, isDeferred: deferred };
    directory += directoryRecord(written).length;
    offset += localHeader(entry).length + entry.size + (deferred ? descriptor(written).length : 0);
  }
  return offset + directory + endOfDirectory({ entries: entries.length, offset, size: directory }).length;
};
