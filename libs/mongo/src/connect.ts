import { dateFormatsBy } from '@assay/contracts';
import { type Clock, type Closable, examineWith, type Log } from '@assay/runtime';
import mongoose, { type Connection } from 'mongoose';
import { countCommands, countsCommands } from './command-counts.ts';
import { followClock } from './database-clock.ts';
import { mendDriverWrites } from './driver-writes.ts';
import { examineDatabase } from './findings.ts';
import { createIndexes } from './indexes.ts';
import { carryVersion } from './schema-version.ts';

// A dropped unknown path would let a query match more than was meant; a `$` inside a value must
// stay a value: operators of our own filters are marked with `trusted({ $lt: ... })`, all others
// are taken literally.
mongoose.set('strictQuery', 'throw');
mongoose.set('sanitizeFilter', true);
mongoose.set('autoCreate', true);
// `ensureIndexes` creates them all; mongoose would create each once more, one after the other.
mongoose.set('autoIndex', false);
mongoose.plugin(carryVersion, { deduplicate: true });
mendDriverWrites();

export interface Database extends Closable {
  connection: Connection;
  /**
   * The time of the database, advancing evenly: a machine's clock that is wrong or jumps ends no
   * lease and closes no identity.
   */
  now: Clock;
  isReady(): boolean;
  /**
   * Creates every index of every model. Call it once all models are defined: the indexes of a later
   * one are missing until `keepIndexes` looks.
   */
  ensureIndexes(): Promise<void>;
}

/**
 * A server that sends nothing for this long counts as lost: a connection can end without notice,
 * and the operation would wait for ever.
 */
const ANSWER_MS = 20_000;
const CONNECT_MS = 10_000;
/**
 * An operation that waits this long for a free connection is refused with 503: an overloaded
 * process would otherwise work for callers that have left.
 */
const TURN_MS = 10_000;

/** The driver's errors for an address that it cannot use, whatever the server does. */
const OF_ADDRESSES = new Set(['MongoParseError', 'MongoAPIError', 'MongoInvalidArgumentError', 'MongoRuntimeError']);

/** @throws with the variable, where the address is none: the driver's own words name nothing */
const connected = (connection: Connection): Promise<unknown> =>
  connection.asPromise().catch((error: Error) => {
    if (!OF_ADDRESSES.has(error.name)) throw error;
    throw new Error(`configuration: MONGO_URL is no address of MongoDB: ${error.message}`);
  });

/**
 * Connects to one database. Every write is acknowledged by a majority and journaled: accepted means
 * stored (invariant 1). Only operations that work on a standalone server, a replica set and a
 * sharded cluster alike are used: no transactions, no change streams.
 */
export const connectMongo = async (
  url: string,
  database: string,
  log: Log,
  answerMs = ANSWER_MS,
): Promise<Database> => {
  const isCounting = countsCommands();
  const connection = mongoose.createConnection(url, {
    dbName: database,
    // The name of the service in the server's log and in currentOp.
    appName: database,
    writeConcern: { w: 'majority', journal: true },
    serverSelectionTimeoutMS: 5000,
    connectTimeoutMS: CONNECT_MS,
    socketTimeoutMS: answerMs,
    maxPoolSize: 20,
    waitQueueTimeoutMS: TURN_MS,
    retryWrites: false,
    ignoreUndefined: true,
    monitorCommands: isCounting,
  });
  connection.on('disconnected', () => log.warn({ msg: 'mongo.disconnected', database }));
  await connected(connection);
  if (isCounting) countCommands(connection);
  const clock = await followClock(connection, database, log);
  const endDates = dateFormatsBy(clock.now);
  log.info({ msg: 'mongo.connected', database });
  const endExamination = examineWith(`database ${database}`, () => examineDatabase(connection, url, database));
  return {
    connection,
    now: clock.now,
    isReady: () => connection.readyState === 1,
    ensureIndexes: () => createIndexes(connection),
    close: async () => {
      endExamination();
      endDates();
      await clock.close();
      return connection.close();
    },
  };
};
