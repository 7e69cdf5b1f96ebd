import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Query } from 'mingo';
import { projected } from './simulation/store/projection.ts';
import { inOrder, matcherOf } from './simulation/store/query.ts';

/*
 * The filters, orders and projections of the simulated store give the results of a general library.
 */

const scalar = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.constantFrom('a', 'b', true, false, null),
  fc.integer({ min: 0, max: 2 }).map((ms) => new Date(ms)),
);
const inner = fc.record({ x: scalar, y: scalar }, { requiredKeys: [], noNullPrototype: true });
const value = fc.oneof(scalar, inner, fc.array(scalar, { maxLength: 3 }), fc.array(inner, { maxLength: 3 }));
const document = fc.record(
  { a: value, b: value, c: scalar, d: fc.array(inner, { maxLength: 3 }) },
  { requiredKeys: [], noNullPrototype: true },
);

const path = fc.constantFrom('a', 'b', 'c', 'a.x', 'b.y', 'a.0.x', 'b.1');
const ordered = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.constantFrom('a', 'b'),
  fc.integer({ min: 0, max: 2 }).map((ms) => new Date(ms)),
);
const conditionOn = (asked: fc.Arbitrary<unknown>) =>
  fc.oneof(
    asked,
    fc.record({ $eq: asked }),
    fc.record({ $ne: asked }),
    fc.record({ $in: fc.array(asked, { maxLength: 3 }) }),
    fc.record({ $nin: fc.array(asked, { maxLength: 3 }) }),
    ...(['$gt', '$gte', '$lt', '$lte'] as const).map((name) => ordered.map((limit) => ({ [name]: limit }))),
    fc.record({ $gte: ordered, $lt: ordered }),
    fc.boolean().map(($exists) => ({ $exists })),
  );
// Only for `d`, which is always an array. On a path through an array the library takes the values
// it finds for one array, and finds no missing field in them. The server does neither.
const ofArray = fc.oneof(
  fc.integer({ min: 0, max: 3 }).map(($size) => ({ $size })),
  fc.record({ x: scalar }).map(($elemMatch) => ({ $elemMatch })),
);
const field = fc
  .oneof(
    fc.tuple(path, conditionOn(ordered)),
    fc.tuple(fc.constantFrom('a', 'b', 'c'), conditionOn(scalar)),
    fc.tuple(fc.constant('d'), ofArray),
  )
  .map(([name, asked]): Record<string, unknown> => ({ [name]: asked }));
const filter = fc.oneof(
  field,
  fc.tuple(field, field).map(([one, other]) => ({ ...one, ...other })),
  ...(['$and', '$or', '$nor'] as const).map((name) =>
    fc.array(field, { minLength: 1, maxLength: 3 }).map((parts) => ({ [name]: parts })),
  ),
);
const documents = fc.array(document, { minLength: 1, maxLength: 6 });

test('a filter matches the same documents', () => {
  fc.assert(
    fc.property(documents, filter, (all, asked) => {
      expect(all.filter(matcherOf(asked))).toEqual(new Query(asked).find(all).all());
    }),
    { numRuns: 1000 },
  );
});

test('an order is the same', () => {
  const sorted = fc.array(fc.record({ c: scalar, d: scalar }, { requiredKeys: [], noNullPrototype: true }), {
    maxLength: 6,
  });
  const sort = fc.constantFrom<Record<string, 1 | -1>>({ c: 1 }, { c: -1 }, { c: 1, d: -1 });
  fc.assert(
    fc.property(sorted, sort, (all, keys) => {
      expect(inOrder(all, keys)).toEqual(new Query({}).find(all).sort(keys).all());
    }),
  );
});

test('a projection shows the same fields', () => {
  const projection = fc.constantFrom<Record<string, number>>(
    ...[{ a: 1 }, { a: 0 }, { 'a.x': 1 }, { 'a.x': 0 }, { _id: 0, a: 1 }, { _id: 1 }, { 'a.x': 1, c: 1 }, { _id: 0 }],
  );
  fc.assert(
    fc.property(documents, projection, (all, asked) => {
      const stored = all.map((one, at) => ({ _id: at, ...one }));
      expect(stored.map((one) => projected(one, asked))).toEqual(new Query({}).find(stored, asked).all());
    }),
  );
});
