import { isDependencyDown } from '@assay/runtime';
import mongoose, { type mongo, type UpdateQuery } from 'mongoose';
import { asStep, directly, type Stored, saying } from './direct.ts';
import { isDuplicateKey, unlessDuplicate } from './duplicate.ts';
import type { Outcome } from './group-commit.ts';
import { FIRST_VERSION } from './schema-version.ts';

const { BSON, MongoBulkWriteError, MongoServerError } = mongoose.mongo;

/** A command may have 16 MB; the driver splits a bulk of more. */
const MOST_BYTES = 8_000_000;
/** The write concern of the connection (`connectMongo`): a raw command inherits nothing. */
const writeConcern = { w: 'majority', j: true };
const bson = { ignoreUndefined: true };

/** What the server refused of the writes of a command, by their place. */
interface CommandReply {
  writeErrors?: readonly { index: number; code: number; errmsg?: string }[];
  writeConcernError?: { code: number; errmsg?: string };
}

const serverError = ({ code, errmsg }: { code: number; errmsg?: string | undefined }): Error =>
  new MongoServerError({ message: errmsg ?? '', code });

const errorsOf = (
  refused: readonly { index: number; code: number; errmsg?: string | undefined }[],
): ReadonlyMap<number, Error> => new Map(refused.map((one) => [one.index, serverError(one)]));

/**
 * The writes of a bulk that the server refused, each for its own reason; all others were made.
 * @throws the error, if the result of each write is unknown
 */
const refusedIn = (error: unknown): ReadonlyMap<number, Error> => {
  if (!(error instanceof MongoBulkWriteError)) throw error;
  const refused = [error.writeErrors].flat();
  if (refused.length === 0 || error.result.getWriteConcernError()) throw error;
  return errorsOf(refused);
};

/** As the outcome of the only item. */
const alone = <R>(work: Promise<R>): Promise<readonly Outcome<R>[]> => work.then((value) => [{ value }]);

type Refusals = (writes: readonly mongo.AnyBulkWriteOperation[]) => Promise<ReadonlyMap<number, Error>>;

/** The driver's own bulk takes about twice the time of the process. */
const insertingAll =
  (collection: Stored['collection'], refusals: Refusals) =>
  async (documents: readonly object[]): Promise<ReadonlyMap<number, Error>> => {
    const bytes = documents.reduce<number>((sum, document) => sum + BSON.calculateObjectSize(document), 0);
    if (bytes > MOST_BYTES) return refusals(documents.map((document) => ({ insertOne: { document } })));
    const command = { insert: collection.collectionName, documents, ordered: false, writeConcern };
    const reply = await asStep('insert', collection.collectionName, () => collection.conn.db!.command(command, bson));
    const { writeErrors = [], writeConcernError } = reply as CommandReply;
    if (writeConcernError) throw serverError(writeConcernError);
    return errorsOf(writeErrors);
  };

/**
 * An update that changes documents, each in its own way: pipeline stages that see the present
 * values.
 */
interface Statement {
  filter: object;
  change: object[];
}

/**
 * One update that changes many documents, each in its own way: a server plans each update anew,
 * which costs more than the change itself. If it fails for one document, each is changed
 * separately, so repeating `statement` must have no effect.
 */
const updatingTogether =
  (updateMany: ReturnType<typeof directly>['updateMany']) =>
  async <T>(items: readonly T[], statement: (items: readonly T[]) => Statement): Promise<readonly Outcome<void>[]> => {
    const write = async (some: readonly T[]): Promise<readonly Outcome<void>[]> => {
      const { filter, change } = statement(some);
      await updateMany(filter, change);
      return some.map(() => ({ value: undefined }));
    };
    const writeOne = (item: T): Promise<readonly Outcome<void>[]> =>
      write([item]).catch((error: unknown) => [{ error }]);
    return write(items).catch(async (error: unknown) => {
      if (items.length === 1 || isDependencyDown(error)) throw error;
      return (await Promise.all(items.map(writeOne))).flat();
    });
  };

/**
 * The writes of `directly` for many documents with one command. Each has its own result, and a
 * refused one does not stop the others.
 */
export const directlyEach = (stored: Stored) => {
  const { collection } = stored;
  const { insert, update, updateMany } = directly(stored);
  /** What the server refused of writes that do not depend on each other, by their place. */
  const refusals: Refusals = (writes) =>
    asStep('bulkWrite', collection.collectionName, () => collection.bulkWrite([...writes], { ordered: false })).then(
      () => new Map(),
      refusedIn,
    );

  const insertAll = insertingAll(collection, refusals);

  return {
    /**
     * New documents, with one command: for each whether it was stored; false where one of its id or
     * of another unique value was there already.
     */
    insertEach: async <D extends { readonly _id: string }>(
      documents: readonly D[],
    ): Promise<readonly Outcome<boolean>[]> => {
      const [first] = documents;
      if (documents.length === 1 && first) return alone(unlessDuplicate(insert(first)));
      const refused = await insertAll(documents.map((document) => ({ schemaVersion: FIRST_VERSION, ...document })));
      return documents.map((_, at) => {
        const error = refused.get(at);
        return error && !isDuplicateKey(error) ? { error } : { value: error === undefined };
      });
    },

    /** Independent updates with one command, and the result of each. */
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

    updateTogether: updatingTogether(updateMany),
  };
};
