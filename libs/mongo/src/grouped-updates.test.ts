import { quietLog, testStack } from '@assay/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import mongoose, { type Model, Schema } from 'mongoose';
import { connectMongo, createGroupedUpdates, type Database, isDuplicateKey } from './index.ts';

interface Thing {
  _id: string;
  revision: number;
  badge?: string;
}

const { mongoUrl, database } = testStack();
let mongodb: Database;
let model: Model<Thing>;
beforeAll(async () => {
  mongodb = await connectMongo(mongoUrl, database('grouped'), quietLog);
  const schema = new Schema<Thing>({ _id: String, revision: Number, badge: String });
  schema.index({ badge: 1 }, { unique: true, sparse: true });
  model = mongodb.connection.model<Thing>('things', schema);
  await mongodb.ensureIndexes();
});
afterAll(async () => {
  await mongodb.connection.dropDatabase();
  await mongodb.close();
});

const IDS = ['a', 'b', 'c', 'd'];
beforeEach(async () => {
  await model.deleteMany({});
  await model.insertMany(IDS.map((_id) => ({ _id, revision: 3 })));
});

const next = (_id: string, revision = 3, badge?: string) => ({
  filter: { _id, revision },
  change: { $set: { badge }, $unset: {}, $inc: { revision: 1 } },
});
const stored = async () => (await model.find().sort({ _id: 1 }).lean<Thing[]>()).map(({ revision }) => revision);

/** The same collection through a client that counts its bulks, and answers them as told. */
const throughClient = (answer?: () => Promise<never>) => {
  const { collection } = model;
  let bulks = 0;
  const client = collection.conn.getClient();
  const counting = {
    bulkWrite: (...args: Parameters<typeof client.bulkWrite>) => {
      bulks += 1;
      return answer ? answer() : client.bulkWrite(...args);
    },
  };
  const conn = Object.create(collection.conn, { getClient: { value: () => counting } });
  const seen = Object.create(collection, { conn: { value: conn } }) as typeof collection;
  return { stored: { collection: seen }, bulks: () => bulks };
};

/** As the driver says that a server gave this error to the whole command. */
const refusedWhole = (code: number, message: string): Error => {
  const error = new mongoose.mongo.MongoClientBulkWriteError({ message: 'encountered an error during execution' });
  error.cause = new mongoose.mongo.MongoServerError({ message, code });
  return error;
};

test('updates of one turn go out together, and each hears whether its filter matched', async () => {
  const { stored: things, bulks } = throughClient();
  const update = createGroupedUpdates(things);
  const outcomes = await Promise.all([
    update(next('a')),
    update(next('b', 2)),
    update(next('nobody')),
    update(next('c')),
  ]);
  expect(outcomes).toEqual([true, false, false, true]);
  expect(await stored()).toEqual([4, 3, 4, 3]);
  expect(bulks()).toBe(1);
});

test('one update by itself is no bulk', async () => {
  const { stored: things, bulks } = throughClient();
  const update = createGroupedUpdates(things);
  expect([await update(next('a')), await update(next('a'))]).toEqual([true, false]);
  expect(bulks()).toBe(0);
});

test('of two that decided on the same revision, one matches', async () => {
  const update = createGroupedUpdates(model);
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => update(next('a'))));
  expect(outcomes.filter(Boolean)).toHaveLength(1);
  expect(await stored()).toEqual([4, 3, 3, 3]);
});

test('a refused update does not stop the others, and only its caller gets the error', async () => {
  await model.updateOne({ _id: 'd' }, { badge: 'taken' });
  const update = createGroupedUpdates(model);
  const [first, second, third] = await Promise.allSettled([
    update(next('a')),
    update(next('b', 3, 'taken')),
    update(next('c', 3, 'free')),
  ]);
  expect([first, third]).toEqual([
    { status: 'fulfilled', value: true },
    { status: 'fulfilled', value: true },
  ]);
  expect(second?.status === 'rejected' && isDuplicateKey(second.reason)).toBe(true);
  expect(await stored()).toEqual([4, 3, 4, 3]);
});

test('a server that does not know the command gets each update by itself, and is not asked again', async () => {
  const { stored: things, bulks } = throughClient(async () => {
    throw refusedWhole(59, "no such command: 'bulkWrite'");
  });
  const update = createGroupedUpdates(things);
  expect(await Promise.all([update(next('a')), update(next('b', 2))])).toEqual([true, false]);
  expect(await Promise.all([update(next('c')), update(next('d'))])).toEqual([true, true]);
  expect(await stored()).toEqual([4, 3, 4, 4]);
  expect(bulks()).toBe(1);
});

test('every caller gets the cause where the whole command failed', async () => {
  const { stored: things } = throughClient(async () => {
    throw refusedWhole(10107, 'not primary');
  });
  const update = createGroupedUpdates(things);
  const outcomes = await Promise.allSettled([update(next('a')), update(next('b'))]);
  expect(outcomes.map((one) => one.status === 'rejected' && one.reason.code)).toEqual([10107, 10107]);
});
