import { quietLog, testStack } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Model, Schema } from 'mongoose';
import { connectMongo, type Database, directlyEach } from './index.ts';

interface Thing {
  _id: string;
  marks: string[];
  content?: string;
}

const { mongoUrl, database } = testStack();
let mongodb: Database;
let model: Model<Thing>;
beforeAll(async () => {
  mongodb = await connectMongo(mongoUrl, database('groups'), quietLog);
  model = mongodb.connection.model<Thing>(
    'things',
    new Schema<Thing>({ _id: String, marks: [String], content: String }),
  );
  await mongodb.ensureIndexes();
});
afterAll(async () => {
  await mongodb.connection.dropDatabase();
  await mongodb.close();
});

const stored = async (id: string) => model.collection.findOne<Thing>({ _id: id as never });

/** Adds its own mark to each document. */
const marking = (marks: readonly (readonly [id: string, mark: string])[]) => {
  const ids = marks.map(([id]) => id);
  const mark = {
    $arrayElemAt: [{ $literal: marks.map(([, mark]) => mark) }, { $indexOfArray: [{ $literal: ids }, '$_id'] }],
  };
  return { filter: { _id: { $in: ids } }, change: [{ $set: { marks: { $concatArrays: ['$marks', [mark]] } } }] };
};

test('documents that exceed the size of a command are all stored, and an existing one is reported separately', async () => {
  const { insertEach } = directlyEach(model);
  const content = 'x'.repeat(6_000_000);
  await insertEach([{ _id: 'large-2', marks: [], content: 'former' }]);
  const documents = [1, 2, 3, 4].map((n) => ({ _id: `large-${n}`, marks: [], content }));
  expect(await insertEach(documents)).toEqual([true, false, true, true].map((value) => ({ value })));
  expect((await stored('large-2'))?.content).toBe('former');
  expect((await stored('large-4'))?.content).toHaveLength(content.length);
});

test('new documents have their version, and a refused one does not stop others', async () => {
  const { insertEach } = directlyEach(model);
  await insertEach([{ _id: 'small-1', marks: [] }]);
  const outcomes = await insertEach(['small-0', 'small-1', 'small-2'].map((_id) => ({ _id, marks: [] })));
  expect(outcomes).toEqual([true, false, true].map((value) => ({ value })));
  expect(await stored('small-2')).toEqual({ _id: 'small-2', schemaVersion: 1, marks: [] });
});

test('one statement changes each document in its own way', async () => {
  const { insertEach, updateTogether } = directlyEach(model);
  await insertEach(['a', 'b'].map((_id) => ({ _id, marks: ['first'] })));
  const marks = [
    ['a', '$marks'],
    ['b', 'of b'],
    ['missing', 'none'],
  ] as const;
  expect(await updateTogether(marks, marking)).toEqual(marks.map(() => ({ value: undefined })));
  expect([(await stored('a'))?.marks, (await stored('b'))?.marks]).toEqual([
    ['first', '$marks'],
    ['first', 'of b'],
  ]);
});

test('if a statement fails for one document, the others are changed, and only its caller gets the error', async () => {
  const { insertEach, updateTogether } = directlyEach(model);
  await insertEach([
    { _id: 'good-1', marks: [] },
    { _id: 'bad', marks: 'none' },
    { _id: 'good-2', marks: [] },
  ] as never);
  const marks = ['good-1', 'bad', 'good-2'].map((id) => [id, id] as const);
  const once = (some: readonly (readonly [string, string])[]) => {
    const { filter, change } = marking(some);
    return { filter: { ...filter, marks: { $nin: some.map(([, mark]) => mark) } }, change };
  };
  const [first, second, third] = await updateTogether(marks, once);
  expect([first, third]).toEqual([{ value: undefined }, { value: undefined }]);
  expect(second).toMatchObject({ error: { name: 'MongoServerError' } });
  expect([(await stored('good-1'))?.marks, (await stored('good-2'))?.marks]).toEqual([['good-1'], ['good-2']]);
});
