import { isDeepStrictEqual } from 'node:util';
import mongoose from 'mongoose';
import { type Fields, isFields, valueAt } from './paths.ts';

const { Binary, ObjectId } = mongoose.mongo;

/** Whether a document, or a value inside, matches a part of a filter. */
type Test = (value: unknown) => boolean;

/**
 * The value by which values of one kind are compared; undefined for values that have no order here.
 */
const scalarOf = (value: unknown): number | string | undefined => {
  if (typeof value === 'number' || typeof value === 'string') return value;
  if (typeof value === 'boolean') return Number(value);
  if (value instanceof Date) return value.getTime();
  return value instanceof ObjectId ? value.toHexString() : undefined;
};

/** The order of kinds. `$lt` and the like do not compare values of different kinds. */
const rankOf = (value: unknown): number => {
  if (value === undefined || value === null) return 0;
  if (typeof value === 'number') return 1;
  if (typeof value === 'string') return 2;
  if (value instanceof ObjectId) return 6;
  if (typeof value === 'boolean') return 7;
  if (value instanceof Date) return 8;
  return Array.isArray(value) ? 4 : value instanceof Binary || value instanceof Uint8Array ? 5 : 3;
};

const bytesOf = (value: unknown): Buffer =>
  value instanceof Binary ? Buffer.from(value.buffer) : Buffer.from(value as Uint8Array);

const isSame = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  const rank = rankOf(a);
  if (rank !== rankOf(b)) return false;
  if (rank === 0) return true;
  if (rank === 5) return bytesOf(a).equals(bytesOf(b));
  const scalar = scalarOf(a);
  return scalar === undefined ? isDeepStrictEqual(a, b) : scalar === scalarOf(b);
};

/** Applies to the value itself, or to one of its elements if it is an array. */
const orInside =
  (test: Test): Test =>
  (value) =>
    test(value) || (Array.isArray(value) && value.some(test));

const is = (asked: unknown): Test => orInside((value) => isSame(value, asked));

const compared = (holds: (order: number) => boolean) => (asked: unknown) => {
  const [rank, limit] = [rankOf(asked), scalarOf(asked)];
  if (rank > 0 && limit === undefined) throw new Error('the simulated store compares no such values');
  return orInside((value) => {
    if (rankOf(value) !== rank) return false;
    const scalar = scalarOf(value);
    if (scalar === undefined || limit === undefined) return holds(0);
    return holds(scalar < limit ? -1 : scalar > limit ? 1 : 0);
  });
};

const isOperators = (asked: unknown): asked is Fields =>
  isFields(asked) && Object.keys(asked).some((key) => key.startsWith('$'));

const isOneOf = (asked: unknown): Test => {
  if (!Array.isArray(asked)) throw new Error('$in and $nin need an array');
  const tests = asked.map(is);
  return (value) => tests.some((test) => test(value));
};

/** An element of the array must match the operators or the filter. */
const holdsOne = (asked: unknown): Test => {
  const test = matcherOf(isOperators(asked) ? { element: asked } : (asked as Fields));
  const matches: Test = isOperators(asked)
    ? (element) => test({ element })
    : (element) => isFields(element) && test(element);
  return (value) => Array.isArray(value) && value.some(matches);
};

/** Tests of one value at a path. A path through arrays leads to many values. */
const OPERATORS: Readonly<Record<string, (asked: unknown) => Test>> = {
  $eq: is,
  $in: isOneOf,
  $gt: compared((order) => order > 0),
  $gte: compared((order) => order >= 0),
  $lt: compared((order) => order < 0),
  $lte: compared((order) => order <= 0),
  $size: (asked) => (value) => Array.isArray(value) && value.length === asked,
  $elemMatch: holdsOne,
};

const isAt = (value: unknown, keys: readonly string[], at: number, test: Test): boolean => {
  const key = keys[at];
  if (key === undefined) return test(value);
  if (isFields(value)) return isAt(value[key], keys, at + 1, test);
  if (!Array.isArray(value)) return test(undefined);
  const place = Number(key);
  if (place >= 0) return isAt(value[place], keys, at + 1, test);
  return value.some((element) => isFields(element) && isAt(element, keys, at, test));
};

type Matcher = (document: Fields) => boolean;

const not =
  (matches: Matcher): Matcher =>
  (document) =>
    !matches(document);
const all = (matchers: readonly Matcher[]): Matcher => {
  const [only] = matchers;
  return only && matchers.length === 1 ? only : (document) => matchers.every((matches) => matches(document));
};

const operatorAt = (path: string, name: string, asked: unknown): Matcher => {
  if (name === '$ne') return not(operatorAt(path, '$eq', asked));
  if (name === '$nin') return not(operatorAt(path, '$in', asked));
  if (name === '$not') return not(fieldAt(path, asked));
  const keys = path.split('.');
  if (name === '$exists') {
    const isThere = Boolean(asked);
    return (document) => isAt(document, keys, 0, (value) => value !== undefined) === isThere;
  }
  const test = OPERATORS[name]?.(asked);
  if (!test) throw new Error(`the simulated store has no ${name}`);
  return (document) => isAt(document, keys, 0, test);
};

const fieldAt = (path: string, asked: unknown): Matcher =>
  isOperators(asked)
    ? all(Object.entries(asked).map(([name, argument]) => operatorAt(path, name, argument)))
    : operatorAt(path, '$eq', asked);

const partOf = (name: string, asked: unknown): Matcher => {
  if (!name.startsWith('$')) return fieldAt(name, asked);
  const matchers = (asked as Fields[]).map(matcherOf);
  if (name === '$and') return all(matchers);
  const isAny: Matcher = (document) => matchers.some((matches) => matches(document));
  if (name === '$or') return isAny;
  if (name === '$nor') return not(isAny);
  throw new Error(`the simulated store has no ${name}`);
};

/** Whether a document matches a filter. An operator that is not listed here is an error. */
export const matcherOf = (filter: Fields): Matcher =>
  all(Object.entries(filter).map(([name, asked]) => partOf(name, asked)));

const orderOf = (a: unknown, b: unknown): number => {
  const ranks = rankOf(a) - rankOf(b);
  if (ranks !== 0 || rankOf(a) === 0) return ranks;
  const [x, y] = [scalarOf(a), scalarOf(b)];
  if (x === undefined || y === undefined) throw new Error('the simulated store sorts by no such values');
  return x < y ? -1 : x > y ? 1 : 0;
};

/** Sorts documents. Equal documents keep their order. */
export const inOrder = (documents: readonly Fields[], sort: Readonly<Record<string, 1 | -1>>): Fields[] => {
  const keys = Object.entries(sort);
  return documents.toSorted((a, b) => {
    for (const [path, direction] of keys) {
      const order = orderOf(valueAt(a, path), valueAt(b, path));
      if (order !== 0) return order * direction;
    }
    return 0;
  });
};
