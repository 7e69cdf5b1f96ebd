import { Aggregator } from 'mingo';
import mongoose from 'mongoose';
import type { Documents, WriteResult } from './collection.ts';
import { copyOf } from './copy.ts';
import { type Fields, valueAt } from './paths.ts';
import { projected } from './projection.ts';
import { inOrder } from './query.ts';

/** All collections of one server, by database and name. */
export interface Server {
  collection(database: string, name: string): Documents;
}

interface Finding {
  sort?: Record<string, 1 | -1> | Map<string, 1 | -1>;
  skip?: number;
  limit?: number;
  projection?: Fields;
  /** Bytes are returned as Buffers of Node. */
  promoteBuffers?: boolean;
}

const sortOf = (sort: Finding['sort']): Record<string, 1 | -1> | undefined =>
  sort instanceof Map ? Object.fromEntries(sort) : sort && Object.keys(sort).length > 0 ? sort : undefined;

const shapeOf = (projection: Fields | undefined): Fields | undefined =>
  projection && Object.keys(projection).length > 0 ? projection : undefined;

export const find = (
  documents: Documents,
  filter: Fields,
  { sort, skip, limit, projection, promoteBuffers = false }: Finding = {},
): Fields[] => {
  let found = documents.matching(filter);
  if (found.length === 0) return [];
  const order = sortOf(sort);
  if (order) found = inOrder(found, order);
  const shape = shapeOf(projection);
  return found
    .slice(skip ?? 0, limit ? (skip ?? 0) + limit : undefined)
    .map((one) => copyOf(shape ? projected(one, shape) : one, promoteBuffers));
};

/** Each value of a field in the matching documents, once. */
export const distinct = (documents: Documents, path: string, filter: Fields): unknown[] => [
  ...new Set(documents.matching(filter).map((one) => valueAt(one, path))),
];

const placedFirst = (documents: Documents, filter: Fields, sort: Finding['sort']): Fields | undefined => {
  const found = documents.matching(filter);
  const order = sortOf(sort);
  return (order && found.length > 1 ? inOrder(found, order) : found)[0];
};

interface FindAndUpdate extends Finding {
  upsert?: boolean;
  returnDocument?: 'before' | 'after';
  includeResultMetadata?: boolean;
}

const shaped = (document: Fields | undefined, projection: Fields | undefined): Fields | null => {
  if (!document) return null;
  const shape = shapeOf(projection);
  return copyOf(shape ? projected(document, shape) : document);
};

export const findOneAndUpdate = (
  documents: Documents,
  filter: Fields,
  update: Fields,
  options: FindAndUpdate = {},
): unknown => {
  const { sort, projection, upsert = false, returnDocument = 'before', includeResultMetadata } = options;
  const before = placedFirst(documents, filter, sort);
  const result = documents.update(before ? { _id: before._id } : filter, update, { many: false, upsert });
  const id = before?._id ?? result.upsertedId;
  const after = id === null ? undefined : documents.matching({ _id: id })[0];
  const value = shaped(returnDocument === 'after' ? after : before, projection);
  return includeResultMetadata ? { value, ok: 1, lastErrorObject: { updatedExisting: before !== undefined } } : value;
};

type BulkOperation = Record<string, { filter: Fields; update?: Fields; upsert?: boolean; document?: Fields }>;

const { MongoBulkWriteError, MongoServerError } = mongoose.mongo;

/** The counts of a bulk so far, and its refused writes. */
const createTotals = () => {
  const counts = { insertedCount: 0, matchedCount: 0, modifiedCount: 0, deletedCount: 0, upsertedCount: 0, ok: 1 };
  const writeErrors: { index: number; code: number; errmsg: string }[] = [];
  const result = { ...counts, getWriteConcernError: () => undefined };
  return {
    result,
    writeErrors,
    add: ({ matchedCount, modifiedCount, upsertedCount }: WriteResult): void => {
      result.matchedCount += matchedCount;
      result.modifiedCount += modifiedCount;
      result.upsertedCount += upsertedCount;
    },
  };
};
type Totals = ReturnType<typeof createTotals>;

const write = (documents: Documents, operation: BulkOperation, { result, add }: Totals): void => {
  const [[name, { filter, update = {}, upsert = false, document = {} }] = ['', { filter: {} }]] =
    Object.entries(operation);
  if (name === 'updateOne' || name === 'updateMany')
    add(documents.update(filter, update, { many: name === 'updateMany', upsert }));
  else if (name === 'insertOne') {
    documents.insert(document);
    result.insertedCount += 1;
  } else if (name === 'deleteOne') result.deletedCount += documents.remove(documents.matching(filter).slice(0, 1));
  else throw new Error(`the simulated store has no ${name} in bulkWrite`);
};

/**
 * Writes one operation after the other. A refused write stops the others only if they are ordered.
 */
const bulkOf = (documents: Documents, operations: readonly BulkOperation[], isOrdered: boolean) => {
  const totals = createTotals();
  const { result, writeErrors } = totals;
  for (const [index, operation] of operations.entries()) {
    try {
      write(documents, operation, totals);
    } catch (error) {
      if (!(error instanceof MongoServerError)) throw error;
      writeErrors.push({ index, code: Number(error.code), errmsg: error.message });
      if (isOrdered) break;
    }
  }
  return { ...result, writeErrors };
};

/** Like the driver's bulkWrite: throws if a write was refused. */
export const bulkWrite = (documents: Documents, operations: readonly BulkOperation[], isOrdered: boolean) => {
  const { writeErrors, ...result } = bulkOf(documents, operations, isOrdered);
  const [first] = writeErrors;
  if (!first) return result;
  throw new MongoBulkWriteError({ message: first.errmsg, code: first.code, writeErrors } as never, result as never);
};

/** The insert command as the driver sends it: the reply lists what was refused. */
export const insertCommand = (documents: Documents, all: readonly Fields[], isOrdered: boolean) => {
  const operations = all.map((document) => ({ insertOne: { document } }));
  const { ok, insertedCount, writeErrors } = bulkOf(documents, operations as never, isOrdered);
  return { ok, n: insertedCount, ...(writeErrors.length > 0 ? { writeErrors } : {}) };
};

/** The error by which the driver reports that the outcome of a bulk is unknown. */
export const ofBulk = (error: unknown): Error =>
  error instanceof MongoBulkWriteError
    ? error
    : new MongoBulkWriteError(error as never, createTotals().result as never);

export const aggregate = (server: Server, database: string, name: string, pipeline: Fields[]): Fields[] => {
  const collectionResolver = (other: string) => server.collection(database, other).all() as never[];
  const [first, ...others] = pipeline;
  const { matching, all } = server.collection(database, name);
  // Copies only the documents that match.
  const [found, rest] = first?.$match ? [matching(first.$match as Fields), others] : [all(), pipeline];
  return new Aggregator(rest as never, { collectionResolver } as never)
    .run<Fields>(found.map((one) => copyOf(one)))
    .map((one) => copyOf(one));
};
