import type { Closable, Log } from '@assay/runtime';
import mongoose, { type Connection } from 'mongoose';

// A dropped unknown path would let a query match more than was meant; a `$` inside a value must stay a value: operators of our own filters
// are marked with `trusted({ $lt: ... })`, all others are taken literally.
mongoose.set('strictQuery', 'throw');
mongoose.set('sanitizeFilter', true);
mongoose.set('autoCreate', true);

export interface Database extends Closable {
  connection: Connection;
  isReady(): boolean;
  /** Creates every index of every model; call once the models are defined. */
  ensureIndexes(): Promise<void>;
}

/**
 * Connects to one database. Every write is acknowledged by a majority and journaled: accepted means stored (invariant 1). Only operations that work
 * on a standalone server, a replica set and a sharded cluster alike are used: no transactions, no change streams.
 */
export const connectMongo = async (url: string, database: string, log: Log): Promise<Database> => {
  const connection = mongoose.createConnection(url, {
    dbName: database,
    writeConcern: { w: 'majority', journal: true },
    serverSelectionTimeoutMS: 5000,
    maxPoolSize: 20,
    retryWrites: false,
    ignoreUndefined: true,
  });
  connection.on('disconnected', () => log.warn({ msg: 'mongo.disconnected', database }));
  await connection.asPromise();
  log.info({ msg: 'mongo.connected', database });
  return {
    connection,
    isReady: () => connection.readyState === 1,
    ensureIndexes: async () => {
      await Promise.all(Object.values(connection.models).map((model) => model.createIndexes()));
    },
    close: () => connection.close(),
  };
};
