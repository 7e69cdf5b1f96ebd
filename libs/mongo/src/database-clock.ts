import { type Clock, type Closable, gauge, type Log, startSweeper, systemClock } from '@assay/runtime';
import type { Connection } from 'mongoose';

/** A clock that differs from the database's by no more than this counts as right. */
const TOLERATED_MS = 2000;

const ahead = gauge('assay_clock_ahead_seconds', "How far this machine's clock is ahead of the database's", [
  'database',
]);

/** The time of the database, valid at some moment between the request and its answer. */
export interface ServerTime {
  at: Date;
  /** How long the answer took, in milliseconds. */
  tookMs: number;
}

/** A clock counts as wrong only if it was wrong at every moment between request and answer. */
const agrees = (time: number, { at, tookMs }: ServerTime): boolean =>
  time >= at.getTime() - TOLERATED_MS && time <= at.getTime() + tookMs + TOLERATED_MS;

interface ClockOptions {
  database: string;
  log: Log;
  /**
   * Called when the machine's clock jumped, or the machine was suspended: the database is to be
   * asked again.
   */
  onDoubt: () => void;
  /** The machine's clock, and how many milliseconds have gone by since any moment. */
  own?: Clock;
  elapsedMs?: () => number;
}

interface DatabaseClock {
  now: Clock;
  /** Sets the time of the database; without one, the machine's clock is used. */
  synchronise(answer: ServerTime | undefined): void;
}

/**
 * A clock that advances evenly, whatever happens to the machine's clock, which is used only while
 * it agrees with the database.
 */
export const createDatabaseClock = (options: ClockOptions): DatabaseClock => {
  const { database, log, onDoubt, own = systemClock, elapsedMs = () => performance.now() } = options;
  let from = { time: own().getTime(), elapsedMs: elapsedMs() };
  /** How far the machine's clock was ahead when the database was last asked. */
  let aheadMs = 0;
  let isOff = false;
  const time = (): number => from.time + elapsedMs() - from.elapsedMs;
  const setTo = (next: number): void => {
    from = { time: next, elapsedMs: elapsedMs() };
  };
  const correct = (answer: ServerTime): void => {
    if (agrees(own().getTime(), answer)) setTo(own().getTime());
    else if (!agrees(time(), answer)) setTo(answer.at.getTime() + answer.tookMs / 2);
  };
  return {
    now: () => {
      const at = time();
      if (Math.abs(own().getTime() - at - aheadMs) > TOLERATED_MS) onDoubt();
      return new Date(Math.round(at));
    },
    synchronise: (answer) => {
      if (answer) correct(answer);
      else setTo(own().getTime());
      aheadMs = own().getTime() - time();
      if (!answer) return;
      const wasOff = isOff;
      isOff = !agrees(own().getTime(), answer);
      const seconds = (own().getTime() - answer.at.getTime() - answer.tookMs / 2) / 1000;
      ahead.set({ database }, seconds);
      if (isOff && !wasOff) log.warn({ msg: 'clock.off', database, aheadSeconds: seconds });
      if (wasOff && !isOff) log.info({ msg: 'clock.right-again', database });
    },
  };
};

const clocks = new WeakMap<Connection, Clock>();

/**
 * The clock of a connection's database; the machine's for a connection that `connectMongo` did not
 * open.
 */
export const clockOf = (connection: Connection): Clock => clocks.get(connection) ?? systemClock;

/** What servers before 5.1 answer, which have their time in `hello`. */
const NO_SUCH_STAGE = 40324;

/** The time of the primary: from `hello`, or, if that has none, by a query. */
const timeOf = async ({ db }: Connection): Promise<Date | undefined> => {
  const hello = await db?.command({ hello: 1 });
  if (!hello || hello.localTime instanceof Date) return hello?.localTime;
  const pipeline = [{ $documents: [{}] }, { $project: { now: '$$NOW' } }];
  const reply = await db?.command({ aggregate: 1, pipeline, cursor: {} }).catch((error: { code?: unknown }) => {
    if (error.code !== NO_SUCH_STAGE) throw error;
  });
  return reply?.cursor.firstBatch[0]?.now;
};

/** The time of the database; undefined if it gives none. */
export const askTime = async (connection: Connection): Promise<ServerTime | undefined> => {
  const askedAt = performance.now();
  const at = await timeOf(connection);
  return at && { at, tookMs: performance.now() - askedAt };
};

/** What happens to a machine's clock meanwhile is noticed by itself. */
const ASKED_EVERY_MS = 300_000;

interface Followed extends Closable {
  now: Clock;
}

/**
 * Follows the clock of a connection's database: asks what time it is now, every five minutes, and
 * when the machine's clock jumped.
 */
export const followClock = async (connection: Connection, database: string, log: Log): Promise<Followed> => {
  const ask = async (): Promise<void> => {
    synchronise(await askTime(connection));
  };
  let isAsking = false;
  const onDoubt = (): void => {
    if (isAsking) return;
    isAsking = true;
    ask()
      .catch((error: unknown) => log.warn({ msg: 'clock.not-asked', database, error }))
      .finally(() => {
        isAsking = false;
      });
  };
  const { now, synchronise } = createDatabaseClock({ database, log, onDoubt });
  await ask();
  clocks.set(connection, now);
  const sweeper = startSweeper({ name: `clock of ${database}`, everyMs: ASKED_EVERY_MS, run: ask, log });
  return { now, close: sweeper.close };
};
