import { newId } from '@assay/runtime';
import { testStack } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { findStrayObjects } from './stray-objects.ts';

const { mongoUrl, database } = testStack();
const NOW = new Date('2026-11-23T10:00:00Z');
const HOUR_MS = 3_600_000;
const [OLD, YOUNG] = [25, 23].map((hours) => new Date(NOW.getTime() - hours * HOUR_MS)) as [Date, Date];

let client: mongoose.mongo.MongoClient;
beforeAll(async () => {
  client = await mongoose.mongo.MongoClient.connect(mongoUrl);
});
afterAll(() => client.close());

const newPlace = () => ({ url: mongoUrl, prefix: `${database('objects')}_` });
const mediaOf = ({ prefix }: { prefix: string }) => client.db(`${prefix}evidence_intake`).collection('media');

/** A bucket with objects of these ids and times, two to a page. */
const bucketOf = (stored: ReadonlyMap<string, Date>) => {
  const left = new Map(stored);
  return {
    left: () => [...left.keys()],
    list: async function* () {
      const all = [...left].map(([key, at]) => ({ key, at }));
      for (let at = 0; at < all.length; at += 2) yield all.slice(at, at + 2);
    },
    remove: async ({ key }: { key: string }) => {
      left.delete(key);
    },
  };
};

test('objects that no record names are counted, and removed on request; all others stay', async () => {
  const place = newPlace();
  const [named, stray, another, young] = [newId(), newId(), newId(), newId()];
  await mediaOf(place).insertMany([{ blobId: named }, { content: Buffer.of(1) }]);
  const bucket = bucketOf(
    new Map([
      [named, OLD],
      [stray, OLD],
      ['of somebody else/picture.jpg', OLD],
      [young, YOUNG],
      [another, OLD],
    ]),
  );
  expect(await findStrayObjects(place, bucket, NOW)).toBe(2);
  expect(bucket.left()).toHaveLength(5);
  expect(await findStrayObjects(place, bucket, NOW, true)).toBe(2);
  expect(bucket.left()).toEqual([named, 'of somebody else/picture.jpg', young]);
  expect(await findStrayObjects(place, bucket, NOW, true)).toBe(0);
  expect((await mediaOf(place).indexes()).map(({ name }) => name)).toEqual(['_id_']);
});

test('nothing of a bucket that no record names is removed: it may be that of another suite', async () => {
  const place = newPlace();
  await mediaOf(place).insertOne({ blobId: newId() });
  const bucket = bucketOf(new Map([[newId(), OLD]]));
  expect(await findStrayObjects(place, bucket, NOW)).toBe(1);
  await expect(findStrayObjects(place, bucket, NOW, true)).rejects.toThrow('is MEDIA_BUCKET the bucket of this suite');
  expect(bucket.left()).toHaveLength(1);
});
