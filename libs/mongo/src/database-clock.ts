import { type Clock, type Closable, gauge, type Log, startSweeper, systemClock } from '@assay/runtime';
import type { Connection } from 'mongoose';

/** A machine whose clock is no further from the database's than this is right. */
const TOLERATED_MS = 2000;

const ahead = gauge('assay_clock_ahead_seconds', "How far this machine's clock is ahead of the database's", [
  'database',
]);

/** A time that the database told: it was so at some moment between a question and its answer. */
export interface Told {
  at: Date;
  /** How long the answer took, in milliseconds. */
  tookMs: number;
}

/** Told apart from a clock that is right only where the answer leaves no doubt. */
const agrees = (time: number, { at, tookMs }: Told): boolean =>
  time >= at.getTime() - TOLERATED_MS && time <= at.getTime() + tookMs + TOLERATED_MS;

interface DatabaseClock {
  now: Clock;
  /** Takes a time the database told just now. */
  hear(told: Told): void;
}

/**
 * A clock that runs evenly, whatever becomes of the machine's: that one counts only while it agrees
 * with the database's. `own` and `elapsedMs` are the machine's clock and what has gone by.
 */
export const createDatabaseClock = (
  { database, log }: { database: string; log: Log },
  own: Clock = systemClock,
  elapsedMs = () => performance.now(),
): DatabaseClock => {
  let from = { time: own().getTime(), elapsedMs: elapsedMs() };
  let isOff = false;
  const time = (): number => from.time + elapsedMs() - from.elapsedMs;
  const setTo = (next: number): void => {
    from = { time: next, elapsedMs: elapsedMs() };
  };
  const correct = (told: Told): void => {
    if (agrees(own().getTime(), told)) setTo(own().getTime());
    else if (!agrees(time(), told)) setTo(told.at.getTime() + told.tookMs / 2);
  };
  return {
    now: () => new Date(Math.round(time())),
    hear: (told) => {
      correct(told);
      const wasOff = isOff;
      isOff = !agrees(own().getTime(), told);
      const seconds = (own().getTime() - told.at.getTime() - told.tookMs / 2) / 1000;
      ahead.set({ database }, seconds);
      if (isOff && !wasOff) log.warn({ msg: 'clock.off', database, aheadSeconds: seconds });
      if (wasOff && !isOff) log.info({ msg: 'clock.right-again', database });
    },
  };
};

const clocks = new WeakMap<Connection, Clock>();

/** The clock of a connection's database; the machine's for a connection that `connectMongo` did not open. */
export const clockOf = (connection: Connection): Clock => clocks.get(connection) ?? systemClock;

/** The server that writes tells the time; one that says nothing of it in `hello` is asked by itself. */
const timeOf = async ({ db }: Connection): Promise<Date | undefined> => {
  const hello = await db?.command({ hello: 1 });
  if (!hello || hello.localTime instanceof Date) return hello?.localTime;
  const pipeline = [{ $documents: [{}] }, { $project: { now: '$$NOW' } }];
  const reply = await db?.command({ aggregate: 1, pipeline, cursor: {} }).catch(() => undefined);
  return reply?.cursor.firstBatch[0]?.now;
};

/** What time it is for the database; undefined where it does not tell. */
export const askTime = async (connection: Connection): Promise<Told | undefined> => {
  const askedAt = performance.now();
  const at = await timeOf(connection);
  return at && { at, tookMs: performance.now() - askedAt };
};

/** Between two questions time goes by evenly, and a machine's is right or wrong for longer. */
const ASKED_EVERY_MS = 60_000;

interface Followed extends Closable {
  now: Clock;
}

/** Follows the clock of a connection's database: asks what time it is now, and once a minute. */
export const followClock = async (connection: Connection, database: string, log: Log): Promise<Followed> => {
  const { now, hear } = createDatabaseClock({ database, log });
  const ask = async (): Promise<void> => {
    const told = await askTime(connection);
    if (told) hear(told);
  };
  await ask();
  clocks.set(connection, now);
  const asking = startSweeper({ name: `clock of ${database}`, everyMs: ASKED_EVERY_MS, run: ask, log });
  return { now, close: asking.close };
};
