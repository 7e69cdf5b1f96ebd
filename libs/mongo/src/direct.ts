import { currentTraceparent, inSpan } from '@assay/runtime';
import mongoose, { type AnyBulkWriteOperation, type Model, type mongo, type UpdateQuery } from 'mongoose';
import type { Outcome } from './group-commit.ts';
import { isDuplicateKey } from './revision.ts';
import { FIRST_VERSION } from './schema-version.ts';

/** A model of any document. */
interface Stored {
  // biome-ignore lint/suspicious/noExplicitAny: takes the model of any document
  readonly collection: Model<any>['collection'];
}

/** As a model does it: a span where the work belongs to a trace. */
const asStep = <T>(name: string, collection: string, work: () => Promise<T>): Promise<T> => {
  if (currentTraceparent() === undefined) return work();
  const attributes = { 'db.system.name': 'mongodb', 'db.operation.name': name, 'db.collection.name': collection };
  return inSpan(`mongodb.${collection}.${name}`, { kind: 'client', attributes }, work);
};

type Fields = Readonly<Record<string, unknown>>;

/** An update without operators that say nothing: servers before 5.0 refuse an empty one. */
const saying = (update: object): mongo.UpdateFilter<mongo.Document> =>
  Object.fromEntries(
    Object.entries(update).filter(([, fields]) => Object.values(fields as Fields).some((value) => value !== undefined)),
  );

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
 * Writes of the paths that everybody takes, by the driver alone. A model copies each update three
 * times and looks for casts in it; what is written here has the types it is stored in already. A
 * value inside a filter is taken as it is: nothing that a client chose the shape of may stand there.
 */
export const directly = ({ collection }: Stored) => {
  const step = <T>(name: string, work: () => Promise<T>) => asStep(name, collection.collectionName, work);
  const update = (filter: object, change: UpdateQuery<unknown>, options: mongo.UpdateOptions = {}) =>
    step('updateOne', () => collection.updateOne(filter, saying(change), options));
  const insert = <D extends { readonly _id: string }>(document: D) =>
    step('insertOne', () => collection.insertOne({ schemaVersion: FIRST_VERSION, ...document } as object));
  /** What the server refused of writes that do not depend on each other, by their place. */
  const refusals = (writes: readonly mongo.AnyBulkWriteOperation[]): Promise<ReadonlyMap<number, Error>> =>
    step('bulkWrite', () => collection.bulkWrite([...writes], { ordered: false })).then(() => new Map(), refusedIn);

  return {
    update,

    /** A new document; an upsert names its version itself. */
    insert,

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

    /**
     * Writes that do not depend on each other, with one command. Those that a crash may undo
     * (`mayBeLost`) wait for no journal and for no majority.
     */
    bulk: async (writes: readonly AnyBulkWriteOperation[], { mayBeLost = false } = {}): Promise<void> => {
      const concern = mayBeLost ? { writeConcern: { w: 1 } } : {};
      const [first] = writes;
      if (writes.length === 1 && first && 'updateOne' in first) {
        const { filter, update: change, upsert = false } = first.updateOne;
        // The driver writes the commands of a bulk twice: once to know their length.
        await update(filter, change, { upsert, ...concern });
        return;
      }
      await step('bulkWrite', () =>
        collection.bulkWrite(writes as unknown as mongo.AnyBulkWriteOperation[], { ordered: false, ...concern }),
      );
    },
  };
};
