import { connectMongo, type Database, directlyEach, isDuplicateKey, trusted } from '@assay/mongo';
import { quietLog } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Schema } from 'mongoose';

interface Thing {
  _id: string;
  revision: number;
  outbox?: { id: string; at: string }[];
  names?: string[];
  at?: Date;
  badge?: string;
  inner?: { count?: number };
}

const schema = new Schema<Thing>(
  {
    _id: String,
    revision: Number,
    outbox: { type: [Schema.Types.Mixed], default: undefined },
    names: { type: [String], default: undefined },
    at: Date,
    badge: String,
    inner: { type: Schema.Types.Mixed },
  },
  { versionKey: false },
);
schema.index({ badge: 1 }, { unique: true, sparse: true });

/**
 * What the suite relies on in a store. MongoDB and its replacement in the simulation must both
 * pass.
 */
export const holdsOfAStore = (name: string, server: () => { url: string; database: string }): void => {
  describe(`a store: ${name}`, () => {
    let mongodb: Database;
    const things = () => mongodb.connection.model<Thing>('things', schema, 'things');
    beforeAll(async () => {
      const { url, database } = server();
      mongodb = await connectMongo(url, database, quietLog);
      things();
      await mongodb.ensureIndexes();
    });
    afterAll(() => mongodb?.close());

    test('ids and unique values occur once; any number of documents may lack the value', async () => {
      await things().insertOne({ _id: 'a', revision: 0, badge: 'b' });
      const again = await things()
        .insertOne({ _id: 'a', revision: 0 })
        .catch((error: unknown) => error);
      const same = await things()
        .insertOne({ _id: 'a2', revision: 0, badge: 'b' })
        .catch((error: unknown) => error);
      expect([isDuplicateKey(again), isDuplicateKey(same)]).toEqual([true, true]);
      await things().insertMany([
        { _id: 'a3', revision: 0 },
        { _id: 'a4', revision: 0 },
      ]);
      expect(await things().countDocuments({ _id: trusted({ $in: ['a', 'a2', 'a3', 'a4'] }) })).toBe(3);
    });

    test('a write that names another revision matches nothing', async () => {
      await things().insertOne({ _id: 'r', revision: 3 });
      const late = await things().updateOne({ _id: 'r', revision: 2 }, { $inc: { revision: 1 } });
      const first = await things().updateOne({ _id: 'r', revision: 3 }, { $inc: { revision: 1, 'inner.count': 2 } });
      expect([late.matchedCount, first.matchedCount]).toEqual([0, 1]);
      expect(await things().findById('r').lean()).toEqual({ _id: 'r', revision: 4, inner: { count: 2 } });
    });

    test('arrays support push, slice, add and pull; of two times the earlier one stays', async () => {
      const entry = (id: string) => ({ id, at: `2026-01-0${id}` });
      await things().insertOne({ _id: 'o', revision: 0, outbox: [entry('1'), entry('2')], at: new Date(5000) });
      await things().updateOne(
        { _id: 'o' },
        { $pull: { outbox: { id: { $in: ['1'] } } }, $min: { at: new Date(1000) } },
      );
      await things().updateOne({ _id: 'o' }, { $push: { names: { $each: ['x', 'y', 'z'], $slice: -2 } } });
      await things().updateOne({ _id: 'o' }, { $addToSet: { names: 'z' }, $min: { at: new Date(9000) } });
      expect(await things().findById('o').lean()).toEqual({
        ...{ _id: 'o', revision: 0, outbox: [entry('2')], names: ['y', 'z'], at: new Date(1000) },
      });
      const due = { _id: 'o', 'outbox.0.at': trusted({ $gte: '', $lt: '2026-01-03' }) };
      expect(await things().countDocuments(due)).toBe(1);
      await things().bulkWrite([
        { updateOne: { filter: { _id: 'o' }, update: { $unset: { at: 1 }, $set: { outbox: [] } } } },
      ]);
      expect(await things().countDocuments(due)).toBe(0);
    });

    test('a missing document is inserted if the update asks for that, and only then', async () => {
      await things().updateOne({ _id: 'n' }, { $set: { revision: 1 } });
      expect(await things().exists({ _id: 'n' })).toBeNull();
      const update = { $setOnInsert: { revision: 7 } };
      await things().updateOne({ _id: 'n' }, update, { upsert: true });
      await things().updateOne({ _id: 'n' }, { $setOnInsert: { revision: 8 } }, { upsert: true });
      expect(await things().findById('n').lean()).toEqual({ _id: 'n', revision: 7 });
    });

    test('a refused write in a bulk does not stop the other writes', async () => {
      const { insertEach, updateEach } = directlyEach(things());
      const all = [{ _id: 'g1', badge: 'g' }, { _id: 'g2' }, { _id: 'g1' }, { _id: 'g3', badge: 'g' }, { _id: 'g4' }];
      expect(await insertEach(all.map((one) => ({ ...one, at: undefined, revision: 0 })))).toEqual(
        [true, true, false, false, true].map((value) => ({ value })),
      );
      expect(
        await things()
          .find({ revision: 0, _id: trusted({ $in: ['g1', 'g2', 'g4'] }) })
          .lean(),
      ).toEqual([
        { _id: 'g1', revision: 0, badge: 'g' },
        { _id: 'g2', revision: 0 },
        { _id: 'g4', revision: 0 },
      ]);
      const change = (badge: string) => ({ $set: { badge }, $unset: { at: 1 } });
      const outcomes = await updateEach([
        { filter: { _id: 'g2' }, change: change('h') },
        { filter: { _id: 'g4' }, change: change('g') },
        { filter: { _id: 'nobody' }, change: change('i') },
        { filter: { _id: 'g4', revision: 0 }, change: change('j') },
      ]);
      expect(outcomes.map((outcome) => 'error' in outcome && isDuplicateKey(outcome.error))).toEqual([
        ...[false, true, false, false],
      ]);
      expect(
        await things()
          .find({ badge: trusted({ $in: ['h', 'i', 'j'] }) }, { badge: 1 })
          .sort({ _id: 1 })
          .lean(),
      ).toEqual([
        { _id: 'g2', badge: 'h' },
        { _id: 'g4', badge: 'j' },
      ]);
      expect(await insertEach([{ _id: 'g5' }])).toEqual([{ value: true }]);
      expect(await insertEach([{ _id: 'g5' }])).toEqual([{ value: false }]);
    });

    test('one update with stages changes each document in its own way', async () => {
      const { insertEach, updateTogether } = directlyEach(things());
      await insertEach(['p1', 'p2', 'p3'].map((_id) => ({ _id, revision: 1, names: ['x', 'y'], badge: _id })));
      const ids = ['p1', 'p2'];
      const own = (values: readonly unknown[]) => ({
        $arrayElemAt: [{ $literal: values }, { $indexOfArray: [{ $literal: ids }, '$_id'] }],
      });
      const statement = () => ({
        filter: { _id: { $in: [...ids, 'p0'] }, revision: 1 },
        change: [
          {
            $set: {
              names: { $slice: [{ $concatArrays: ['$names', [own(['$names', 'z'])]] }, -2] },
              revision: { $add: ['$revision', 1] },
            },
          },
          { $unset: ['badge'] },
          { $replaceWith: { $mergeObjects: ['$$ROOT', own([{ at: new Date(1000) }, { badge: 'new' }])] } },
        ],
      });
      expect(await updateTogether(ids, statement)).toEqual([{ value: undefined }, { value: undefined }]);
      expect(
        await things()
          .find({ _id: trusted({ $in: ['p1', 'p2', 'p3'] }) })
          .sort({ _id: 1 })
          .lean(),
      ).toEqual([
        { _id: 'p1', revision: 2, names: ['y', '$names'], at: new Date(1000) },
        { _id: 'p2', revision: 2, names: ['y', 'z'], badge: 'new' },
        { _id: 'p3', revision: 1, names: ['x', 'y'], badge: 'p3' },
      ]);
    });

    test('the first document in an order is changed and returned as it was before or after', async () => {
      await things().insertMany([
        { _id: 's1', revision: 2, names: ['s'] },
        { _id: 's2', revision: 1, names: ['s'] },
      ]);
      const change = { $set: { badge: 'taken' } };
      const options = { sort: { revision: 1 } as const, returnDocument: 'after' as const };
      const after = await things().findOneAndUpdate({ names: 's' }, change, options).lean();
      expect(after).toMatchObject({ _id: 's2', badge: 'taken' });
      const order = await things().find({ names: 's' }, { _id: 1 }).sort({ revision: -1 }).limit(1).lean();
      expect(order).toEqual([{ _id: 's1' }]);
      expect(await things().collection.distinct('badge', { names: 's', badge: { $exists: true } })).toEqual(['taken']);
      expect(await things().collection.distinct('_id', { _id: { $in: ['s2', 's3'] } } as object)).toEqual(['s2']);
      expect((await things().deleteMany({ names: 's' })).deletedCount).toBe(2);
    });
  });
};
