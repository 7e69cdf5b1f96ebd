import { quietLog, testStack } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Model, Schema } from 'mongoose';
import { connectMongo, createRecentDocuments, type Database, type Revised, updateWithRevision } from './index.ts';

type Thing = Revised & { colour: string; at?: Date | undefined };

const { mongoUrl, database } = testStack();
let mongodb: Database;
let model: Model<Thing>;
beforeAll(async () => {
  mongodb = await connectMongo(mongoUrl, database('revision'), quietLog);
  model = mongodb.connection.model<Thing>(
    'things',
    new Schema<Thing>({ _id: String, revision: Number, colour: String }),
  );
});
afterAll(async () => {
  await mongodb.connection.dropDatabase();
  await mongodb.close();
});

const paint = (from: string, to: string) => (thing: Thing) =>
  thing.colour === from ? { $set: { colour: to } } : undefined;

test('a decision on a cached document is written only if the document has not changed', async () => {
  const recent = createRecentDocuments<Thing>();
  await model.create({ _id: 'a', revision: 3, colour: 'green' });
  recent.set({ _id: 'a', revision: 2, colour: 'red' });
  expect(await updateWithRevision<Thing>(model, 'a', paint('red', 'blue'), { recent })).toMatchObject({
    written: false,
  });
  expect(await model.findById('a').lean()).toMatchObject({ revision: 3, colour: 'green' });
  recent.set({ _id: 'a', revision: 3, colour: 'green' });
  expect(await updateWithRevision<Thing>(model, 'a', paint('green', 'blue'), { recent })).toMatchObject({
    written: true,
  });
  expect(await model.findById('a').lean()).toMatchObject({ revision: 4, colour: 'blue' });
});

test('a decision to do nothing on a cached document is made again on the stored one, unless the caller accepts the cached one', async () => {
  const recent = createRecentDocuments<Thing>();
  await model.create({ _id: 'b', revision: 1, colour: 'red' });
  recent.set({ _id: 'b', revision: 0, colour: 'green' });
  const decide = paint('red', 'blue');
  expect(await updateWithRevision<Thing>(model, 'b', decide, { recent, acceptsRecent: true })).toMatchObject({
    written: false,
  });
  expect(await updateWithRevision<Thing>(model, 'b', decide, { recent })).toMatchObject({ written: true });
  expect(await model.findById('b').lean()).toMatchObject({ revision: 2, colour: 'blue' });
});

test('a cached document equals the stored one, and each reader gets its own copy', () => {
  const recent = createRecentDocuments<Thing>();
  const at = new Date();
  recent.set({ _id: 'c', revision: 0, colour: 'red', at });
  const first = recent.get('c')!;
  first.colour = 'blue';
  expect(recent.get('c')).toEqual({ _id: 'c', revision: 0, colour: 'red', at });
  recent.set({ _id: 'c', revision: 1, colour: 'red', at: undefined });
  expect(recent.get('c')).not.toHaveProperty('at');
  recent.set({ _id: 'c', revision: 2, colour: 'x'.repeat(200 * 1024) });
  expect(recent.get('c')).toBeUndefined();
});
