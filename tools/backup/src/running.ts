import { setTimeout as pause } from 'node:timers/promises';
import type mongoose from 'mongoose';
import { STATE } from './databases.ts';

type Client = mongoose.mongo.MongoClient;

/** Within this time the relays and sweeps of each service look into their collections. */
const WATCHED_MS = 3000;
/** The user may not ask, or the server does not know the question. */
const NOT_ANSWERED = new Set([13, 59, 115, 40324]);

const usesIn = (client: Client, database: string, collection: string): Promise<number> =>
  client
    .db(database)
    .collection(collection)
    .aggregate<{ accesses: { ops: number | bigint } }>([{ $indexStats: {} }])
    .toArray()
    .then(
      (indexes) => indexes.reduce((sum, { accesses }) => sum + Number(accesses.ops), 0),
      (error: { code?: number }) => {
        if (!NOT_ANSWERED.has(error.code ?? 0)) throw error;
        return 0;
      },
    );

/** How often an index of each database was used since the server started. */
const usesOf = async (client: Client, prefix: string): Promise<Map<string, number>> => {
  const uses = new Map<string, number>();
  for (const database of STATE) {
    const name = `${prefix}${database}`;
    const collections = await client.db(name).listCollections({}, { nameOnly: true }).toArray();
    const each = await Promise.all(collections.map((collection) => usesIn(client, name, collection.name)));
    uses.set(
      database,
      each.reduce((sum, count) => sum + count, 0),
    );
  }
  return uses;
};

/**
 * The databases that somebody uses: a service that runs looks for work in its own all the time,
 * and would go on writing into what is restored. Empty as well if the server does not say.
 */
export const findUsed = async (client: Client, prefix: string, watchedMs = WATCHED_MS): Promise<string[]> => {
  const before = await usesOf(client, prefix);
  await pause(watchedMs);
  const after = await usesOf(client, prefix);
  return [...after].filter(([database, count]) => count > (before.get(database) ?? 0)).map(([database]) => database);
};
