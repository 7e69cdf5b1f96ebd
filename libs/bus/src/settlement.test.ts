import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createGate } from './gate.ts';
import { nearestRoom, Poison, planSettlement, RetryLater, ROOMS_MS, type Tries, UnknownType } from './settlement.ts';

const fresh: Tries = { failures: 0, attempts: 0, waits: 0 };
const rules = { deliveryLimit: 5, rooms: ROOMS_MS };
const alone = { lastSuccessAt: 0, areFailing: false };
const failure = new TypeError('broken');

/**
 * Fails the same message again and again. `others` returns the results of the other messages at a
 * time.
 */
const failing = (others: (now: number) => typeof alone, until = 1000) => {
  let tries = fresh;
  let now = 1_000_000;
  const waits: number[] = [];
  for (let n = 0; n < until; n += 1) {
    const plan = planSettlement(failure, tries, others(now), rules, now);
    tries = plan.tries;
    if (plan.outcome === 'dead-letter') return { waits, now, isDead: true };
    waits.push(plan.roomMs);
    now += plan.roomMs;
  }
  return { waits, now, isDead: false };
};

describe('a message that fails', () => {
  test('while others succeed becomes a dead letter after five failures, over half a minute and more', () => {
    const { waits, isDead } = failing((now) => ({ lastSuccessAt: now, areFailing: false }));
    expect([waits, isDead]).toEqual([[250, 1000, 5000, 30_000], true]);
  });
  test('while there are no others becomes a dead letter after all waiting rooms', () => {
    expect(failing(() => alone)).toMatchObject({ waits: ROOMS_MS, isDead: true });
  });
  test('while others fail too is retried as long as its key can be read', () => {
    const { now, isDead } = failing(() => ({ lastSuccessAt: 0, areFailing: true }));
    expect(isDead).toBe(true);
    expect(now).toBeGreaterThanOrEqual(72 * 3600_000);
  });
  test('never becomes a dead letter within the first seconds, whatever happens to others', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.boolean()), fc.infiniteStream(fc.boolean()), (succeed, fail) => {
        const next = <T>(stream: Iterator<T>): T => stream.next().value as T;
        const { now } = failing((at) => ({ lastSuccessAt: next(succeed) ? at : 0, areFailing: next(fail) }));
        expect(now - 1_000_000).toBeGreaterThanOrEqual(36_000);
      }),
    );
  });
});

describe('the settlement of', () => {
  const outcome = (error: unknown, tries = fresh) => planSettlement(error, tries, alone, rules, 1);
  test('poison: a dead letter at once', () => expect(outcome(new Poison('no')).outcome).toBe('dead-letter'));
  test('an unknown type: parked', () => expect(outcome(new UnknownType('new')).outcome).toBe('parked'));
  test('a quota of the database: it waits, and nothing counts against it', () => {
    const quota = Object.assign(new Error('quota'), { name: 'MongoServerError', code: 8000 });
    expect(outcome(quota)).toMatchObject({ outcome: 'dependency-down', tries: { failures: 0, waits: 1 }, roomMs: 250 });
    expect(outcome(quota, { ...fresh, waits: 99 }).roomMs).toBe(30_000);
  });
  test('an error of the database without a reason: it counts, the message may bring it about each time', () => {
    const unknown = Object.assign(new Error('unknown'), { name: 'MongoServerError', code: 8 });
    expect(outcome(unknown)).toMatchObject({ outcome: 'retry', tries: { failures: 1 } });
  });
  test('RetryLater: the room nearest to its time', () => {
    expect(outcome(new RetryLater('not yet'))).toMatchObject({ outcome: 'later', roomMs: 1000 });
    expect(outcome(new RetryLater('not yet', 45_000)).roomMs).toBe(30_000);
    expect(nearestRoom(ROOMS_MS, 1)).toBe(250);
    expect(nearestRoom(ROOMS_MS, 1e9)).toBe(600_000);
  });
});

describe('a message that asks for a later time', () => {
  /**
   * Asks for this delay again and again. Returns how long the message had waited at each attempt.
   */
  const asking = (delayMs: number): number[] => {
    const tries: number[] = [];
    let plan = planSettlement(new RetryLater('not yet', delayMs), fresh, alone, rules, 1_000_000);
    for (let waitedMs = 0; plan.outcome === 'later'; ) {
      waitedMs += plan.roomMs;
      tries.push(waitedMs);
      plan = planSettlement(new RetryLater('not yet', delayMs), plan.tries, alone, rules, 1_000_000 + waitedMs);
    }
    return tries;
  };
  test.each([250, 500, 1000, 60_000])(
    'every %d ms is still retried long after what it waits for is republished',
    (delayMs) => {
      const [last = 0] = asking(delayMs).slice(-1);
      expect(last).toBeGreaterThanOrEqual(72 * 3600_000);
    },
  );
  test('is retried soon after any time at which that may arrive, and seldom otherwise', () => {
    const tries = asking(500);
    const late = tries.map((waitedMs, n) => waitedMs - (tries[n - 1] ?? 0) - waitedMs / 10);
    expect(Math.max(...late)).toBeLessThanOrEqual(1000);
    expect(tries.length).toBeLessThan(1000);
  });
});

describe('the gate', () => {
  const soon = async (promise: Promise<unknown>): Promise<unknown> =>
    Promise.race([promise, new Promise((resolve) => setImmediate(() => resolve('waits')))]);
  const options = { firstPauseMs: 20, longestPauseMs: 20 };

  test.each(['failed', 'down'] as const)(
    'admits one at a time once messages %s, and all once one succeeds',
    async (how) => {
      const gate = createGate(options);
      for (let n = 0; n < 5; n += 1) await gate.enter();
      const narrowedAt = performance.now();
      for (let n = 0; n < 5; n += 1) gate.leave(how);
      const [first, second, third] = [gate.enter(), gate.enter(), gate.enter()];
      expect(await Promise.race([first, second, third])).toBe('enter');
      // A timer may come up to a millisecond early.
      expect(performance.now() - narrowedAt).toBeGreaterThanOrEqual(19);
      expect(await soon(first)).toBe('enter');
      expect(await soon(Promise.race([second, third]))).toBe('waits');
      gate.leave('succeeded');
      expect(await Promise.all([second, third])).toEqual(['enter', 'enter']);
    },
  );
  test('stays open while failures are single ones', async () => {
    const gate = createGate(options);
    for (const how of ['failed', 'failed', 'failed', 'failed', 'succeeded', 'failed'] as const) gate.leave(how);
    expect(gate.isNarrow()).toBe(false);
  });
  test('lets no message wait for ever', async () => {
    const gate = createGate({ firstPauseMs: 60_000, longestWaitMs: 20 });
    gate.leave('down');
    expect(await gate.enter()).toBe('waited');
    const waiting = gate.enter();
    gate.close();
    expect(await waiting).toBe('closed');
  });
});
