import { type Closable, gauge, type Log, startSweeper } from '@assay/runtime';
import type { Connection, Model, mongo } from 'mongoose';

const missing = gauge('assay_database_indexes_missing', 'Indexes that the database lacks, or has with other options', [
  'database',
]);

/** An index as the code asks for it. */
interface WantedIndex {
  collection: string;
  key: Record<string, unknown>;
  options: mongo.CreateIndexesOptions;
}

const further = new WeakMap<Connection, WantedIndex[]>();

/** Notes an index of a collection that has no model. */
export const wantIndex = (connection: Connection, index: WantedIndex): void => {
  further.set(connection, [...(further.get(connection) ?? []), index]);
};

const wantedIndexes = (connection: Connection): WantedIndex[] => [
  ...Object.values(connection.models).flatMap(({ schema, collection: { collectionName } }) =>
    schema
      .indexes()
      .map(([key, options]) => ({ collection: collectionName, key, options: options as mongo.CreateIndexesOptions })),
  ),
  ...(further.get(connection) ?? []),
];

/** Creates every index of every model, by one command for each collection. */
export const createIndexes = async (connection: Connection): Promise<void> => {
  const create = async (model: Model<unknown>): Promise<void> => {
    // Resolves once the collection is there.
    await model.init();
    const indexes = model.schema.indexes().map(([key, options]) => ({ ...options, key }));
    if (indexes.length > 0) await model.collection.createIndexes(indexes as mongo.IndexDescription[]);
  };
  await Promise.all(Object.values(connection.models).map(create));
};

/** What an index does beside finding documents. */
const meaningOf = ({ unique, sparse, expireAfterSeconds }: mongo.CreateIndexesOptions): string =>
  JSON.stringify([unique === true, sparse === true, expireAfterSeconds ?? null]);

const NO_SUCH_COLLECTION = 26;

/** None is missing in a collection that does not exist: nothing is in it. */
const foundIn = async ({ db }: Connection, collection: string): Promise<mongo.IndexDescriptionInfo[] | undefined> =>
  db
    ?.collection(collection)
    .indexes()
    .catch((error: { code?: unknown }) => {
      if (error.code !== NO_SUCH_COLLECTION) throw error;
      return undefined;
    });

const isAmong = (found: readonly mongo.IndexDescriptionInfo[], { key, options }: WantedIndex): boolean =>
  found.some((one) => JSON.stringify(one.key) === JSON.stringify(key) && meaningOf(one) === meaningOf(options));

const missingOf = async (connection: Connection): Promise<WantedIndex[]> => {
  const wanted = wantedIndexes(connection);
  const lacking: WantedIndex[] = [];
  // One collection after the other: nobody waits for it, and other commands do.
  for (const collection of new Set(wanted.map((index) => index.collection))) {
    const found = await foundIn(connection, collection);
    if (found) lacking.push(...wanted.filter((index) => index.collection === collection && !isAmong(found, index)));
  }
  return lacking;
};

const nameOf = ({ collection, key }: WantedIndex): string => `${collection} (${Object.keys(key).join(', ')})`;

/**
 * The indexes that the code asks for and the database does not have, or has with other options, as
 * `COLLECTION (FIELDS)`. Without them documents are not forgotten in time, and a writer may win a
 * place that another one has.
 */
export const missingIndexes = async (connection: Connection): Promise<string[]> =>
  (await missingOf(connection)).map(nameOf);

/** Few commands, and an index is seldom dropped. */
const EVERY_MS = 300_000;

/**
 * Looks every few minutes whether an index was dropped, and makes it again. One that cannot be
 * made, as where documents contradict it, is tried again and told by a gauge.
 */
export const keepIndexes = (connection: Connection, log: Log, everyMs = EVERY_MS): Closable => {
  const database = connection.name;
  missing.set({ database }, 0);
  const make = async (index: WantedIndex): Promise<boolean> => {
    const { collection, key, options } = index;
    try {
      await connection.db?.collection(collection).createIndex(key as mongo.IndexSpecification, options);
      log.warn({ msg: 'index.made-again', database, index: nameOf(index) });
      return true;
    } catch (error) {
      log.error({ msg: 'index.missing', database, index: nameOf(index), error });
      return false;
    }
  };
  const run = async (): Promise<void> => {
    const lacking = await missingOf(connection);
    missing.set({ database }, lacking.length);
    let failed = 0;
    for (const index of lacking) if (!(await make(index))) failed += 1;
    missing.set({ database }, failed);
  };
  return startSweeper({ name: `indexes of ${database}`, everyMs, run, log });
};
