import { metricsText } from '@assay/runtime';
import { quietLog, testStack, waitFor } from '@assay/testing';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Schema } from 'mongoose';
import { examineDatabase } from './findings.ts';
import { connectMongo, createBlobs, createTombstones, type Database, keepIndexes } from './index.ts';
import { missingIndexes } from './indexes.ts';

const { mongoUrl, database: nameOf } = testStack();
let database: Database;

beforeEach(async () => {
  database = await connectMongo(mongoUrl, nameOf('indexes'), quietLog);
  createTombstones(database.connection);
  const line = new Schema({ chain: String, seq: Number });
  line.index({ chain: 1, seq: 1 }, { unique: true });
  database.connection.model('lines', line, 'lines');
  await database.ensureIndexes();
});
afterEach(async () => {
  await database.connection.dropDatabase();
  await database.close();
});

const lines = () => database.connection.collection('lines');
const dropAll = () =>
  Promise.all(['lines', 'tombstones'].map((name) => database.connection.collection(name).dropIndexes()));
const gauge = async () =>
  Number(
    new RegExp(`^assay_database_indexes_missing\\{database="${database.connection.name}"\\} (.*)$`, 'm').exec(
      await metricsText(),
    )?.[1],
  );
const finding = async () =>
  (await examineDatabase(database.connection, mongoUrl, 'any')).find(({ check }) => check === 'database-indexes');

test('indexes that were dropped are named, and made again with all they mean', async () => {
  expect(await finding()).toMatchObject({ status: 'OK' });
  const before = [await lines().indexes(), await database.connection.collection('tombstones').indexes()];
  await dropAll();
  expect(await finding()).toMatchObject({
    status: 'PROBLEM',
    message: expect.stringMatching(/tombstones \(forgetAt\).*lines \(chain, seq\)/),
  });
  const keeper = keepIndexes(database.connection, quietLog, 20);
  await waitFor('all indexes', async () => (await missingIndexes(database.connection)).length === 0);
  await keeper.close();
  expect([await lines().indexes(), await database.connection.collection('tombstones').indexes()]).toEqual(before);
  expect(await gauge()).toBe(0);
});

test('an index that the documents contradict is told until they no longer do; the others are made', async () => {
  await dropAll();
  const twice = { chain: 'suite', seq: 1 };
  await lines().insertMany([{ ...twice }, { ...twice }]);
  const keeper = keepIndexes(database.connection, quietLog, 20);
  await waitFor('one index', async () => (await missingIndexes(database.connection)).length === 1);
  await waitFor('the gauge', async () => (await gauge()) === 1);
  // While an attempt to make it lasts, the database lists the index.
  const named = await waitFor('the finding', async () => {
    const found = await finding();
    return found?.status === 'PROBLEM' ? found : undefined;
  });
  expect(named.message).toContain('lines (chain, seq)');
  await lines().deleteOne(twice);
  await waitFor('the other index', async () => (await gauge()) === 0);
  await keeper.close();
  expect(await missingIndexes(database.connection)).toEqual([]);
});

test('the index of blobs is missed once there are blobs', async () => {
  const blobs = createBlobs(database.connection, 'media');
  expect(await missingIndexes(database.connection)).toEqual([]);
  async function* bytes() {
    yield Buffer.from('any');
  }
  await blobs.write('any', bytes());
  expect(await missingIndexes(database.connection)).toEqual([]);
  await database.connection.collection('media.chunks').dropIndexes();
  expect(await missingIndexes(database.connection)).toEqual(['media.chunks (files_id, n)']);
});

test('all indexes of a collection are created by one command', async () => {
  process.env.MONGO_COUNT = '1';
  const counted = await connectMongo(mongoUrl, nameOf('counted'), quietLog);
  const line = new Schema({ chain: String, seq: Number, at: Date });
  line.index({ chain: 1, seq: 1 }, { unique: true });
  line.index({ at: 1 }, { expireAfterSeconds: 60 });
  counted.connection.model('counted', line, 'counted');
  await counted.ensureIndexes();
  expect(await missingIndexes(counted.connection)).toEqual([]);
  await counted.connection.dropDatabase();
  await counted.close();
  const commands = (await metricsText()).match(
    /^assay_mongo_commands_total\{command="createIndexes",collection="counted".*$/gm,
  );
  expect(commands).toEqual([expect.stringMatching(/ 1$/)]);
});
