import { quietLog, testStack } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Schema } from 'mongoose';
import { connectMongo, type Database } from './index.ts';

const { mongoUrl, database } = testStack();
let mongodb: Database;
beforeAll(async () => {
  mongodb = await connectMongo(mongoUrl, database('versions'), quietLog);
});
afterAll(async () => {
  await mongodb.connection.dropDatabase();
  await mongodb.close();
});

const part = new Schema({ colour: String }, { _id: false });
const thing = () => new Schema({ _id: String, parts: [part] }, { versionKey: false });

test('a document carries the version of its shape however it is stored, and its readers do not see it', async () => {
  const model = mongodb.connection.model('things', thing(), 'things');
  await model.create({ _id: 'created', parts: [{ colour: 'red' }] });
  await model.insertMany([{ _id: 'inserted' }]);
  await model.updateOne({ _id: 'upserted' }, { $set: { parts: [] } }, { upsert: true });
  await model.findOneAndUpdate({ _id: 'found' }, { $set: { parts: [] } }, { upsert: true });
  const update = { filter: { _id: 'bulk' }, update: { $set: { parts: [] } }, upsert: true };
  await model.bulkWrite([{ updateOne: update }]);

  const stored = await model.collection.find().toArray();
  expect(stored.map(({ _id, schemaVersion }) => [String(_id), schemaVersion]).sort()).toEqual([
    ['bulk', 1],
    ['created', 1],
    ['found', 1],
    ['inserted', 1],
    ['upserted', 1],
  ]);
  expect(stored.find(({ _id }) => String(_id) === 'created')?.parts).toEqual([{ colour: 'red' }]);
  expect(await model.findById('created').lean()).toEqual({ _id: 'created', parts: [{ colour: 'red' }] });
});

test('a changed shape has its own version, which a change of other members does not affect', async () => {
  const changed = thing().add({ schemaVersion: { type: Number, default: 3 } });
  const model = mongodb.connection.model('changed', changed, 'changed');
  await model.create({ _id: 'new' });
  await model.collection.insertOne({ _id: 'former' } as never);
  await model.updateOne({ _id: 'former' }, { $set: { parts: [] } }, { upsert: true });
  expect(await model.findById('new').lean()).toMatchObject({ schemaVersion: 3 });
  expect(await model.findById('former').lean()).not.toHaveProperty('schemaVersion');
});
