import { quietLog, testStack } from '@assay/testing';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { connectMongo } from './connect.ts';
import { askTime, clockOf, createDatabaseClock } from './database-clock.ts';

const { mongoUrl, database: nameOf } = testStack();
const START = Date.parse('2026-01-01T00:00:00Z');
const HOUR = 3_600_000;

/** A machine whose clock is off by `skewMs`, and a database with a correct clock. */
const machine = () => {
  let [elapsedMs, skewMs] = [0, 0];
  const own = () => new Date(START + elapsedMs + skewMs);
  const lines: string[] = [];
  const log = {
    ...quietLog,
    warn: ({ msg }: { msg: string }) => lines.push(msg),
    info: ({ msg }: { msg: string }) => lines.push(msg),
  };
  let doubts = 0;
  const onDoubt = () => {
    doubts += 1;
  };
  const options = { database: 'd', log, onDoubt, own, elapsedMs: () => elapsedMs };
  const { now, synchronise } = createDatabaseClock(options);
  return {
    lines,
    /** Reads the clock. Returns whether the database has to be asked. */
    isDoubted: (): boolean => {
      const before = doubts;
      now();
      return doubts > before;
    },
    pass: (ms: number): void => {
      elapsedMs += ms;
    },
    jump: (ms: number): void => {
      skewMs = ms;
    },
    /** Asks the database, whose answer takes `tookMs`. */
    ask: (tookMs = 0): void => {
      const at = new Date(START + elapsedMs + tookMs / 2);
      elapsedMs += tookMs;
      synchronise({ at, tookMs });
    },
    keepSilent: () => synchronise(undefined),
    /** The error of the process's clock, and whether it agrees with the machine's clock. */
    offMs: () => now().getTime() - START - elapsedMs,
    agreesWithMachine: () => now().getTime() === own().getTime(),
  };
};

describe('the clock of a process', () => {
  test("is the machine's if that agrees with the database's", () => {
    const { jump, ask, agreesWithMachine, lines } = machine();
    jump(1500);
    ask();
    expect(agreesWithMachine()).toBe(true);
    expect(lines).toEqual([]);
  });

  test.each([HOUR, -HOUR, 24 * HOUR, -24 * HOUR])("continues evenly when the machine's jumps by %d ms", (skewMs) => {
    const { jump, ask, pass, offMs, lines } = machine();
    ask();
    jump(skewMs);
    pass(5000);
    expect(offMs()).toBe(0);
    ask(10);
    expect(offMs()).toBe(0);
    expect(lines).toEqual(['clock.off']);
    jump(0);
    ask(10);
    expect(lines).toEqual(['clock.off', 'clock.right-again']);
  });

  test("is set by the database if the machine's is wrong from the start", () => {
    const { jump, ask, offMs, lines } = machine();
    jump(-HOUR);
    ask(20);
    expect(offMs()).toBe(0);
    expect(lines).toEqual(['clock.off']);
  });

  test("asks the database when the machine's clock jumped, or the machine was suspended", () => {
    const { jump, ask, pass, isDoubted } = machine();
    ask();
    pass(10_000);
    expect(isDoubted()).toBe(false);
    jump(30_000);
    expect(isDoubted()).toBe(true);
    ask();
    expect(isDoubted()).toBe(false);
    jump(0);
    expect(isDoubted()).toBe(true);
  });

  test("is the machine's if the database gives no time", () => {
    const { jump, keepSilent, isDoubted, agreesWithMachine } = machine();
    jump(HOUR);
    keepSilent();
    expect([agreesWithMachine(), isDoubted()]).toEqual([true, false]);
  });

  test('is not changed by a slow answer', () => {
    const { ask, offMs } = machine();
    ask();
    ask(80_000);
    expect(offMs()).toBe(0);
  });

  test("is never off by more than the tolerance, whatever the machine's does", () => {
    const step = fc.record({
      skewMs: fc.integer({ min: -24 * HOUR, max: 24 * HOUR }),
      ms: fc.nat(20_000),
      tookMs: fc.nat(2000),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1 }), (steps) => {
        const { jump, ask, pass, offMs } = machine();
        ask();
        for (const { skewMs, ms, tookMs } of steps) {
          jump(skewMs);
          pass(ms);
          ask(tookMs);
          expect(Math.abs(offMs())).toBeLessThanOrEqual(2000 + tookMs);
        }
      }),
    );
  });
});

test('a connection gives the time of its server', async () => {
  const mongodb = await connectMongo(mongoUrl, nameOf('clock'), quietLog);
  const answer = await askTime(mongodb.connection);
  expect(Math.abs((answer?.at.getTime() ?? 0) - Date.now())).toBeLessThan(5000);
  expect(Math.abs(mongodb.now().getTime() - Date.now())).toBeLessThan(5000);
  expect(clockOf(mongodb.connection)).toBe(mongodb.now);
  await mongodb.close();
});
