import { type Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import mongoose, { type Connection } from 'mongoose';
import pMap, { pMapIterable } from 'p-map';
import { clockOf } from './database-clock.ts';
import { wantIndex } from './indexes.ts';

/** Bytes of any length in a database. An object store behind the same three calls does as well. */
export interface Blobs {
  /**
   * Writes a blob; resolves once it is stored durably. If the source fails, all writes have ended
   * before the rejection, so that `remove` leaves nothing behind.
   */
  write(id: string, bytes: AsyncIterable<Buffer>): Promise<void>;
  /** Reads a blob. The stream fails if there is no such blob, or a part of it is missing. */
  read(id: string): Readable;
  /** Removes blobs, also incomplete ones. */
  remove(ids: readonly string[]): Promise<void>;
}

/**
 * Writes a blob of bytes that pass through a stream. It too rejects only once all writes have
 * ended: a pipeline that fails does not wait for its last function.
 */
export const writeThrough = async (
  blobs: Pick<Blobs, 'write'>,
  id: string,
  bytes: AsyncIterable<Buffer>,
  stream: Duplex,
): Promise<void> => {
  let written: Promise<void> | undefined;
  await pipeline(bytes, stream, (passed: AsyncIterable<Buffer>) => {
    written = blobs.write(id, passed);
    return written;
  }).finally(() => Promise.allSettled([written]));
};

interface BlobFile {
  _id: string;
  length: number;
  chunkSize: number;
  uploadDate: Date;
  filename: string;
}

interface BlobChunk {
  files_id: string;
  n: number;
  data: Buffer;
}

const CHUNK_BYTES = 2 * 1024 * 1024;
/** Chunks sent at the same time. A blob of any length uses the memory of this many chunks. */
const AT_ONCE = 3;

/** Splits the bytes into numbered chunks of one size, the last one shorter. */
async function* chunksOf(
  bytes: AsyncIterable<Buffer>,
  chunkBytes: number,
): AsyncGenerator<Omit<BlobChunk, 'files_id'>> {
  let waiting: Buffer[] = [];
  let length = 0;
  let n = 0;
  for await (const piece of bytes) {
    waiting.push(piece);
    length += piece.length;
    if (length < chunkBytes) continue;
    const all = Buffer.concat(waiting);
    let at = 0;
    for (; all.length - at >= chunkBytes; at += chunkBytes) yield { n: n++, data: all.subarray(at, at + chunkBytes) };
    waiting = [all.subarray(at)];
    length = all.length - at;
  }
  if (length > 0) yield { n: n++, data: Buffer.concat(waiting) };
}

/** Of a blob there is one chunk of each number, found without reading the others. */
const CHUNK_INDEX = { key: { files_id: 1, n: 1 }, options: { unique: true } } as const;

const blobMissing = (message: string): Error => Object.assign(new Error(message), { name: 'BlobMissing' });

/**
 * True for the error of a read that found no blob or an incomplete one; false if the database could
 * not be read.
 */
export const isBlobMissing = (error: unknown): boolean => error instanceof Error && error.name === 'BlobMissing';

interface Collections {
  files: mongoose.mongo.Collection<BlobFile>;
  chunks: mongoose.mongo.Collection<BlobChunk>;
}

async function* partsOf({ files, chunks }: Collections, id: string): AsyncGenerator<Buffer> {
  const chunk = (n: number) =>
    chunks.findOne({ files_id: id, n }, { projection: { _id: 0, data: 1 }, promoteBuffers: true });
  // Most blobs are one chunk, and it need not wait for the length.
  const [file, first] = await Promise.all([files.findOne({ _id: id }), chunk(0)]);
  if (!file) throw blobMissing(`no blob ${id}`);
  const numbers = Array.from({ length: Math.ceil(file.length / file.chunkSize) }, (_, n) => n);
  const fetched = pMapIterable(numbers, (n) => (n === 0 ? first : chunk(n)), { concurrency: AT_ONCE });
  for await (const part of fetched) {
    if (!part) throw blobMissing(`a part of blob ${id} is missing`);
    yield part.data;
  }
}

/**
 * Blobs in the layout of GridFS, in `<bucket>.files` and `<bucket>.chunks`, so that its tools can
 * read them. The driver's own streams wait for each chunk before they send or ask for the next;
 * here some are always on their way.
 */
export const createBlobs = (
  connection: Connection,
  bucket: string,
  { chunkBytes = CHUNK_BYTES }: { chunkBytes?: number } = {},
): Blobs => {
  const { db } = connection;
  if (!db) throw new Error('not connected');
  const files = db.collection<BlobFile>(`${bucket}.files`);
  const chunks = db.collection<BlobChunk>(`${bucket}.chunks`);
  wantIndex(connection, { collection: chunks.collectionName, ...CHUNK_INDEX });
  let indexed: Promise<unknown> | undefined;
  const ensureIndex = (): Promise<unknown> => {
    indexed ??= chunks.createIndex(CHUNK_INDEX.key, CHUNK_INDEX.options).catch((error: unknown) => {
      indexed = undefined;
      throw error;
    });
    return indexed;
  };

  return {
    write: async (id, bytes) => {
      await ensureIndex();
      const onTheirWay = new Set<Promise<unknown>>();
      const sent = async (inserted: Promise<unknown>): Promise<void> => {
        onTheirWay.add(inserted);
        await inserted.finally(() => onTheirWay.delete(inserted));
      };
      // Its length is known before its last chunks are stored, so the document with the length does
      // not wait for them.
      async function* documents() {
        let length = 0;
        for await (const { n, data } of chunksOf(bytes, chunkBytes)) {
          length += data.length;
          yield () => chunks.insertOne({ _id: new mongoose.mongo.ObjectId(), files_id: id, n, data });
        }
        yield () =>
          files.insertOne({ _id: id, length, chunkSize: chunkBytes, uploadDate: clockOf(connection)(), filename: id });
      }
      await pMap(documents(), (insert) => sent(insert()), { concurrency: AT_ONCE }).finally(() =>
        Promise.allSettled(onTheirWay),
      );
    },
    read: (id) => Readable.from(partsOf({ files, chunks }, id), { objectMode: false }),
    remove: async (ids) => {
      if (ids.length === 0) return;
      await files.deleteMany({ _id: { $in: [...ids] } });
      await chunks.deleteMany({ files_id: { $in: [...ids] } });
    },
  };
};
