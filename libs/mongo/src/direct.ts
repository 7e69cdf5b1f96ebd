import { currentTraceparent, inSpan } from '@assay/runtime';
import type { AnyBulkWriteOperation, Model, mongo, UpdateQuery } from 'mongoose';
import { FIRST_VERSION } from './schema-version.ts';

/** A model of any document. */
export interface Stored {
  // biome-ignore lint/suspicious/noExplicitAny: takes the model of any document
  readonly collection: Model<any>['collection'];
}

/** A span, as a model makes one, if the work belongs to a trace. */
export const asStep = <T>(name: string, collection: string, work: () => Promise<T>): Promise<T> => {
  if (currentTraceparent() === undefined) return work();
  const attributes = { 'db.system.name': 'mongodb', 'db.operation.name': name, 'db.collection.name': collection };
  return inSpan(`mongodb.${collection}.${name}`, { kind: 'client', attributes }, work);
};

type Fields = Readonly<Record<string, unknown>>;

/** Removes empty operators from an update: servers before 5.0 refuse them. */
export const saying = (update: object): mongo.UpdateFilter<mongo.Document> =>
  Object.fromEntries(
    Object.entries(update).filter(([, fields]) => Object.values(fields as Fields).some((value) => value !== undefined)),
  );

/**
 * Writes of the paths that everybody takes, by the driver alone. A model copies each update three
 * times and looks for casts in it; what is written here has the types it is stored in already. A
 * value inside a filter is taken as it is: nothing that a client chose the shape of may stand
 * there.
 */
export const directly = ({ collection }: Stored) => {
  const step = <T>(name: string, work: () => Promise<T>) => asStep(name, collection.collectionName, work);
  const update = (filter: object, change: UpdateQuery<unknown>, options: mongo.UpdateOptions = {}) =>
    step('updateOne', () => collection.updateOne(filter, saying(change), options));
  const insert = <D extends { readonly _id: string }>(document: D) =>
    step('insertOne', () => collection.insertOne({ schemaVersion: FIRST_VERSION, ...document } as object));

  return {
    update,

    /** The document as it is after the change, as far as `projection` goes. */
    updateAndGet: async <D>(
      filter: object,
      change: UpdateQuery<unknown>,
      projection: object,
    ): Promise<D | undefined> => {
      const options = { projection, returnDocument: 'after' } as const;
      const changed = await step('findOneAndUpdate', () =>
        collection.findOneAndUpdate(filter, saying(change), options),
      );
      return (changed as D | null) ?? undefined;
    },

    /**
     * Changes all that match by one statement of stages, which see the values that a document has.
     */
    updateMany: (filter: object, stages: object[]) =>
      step('updateMany', () => collection.updateMany(filter, stages as mongo.Document[])),

    /** A new document; an upsert names its version itself. */
    insert,

    /**
     * Independent writes with one command. `mayBeLost`: not journaled, and not acknowledged by a
     * majority.
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
