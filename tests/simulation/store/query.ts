import { Context } from 'mingo/core';
import * as operators from 'mingo/operators/query';
import { Query } from 'mingo/query';
import type { Fields } from './paths.ts';

// Each query copies the operators of its context: these are all that the suite's filters may name.
const { $and, $or, $nor, $not, $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $exists, $type, $all, $size, $elemMatch } =
  operators;
const query = {
  $and,
  $or,
  $nor,
  $not,
  $eq,
  $ne,
  $gt,
  $gte,
  $lt,
  $lte,
  $in,
  $nin,
  $exists,
  $type,
  $all,
  $size,
  $elemMatch,
};
export const context = Context.init({ query });

/** Whether a document matches a filter. A filter with an operator not listed here is an error. */
export const matcherOf = (filter: Fields): ((document: Fields) => boolean) => {
  const compiled = new Query(filter as never, { context });
  return (document) => compiled.test(document as never);
};
