import { testStack } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { findStrays } from './strays.ts';

const { mongoUrl, database } = testStack();
const NOW = new Date('2026-11-23T10:00:00Z');
const HOUR_MS = 3_600_000;
const OLD = new Date(NOW.getTime() - 25 * HOUR_MS);
const YOUNG = new Date(NOW.getTime() - 23 * HOUR_MS);

let client: mongoose.mongo.MongoClient;
beforeAll(async () => {
  client = await mongoose.mongo.MongoClient.connect(mongoUrl);
});
afterAll(() => client.close());

let made = 0;
const idAt = (at: Date): mongoose.mongo.ObjectId => {
  made += 1;
  const seconds = Math.floor(at.getTime() / 1000).toString(16);
  return new mongoose.mongo.ObjectId(`${seconds}${made.toString(16).padStart(16, '0')}`);
};

/** A bucket of a suite: blobs, and the records that name them. */
const bucketOf = (place: { prefix: string }, service: string, bucket: string, records: string) => {
  const db = client.db(`${place.prefix}${service}`);
  const [files, chunks] = [db.collection<{ _id: string }>(`${bucket}.files`), db.collection(`${bucket}.chunks`)];
  return {
    store: async (id: string, at: Date, count: number, hasFile = true) => {
      await chunks.createIndex({ files_id: 1, n: 1 }, { unique: true });
      for (let n = 0; n < count; n += 1) await chunks.insertOne({ _id: idAt(at), files_id: id, n, data: Buffer.of(n) });
      if (hasFile) await files.insertOne({ _id: id, uploadDate: at } as { _id: string });
    },
    name: async (record: object) => {
      await db.collection(records).insertOne(record);
    },
    indexes: async () => (await db.collection(records).indexes()).map(({ name }) => name),
    left: async () => {
      const ofChunks = await chunks.distinct('files_id');
      return [...new Set([...ofChunks.map(String), ...(await files.distinct('_id'))])].toSorted();
    },
  };
};

const newPlace = () => ({ url: mongoUrl, prefix: `${database('strays')}_` });

test('bytes that no record names are counted, and removed on request; all others stay', async () => {
  const place = newPlace();
  const media = bucketOf(place, 'evidence_intake', 'blobs', 'media');
  await media.name({ blobId: 'named' });
  await media.name({ content: Buffer.of(1) });
  await media.store('named', OLD, 2);
  await media.store('stray', OLD, 3);
  await media.store('broken off', OLD, 2, false);
  await media.store('file alone', OLD, 0);
  await media.store('arriving', YOUNG, 1, false);
  const archives = bucketOf(place, 'proof_builder', 'archives', 'proofs');
  await archives.name({ archiveIds: ['first', 'second'] });
  await archives.name({ archiveIds: [] });
  for (const id of ['first', 'second', 'stray']) await archives.store(id, OLD, 1);

  const strays = [
    { where: 'evidence_intake.blobs', blobs: 3, chunks: 5 },
    { where: 'proof_builder.archives', blobs: 1, chunks: 1 },
  ];
  expect(await findStrays(place, NOW)).toEqual(strays);
  expect(await media.left()).toHaveLength(5);
  expect(await findStrays(place, NOW, true)).toEqual(strays);
  expect(await media.left()).toEqual(['arriving', 'named']);
  expect(await archives.left()).toEqual(['first', 'second']);
  expect((await findStrays(place, NOW)).map(({ blobs }) => blobs)).toEqual([0, 0]);
  expect([...(await media.indexes()), ...(await archives.indexes())]).toEqual(['_id_', '_id_']);
});

test('more blobs than are looked at at a time are all looked at', async () => {
  const place = newPlace();
  const media = bucketOf(place, 'evidence_intake', 'blobs', 'media');
  await media.store('b', OLD, 1001);
  for (const id of ['a', 'c']) await media.store(id, OLD, 1);
  await media.name({ blobId: 'b' });
  expect((await findStrays(place, NOW, true))[0]).toMatchObject({ blobs: 2, chunks: 2 });
  expect(await media.left()).toEqual(['b']);
});

test('nothing is looked at while a restore has not ended, or where all records are missing', async () => {
  const place = newPlace();
  expect((await findStrays(place, NOW)).map(({ blobs }) => blobs)).toEqual([0, 0]);
  const media = bucketOf(place, 'evidence_intake', 'blobs', 'media');
  await media.store('stray', OLD, 1);
  await expect(findStrays(place, NOW, true)).rejects.toThrow('has no collection media');
  await media.name({ blobId: 'other' });
  await client.db(`${place.prefix}keys`).collection<{ _id: string }>('restoring').insertOne({ _id: 'restore' });
  await expect(findStrays(place, NOW, true)).rejects.toThrow('a restore has not ended');
  expect(await media.left()).toEqual(['stray']);
});
