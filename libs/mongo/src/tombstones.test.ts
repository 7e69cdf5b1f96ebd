import { quietLog, testStack } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectMongo, createTombstones, type Database, type Tombstones } from './index.ts';

const { mongoUrl, database: nameOf } = testStack();
let database: Database;
let tombstones: Tombstones;
beforeAll(async () => {
  database = await connectMongo(mongoUrl, nameOf('tombstones'), quietLog);
  tombstones = createTombstones(database.connection);
  await database.ensureIndexes();
});
afterAll(async () => {
  await database.connection.dropDatabase();
  await database.close();
});

const storedEnd = async (identityId: string) =>
  (await database.connection.collection('tombstones').findOne({ _id: identityId as never }))?.forgetAt;

test('a closed identity is known as closed, another is not', async () => {
  await tombstones.put('closed', new Date('2999-01-01T00:00:00Z'));
  expect(await tombstones.has('closed')).toBe(true);
  expect(await tombstones.has('open')).toBe(false);
  expect(await tombstones.among(['open', 'closed'])).toEqual(new Set(['closed']));
});

test('a second mark does not shorten the first', async () => {
  await tombstones.put('twice', new Date('2999-01-01T00:00:00Z'));
  await tombstones.put('twice', new Date('2998-01-01T00:00:00Z'));
  expect(await storedEnd('twice')).toEqual(new Date('2999-01-01T00:00:00Z'));
});

test('a second mark moves the end where its own is later', async () => {
  await tombstones.put('later', new Date('2998-01-01T00:00:00Z'));
  await tombstones.put('later', new Date('2999-01-01T00:00:00Z'));
  expect(await storedEnd('later')).toEqual(new Date('2999-01-01T00:00:00Z'));
});

test('marks of one identity at the same time make one tombstone', async () => {
  const ends = Array.from({ length: 8 }, (_, n) => new Date(Date.UTC(2999, 0, 1 + n)));
  await Promise.all(ends.map((end) => tombstones.put('at-once', end)));
  expect(await tombstones.has('at-once')).toBe(true);
});

test('the database deletes a tombstone whose time is over', async () => {
  const indexes = await database.connection.collection('tombstones').indexes();
  expect(indexes).toContainEqual(expect.objectContaining({ key: { forgetAt: 1 }, expireAfterSeconds: 0 }));
});
