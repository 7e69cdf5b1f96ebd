import mongoose, { type mongo, type UpdateQuery } from 'mongoose';
import { asStep, directly, type Stored, saying } from './direct.ts';
import type { Outcome } from './group-commit.ts';
import { isDuplicateKey } from './revision.ts';
import { FIRST_VERSION } from './schema-version.ts';

const { MongoBulkWriteError, MongoServerError } = mongoose.mongo;

/**
 * The writes of a bulk that the server refused, each for a reason of its own: all others are done.
 * @throws what failed where nobody knows that of any of them
 */
const refusedIn = (error: unknown): ReadonlyMap<number, Error> => {
  if (!(error instanceof MongoBulkWriteError)) throw error;
  const refused = [error.writeErrors].flat();
  if (refused.length === 0 || error.result.getWriteConcernError()) throw error;
  return new Map(
    refused.map(({ index, code, errmsg }) => [index, new MongoServerError({ message: errmsg ?? '', code })]),
  );
};

/** As the outcome of the only item. */
const alone = <R>(work: Promise<R>): Promise<readonly Outcome<R>[]> => work.then((value) => [{ value }]);

/**
 * What `directly` writes, for many documents with one command: what came of each is told apart, and
 * one that is refused holds up no other.
 */
export const directlyEach = (stored: Stored) => {
  const { collection } = stored;
  const { insert, update } = directly(stored);
  /** What the server refused of writes that do not depend on each other, by their place. */
  const refusals = (writes: readonly mongo.AnyBulkWriteOperation[]): Promise<ReadonlyMap<number, Error>> =>
    asStep('bulkWrite', collection.collectionName, () => collection.bulkWrite([...writes], { ordered: false })).then(
      () => new Map(),
      refusedIn,
    );

  return {
    /**
     * New documents, with one command: for each whether it was stored; false where one of its id or
     * of another unique value was there already.
     */
    insertEach: async <D extends { readonly _id: string }>(
      documents: readonly D[],
    ): Promise<readonly Outcome<boolean>[]> => {
      const [first] = documents;
      if (documents.length === 1 && first)
        return alone(
          insert(first).then(
            () => true,
            (error: unknown) => {
              if (isDuplicateKey(error)) return false;
              throw error;
            },
          ),
        );
      const writes = documents.map((document) => ({
        insertOne: { document: { schemaVersion: FIRST_VERSION, ...document } as object },
      }));
      const refused = await refusals(writes);
      return documents.map((_, at) => {
        const error = refused.get(at);
        return error && !isDuplicateKey(error) ? { error } : { value: error === undefined };
      });
    },

    /** Updates that do not depend on each other, with one command: what came of each. */
    updateEach: async (
      updates: readonly { filter: object; change: UpdateQuery<unknown> }[],
    ): Promise<readonly Outcome<void>[]> => {
      const [first] = updates;
      if (updates.length === 1 && first) return alone(update(first.filter, first.change).then(() => undefined));
      const refused = await refusals(
        updates.map(({ filter, change }) => ({ updateOne: { filter, update: saying(change) } })),
      );
      return updates.map((_, at) => {
        const error = refused.get(at);
        return error ? { error } : { value: undefined };
      });
    },
  };
};
