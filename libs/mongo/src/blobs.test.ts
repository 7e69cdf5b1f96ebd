import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { quietLog, testStack } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Blobs, connectMongo, createBlobs, type Database, writeThrough } from './index.ts';

const CHUNK = 2 * 1024 * 1024;
const { mongoUrl, database: nameOf } = testStack();
let database: Database;
let blobs: Blobs;
beforeAll(async () => {
  database = await connectMongo(mongoUrl, nameOf('blobs'), quietLog);
  blobs = createBlobs(database.connection, 'things');
});
afterAll(() => database.close());

const pieces = (bytes: Buffer, size: number): Readable =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size)),
    { objectMode: false },
  );
const storedAs = async (id: string) => ({
  files: await database.connection.collection('things.files').countDocuments({ _id: id as never }),
  chunks: await database.connection.collection('things.chunks').countDocuments({ files_id: id }),
});

describe('a blob', () => {
  test.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 5 * CHUNK + 17])(
    'of %i bytes is read as it was written',
    async (size) => {
      const bytes = randomBytes(size);
      await blobs.write(`size-${size}`, pieces(bytes, 300_000));
      expect((await buffer(blobs.read(`size-${size}`))).equals(bytes)).toBe(true);
      expect(await storedAs(`size-${size}`)).toEqual({ files: 1, chunks: Math.ceil(size / CHUNK) });
    },
  );

  test('can be read by the tools of GridFS', async () => {
    const bytes = randomBytes(2 * CHUNK + 5);
    await blobs.write('gridfs', pieces(bytes, CHUNK * 3));
    const { mongo } = database.connection.base;
    const bucket = new mongo.GridFSBucket(database.connection.db!, { bucketName: 'things' });
    expect((await buffer(bucket.openDownloadStreamByName('gridfs'))).equals(bytes)).toBe(true);
  });

  test('whose source breaks off is removed with all that was written of it', async () => {
    const broken = async function* (): AsyncGenerator<Buffer> {
      for (let n = 0; n < 4; n += 1) yield randomBytes(CHUNK);
      throw new Error('the client went away');
    };
    await expect(blobs.write('broken', broken())).rejects.toThrow('went away');
    await blobs.remove(['broken']);
    expect(await storedAs('broken')).toEqual({ files: 0, chunks: 0 });
    await expect(buffer(blobs.read('broken'))).rejects.toThrow('no blob');
  });

  test('that passes through a stream is written no more once its source has broken off', async () => {
    async function* breaking() {
      yield randomBytes(CHUNK + 1);
      yield randomBytes(CHUNK);
      throw new Error('broken off');
    }
    let ended = false;
    const watched: Pick<Blobs, 'write'> = {
      write: (id, bytes) =>
        blobs.write(id, bytes).finally(() => {
          ended = true;
        }),
    };
    await expect(writeThrough(watched, 'passing', breaking(), new PassThrough())).rejects.toThrow('broken off');
    expect(ended).toBe(true);
    await blobs.remove(['passing']);
    expect(await storedAs('passing')).toEqual({ files: 0, chunks: 0 });
    await writeThrough(blobs, 'passed', pieces(randomBytes(CHUNK + 1), CHUNK), new PassThrough());
    expect(await storedAs('passed')).toEqual({ files: 1, chunks: 2 });
  });

  test('written twice under one id is refused and leaves the first as it was', async () => {
    const bytes = randomBytes(10);
    await blobs.write('twice', pieces(bytes, 10));
    await expect(blobs.write('twice', pieces(randomBytes(10), 10))).rejects.toThrow('duplicate key');
    expect((await buffer(blobs.read('twice'))).equals(bytes)).toBe(true);
  });

  test('that lacks a part does not read to its end', async () => {
    await blobs.write('torn', pieces(randomBytes(3 * CHUNK), CHUNK));
    await database.connection.collection('things.chunks').deleteOne({ files_id: 'torn', n: 1 });
    await expect(buffer(blobs.read('torn'))).rejects.toThrow('missing');
  });

  test('may be abandoned while it is read', async () => {
    await blobs.write('left', pieces(randomBytes(6 * CHUNK), CHUNK));
    const stream = blobs.read('left');
    await once(stream, 'readable');
    stream.destroy();
    await once(stream, 'close');
    await blobs.remove(['left']);
    expect(await storedAs('left')).toEqual({ files: 0, chunks: 0 });
  });
});
