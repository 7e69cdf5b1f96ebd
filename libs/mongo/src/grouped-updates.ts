import mongoose, { type mongo, type UpdateQuery } from 'mongoose';
import { asStep, directly, type Stored, saying } from './direct.ts';
import { createGroupCommit, type Outcome } from './group-commit.ts';

const { MongoClientBulkWriteError, MongoServerError } = mongoose.mongo;

/** An update of one document, with the types that are stored. */
export interface SingleUpdate {
  filter: object;
  change: UpdateQuery<unknown>;
}

/** The most updates of one command, and the most commands at the same time. */
const LIMITS = { most: 16, atOnce: 4 };
/** CommandNotFound: `bulkWrite` came with version 8.0. */
const UNKNOWN_COMMAND = 59;

interface Results {
  made: ReadonlyMap<number, Pick<mongo.ClientUpdateResult, 'matchedCount'>>;
  refused: ReadonlyMap<number, Error>;
}

const madeIn = (result: Partial<mongo.ClientBulkWriteResult> | undefined): Results['made'] =>
  result?.updateResults ?? new Map();

/**
 * What is known of each update although some were refused.
 * @throws the cause, if the outcome of all of them is unknown
 */
const resultsIn = (error: unknown): Results => {
  if (!(error instanceof MongoClientBulkWriteError)) throw error;
  if (error.cause ?? error.writeConcernErrors[0]) throw error.cause ?? error;
  const refused = [...error.writeErrors].map(
    ([at, { code, message }]) => [at, new MongoServerError({ message, code })] as const,
  );
  return { made: madeIn(error.partialResult), refused: new Map(refused) };
};

/** The updates with one command of MongoDB 8, and the outcome of each. */
const updatingAll =
  ({ collection }: Stored) =>
  async (updates: readonly SingleUpdate[]): Promise<readonly Outcome<boolean>[]> => {
    const { conn, collectionName } = collection;
    const models = updates.map(({ filter, change }) => ({
      ...{ name: 'updateOne' as const, namespace: `${conn.name}.${collectionName}` },
      ...{ filter, update: saying(change) },
    }));
    const { made, refused } = await asStep('bulkWrite', collectionName, () =>
      conn
        .getClient()
        .bulkWrite(models, { ordered: false, verboseResults: true })
        .then((result): Results => ({ made: madeIn(result), refused: new Map() }), resultsIn),
    );
    return updates.map((_, at): Outcome<boolean> => {
      const result = made.get(at);
      if (result) return { value: result.matchedCount === 1 };
      return { error: refused.get(at) ?? new Error('the reply says nothing of this update') };
    });
  };

/**
 * Updates of single documents by the driver alone: for each whether its filter matched one. Those
 * that come at the same time go out with one command, which costs a server and this process a
 * quarter; the driver repeats it where the server stepped down, like a single one. A refused update
 * does not stop the others. A server before MongoDB 8 gets each by itself.
 */
export const createGroupedUpdates = (stored: Stored): ((update: SingleUpdate) => Promise<boolean>) => {
  const { update } = directly(stored);
  const updateAll = updatingAll(stored);
  let isKnown = true;

  const updateOne = ({ filter, change }: SingleUpdate): Promise<Outcome<boolean>> =>
    update(filter, change).then(
      ({ matchedCount }) => ({ value: matchedCount === 1 }),
      (error: unknown) => ({ error }),
    );

  const work = (updates: readonly SingleUpdate[]): Promise<readonly Outcome<boolean>[]> => {
    const eachAlone = () => Promise.all(updates.map(updateOne));
    if (updates.length === 1 || !isKnown) return eachAlone();
    return updateAll(updates).catch((error: unknown) => {
      if ((error as { code?: unknown }).code !== UNKNOWN_COMMAND) throw error;
      isKnown = false;
      return eachAlone();
    });
  };
  return createGroupCommit({ work, ...LIMITS });
};
