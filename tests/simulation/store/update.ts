import { isDeepStrictEqual } from 'node:util';
import { Aggregator } from 'mingo';
import { copyOf } from './copy.ts';
import { type Fields, setAt, unsetAt, valueAt } from './paths.ts';
import { matcherOf } from './query.ts';

type Change = (document: Fields, path: string, argument: unknown) => void;

const isOlder = (a: unknown, b: unknown): boolean =>
  (a instanceof Date ? a.getTime() : (a as number)) < (b instanceof Date ? b.getTime() : (b as number));

const arrayAt = (document: Fields, path: string): unknown[] => {
  const found = valueAt(document, path);
  if (found === undefined) {
    const made: unknown[] = [];
    setAt(document, path, made);
    return made;
  }
  if (!Array.isArray(found)) throw new Error(`${path} is no array`);
  return found;
};

interface Pushing {
  $each: unknown[];
  $slice?: number;
  $sort?: Record<string, 1 | -1>;
}

const isPushing = (value: unknown): value is Pushing =>
  typeof value === 'object' && value !== null && Array.isArray((value as Pushing).$each);

const compared =
  (keys: Record<string, 1 | -1>) =>
  (a: unknown, b: unknown): number => {
    for (const [key, direction] of Object.entries(keys)) {
      const [x, y] = [valueAt(a, key), valueAt(b, key)];
      if (isOlder(x, y)) return -direction;
      if (isOlder(y, x)) return direction;
    }
    return 0;
  };

const push: Change = (document, path, argument) => {
  const { $each, $slice, $sort } = isPushing(argument) ? argument : { $each: [argument] };
  const array = arrayAt(document, path);
  array.push(...$each);
  if ($sort) array.sort(compared($sort));
  if ($slice === undefined) return;
  const sliced = $slice < 0 ? array.slice($slice) : array.slice(0, $slice);
  array.splice(0, array.length, ...sliced);
};

const addToSet: Change = (document, path, argument) => {
  const array = arrayAt(document, path);
  for (const one of isPushing(argument) ? argument.$each : [argument])
    if (!array.some((known) => isDeepStrictEqual(known, one))) array.push(one);
};

const isOperators = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && Object.keys(value).some((key) => key.startsWith('$'));

/**
 * Whether `$pull` removes an element: it equals a value, meets a comparison, or has matching
 * fields.
 */
const pulls = (condition: unknown): ((element: unknown) => boolean) => {
  if (isOperators(condition)) {
    const isMatch = matcherOf({ element: condition });
    return (element) => isMatch({ element });
  }
  if (typeof condition !== 'object' || condition === null) return (element) => element === condition;
  const isMatch = matcherOf(condition as Fields);
  return (element) => typeof element === 'object' && element !== null && isMatch(element as Fields);
};

const pull: Change = (document, path, condition) => {
  const array = valueAt(document, path);
  if (!Array.isArray(array)) return;
  const isPulled = pulls(condition);
  array.splice(0, array.length, ...array.filter((element) => !isPulled(element)));
};

const limit =
  (takes: (next: unknown, current: unknown) => boolean): Change =>
  (document, path, argument) => {
    const current = valueAt(document, path);
    if (current === undefined || takes(argument, current)) setAt(document, path, argument);
  };

const CHANGES: Readonly<Record<string, Change>> = {
  $set: setAt,
  $unset: unsetAt,
  $inc: (document, path, argument) => setAt(document, path, Number(valueAt(document, path) ?? 0) + Number(argument)),
  $min: limit((next, current) => isOlder(next, current)),
  $max: limit((next, current) => isOlder(current, next)),
  $push: push,
  $addToSet: addToSet,
  $pull: pull,
};

/**
 * Refuses an update in which two operators touch the same field, or one a part of the other's. The
 * server refuses it too.
 */
const refuseConflicts = (paths: readonly string[]): void => {
  const sorted = paths.toSorted();
  for (const [at, path] of sorted.entries()) {
    const next = sorted[at + 1];
    if (next === path || next?.startsWith(`${path}.`)) throw new Error(`updating ${next} would create a conflict`);
  }
};

/**
 * Applies an update to a document as the server does. An operator that is unknown here is an error
 * of the simulation.
 */
export const applyUpdate = (document: Fields, update: Fields, isInserted = false): void => {
  const parts = Object.entries(update).map(([name, fields]) => [name, fields as Fields] as const);
  refuseConflicts(parts.flatMap(([, fields]) => Object.keys(fields)));
  for (const [name, fields] of parts) {
    if (name === '$setOnInsert' && !isInserted) continue;
    const change = name === '$setOnInsert' ? setAt : CHANGES[name];
    if (!change) throw new Error(`the simulated store has no ${name}`);
    for (const [path, argument] of Object.entries(fields)) change(document, path, argument);
  }
};

/** The document that the stages of an update produce from a document. */
export const throughStages = (document: Fields, stages: readonly Fields[]): Fields => {
  const [next] = new Aggregator([...stages] as never).run<Fields>([copyOf(document)]);
  if (!next) throw new Error('the stages of an update leave no document');
  return copyOf(next);
};
