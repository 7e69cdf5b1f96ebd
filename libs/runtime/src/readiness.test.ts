import { mock } from 'node:test';
import { describe, expect, jest, test } from '@jest/globals';
import { createAdmin } from './admin.ts';
import { createApart } from './apart.ts';
import { pauseAfter } from './backoff.ts';
import type { Log } from './log.ts';
import { createPatience, watchedReadiness, watchReadiness } from './readiness.ts';
import { startSweeper } from './sweeper.ts';

const lines: { msg?: string }[] = [];
const write = (line: unknown) => void lines.push(line as { msg?: string });
const log: Log = { info: write, warn: write, error: write, debug: write, fatal: write };

const eventually = async (what: () => boolean): Promise<void> => {
  while (!what()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('readiness of the process', () => {
  test('names each part with its reason, and drops a part that ended', async () => {
    const admin = createAdmin();
    const server = await admin.listen(0, '127.0.0.1');
    const { port } = server.address() as { port: number };
    const ask = async () => {
      const response = await fetch(`http://127.0.0.1:${port}/health/ready`);
      return { status: response.status, body: await response.json() };
    };
    admin.ready('mongodb', () => true);
    admin.ready('started', () => true);
    const unwatch = watchReadiness('consumer a.b', () => ({ reason: 'not subscribed' }));
    expect(await ask()).toEqual({
      status: 503,
      body: {
        status: 'DOWN',
        parts: { 'consumer a.b': false, mongodb: true, started: true, accepting: true },
        reasons: { 'consumer a.b': 'not subscribed' },
      },
    });
    unwatch();
    expect(await ask()).toMatchObject({ status: 200, body: { status: 'UP' } });
    server.close();
  });

  test('of two parts with one name the one that does not work counts', () => {
    const first = watchReadiness('twice', () => ({ reason: 'broken' }));
    const second = watchReadiness('twice', () => true);
    expect(watchedReadiness().get('twice')).toEqual({ reason: 'broken' });
    first();
    second();
  });
});

describe('a process that is not ready ends', () => {
  const fault = [{ reason: 'not subscribed' }];
  const outage = [{ reason: 'not connected', isDependency: true }];
  const patience = (random = 0) => createPatience({ limitMs: 100, random });

  test('after its limit', () => {
    const isOver = patience();
    expect([isOver(fault, 0), isOver(fault, 99), isOver(fault, 100)]).toEqual([false, false, true]);
  });
  test('not if it was ready in between', () => {
    const isOver = patience();
    expect([isOver(fault, 0), isOver([], 60), isOver(fault, 120)]).toEqual([false, false, false]);
  });
  test('much later if only a dependency is missing', () => {
    const isOver = patience();
    expect([isOver(outage, 0), isOver(outage, 999), isOver(outage, 1000)]).toEqual([false, false, true]);
  });
  test('spread over time', () => {
    const isOver = patience(1);
    expect([isOver(fault, 0), isOver(fault, 124), isOver(fault, 125)]).toEqual([false, false, true]);
  });
});

describe('a sweeper', () => {
  test('is not ready while its rounds fail, and again once one succeeds', async () => {
    let isBroken = true;
    const run = async () => {
      if (isBroken) throw new TypeError('broken');
    };
    const sweeper = startSweeper({ name: 'failing', everyMs: 5, run, log, allowedMs: 30 });
    const part = () => watchedReadiness().get('sweeper failing');
    expect(part()).toBe(true);
    // On a busy machine the round itself takes longer than it may, which is another reason.
    await eventually(() => JSON.stringify(part()).includes('TypeError'));
    expect(part()).toMatchObject({ reason: expect.stringContaining('TypeError'), isDependency: false });
    isBroken = false;
    await eventually(() => part() === true);
    await sweeper.close();
    expect(part()).toBeUndefined();
  });

  test('is not ready while a round hangs', async () => {
    let end = (): void => undefined;
    const run = () => new Promise<void>((resolve) => (end = resolve));
    const sweeper = startSweeper({ name: 'hanging', everyMs: 5, run, log, allowedMs: 30 });
    await eventually(() => watchedReadiness().get('sweeper hanging') !== true);
    const closed = sweeper.close();
    end();
    await closed;
  });

  test('is ready while a long round makes progress, however slowly', async () => {
    const readiness: unknown[] = [];
    const apart = createApart({ sweeper: 'slow', log });
    const work = async () => {
      readiness.push(watchedReadiness().get('sweeper slow'));
      await new Promise((resolve) => setTimeout(resolve, 10));
    };
    const run = () =>
      apart.each(
        Array.from({ length: 8 }, (_, n) => `${n}`),
        (id) => id,
        work,
      );
    const sweeper = startSweeper({ name: 'slow', everyMs: 5, run, log, allowedMs: 30 });
    await eventually(() => readiness.length >= 8);
    await sweeper.close();
    expect(new Set(readiness)).toEqual(new Set([true]));
  });

  test('pauses longer and longer while it finds nothing, and shorter again once it finds something or is woken', async () => {
    const pauses: number[] = [];
    let last = performance.now();
    let result: string | undefined = 'nothing';
    const run = async () => {
      pauses.push(performance.now() - last);
      last = performance.now();
      return result;
    };
    const sweeper = startSweeper({ name: 'idle', everyMs: 20, idleMs: 640, run, log });
    await eventually(() => pauses.length === 4);
    expect(pauses[3]).toBeGreaterThanOrEqual(150);
    result = undefined;
    await eventually(() => pauses.length === 5);
    expect(pauses[4]).toBeGreaterThanOrEqual(310);
    // A busy machine makes one pause longer, but not as long as the sum of the pauses that would be
    // due.
    await eventually(() => pauses.length === 7);
    expect((pauses[5] ?? 0) + (pauses[6] ?? 0)).toBeLessThan(640);
    result = 'nothing';
    await eventually(() => pauses.length === 13);
    sweeper.wake();
    await eventually(() => pauses.length === 14);
    expect(pauses[13]).toBeLessThan(630);
    await sweeper.close();
  });

  test('repeats a failed round soon, however seldom rounds are', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const outcomes = ['fails', 'fails', 'succeeds', 'succeeds'];
    let rounds = 0;
    const run = async () => {
      rounds += 1;
      if (outcomes[rounds - 1] === 'fails') throw new Error('the database is away');
    };
    const sweeper = startSweeper({ name: 'seldom', everyMs: 600_000, run, log });
    const roundsAfter = async (ms: number) => {
      mock.timers.tick(ms);
      await new Promise((resolve) => setImmediate(resolve));
      return rounds;
    };
    expect(await roundsAfter(600_000)).toBe(1);
    sweeper.wake();
    expect(await roundsAfter(30_000)).toBe(2);
    expect(await roundsAfter(30_000)).toBe(3);
    expect(await roundsAfter(599_000)).toBe(3);
    expect(await roundsAfter(1000)).toBe(4);
    mock.timers.reset();
    await sweeper.close();
  });

  test('handles each item separately: a bad one is retried with growing pauses and does not stop others', async () => {
    let ms = 0;
    const done: string[] = [];
    const apart = createApart({ sweeper: 'items', log, elapsedMs: () => ms });
    const round = () =>
      apart.each(
        ['a', 'bad', 'b'],
        (id) => id,
        async (id) => {
          done.push(id);
          if (id === 'bad') throw new TypeError('no array');
        },
      );
    await round();
    expect(apart.resting()).toEqual(['bad']);
    await round();
    expect(done).toEqual(['a', 'bad', 'b', 'a', 'b']);
    ms = 1300;
    await round();
    expect(done.filter((id) => id === 'bad')).toHaveLength(2);
    ms = 2700;
    expect(apart.resting()).toEqual(['bad']);
  });

  test('an item whose dependency is down stops no other one, unless that takes long', async () => {
    let ms = 0;
    const done: string[] = [];
    const apart = createApart({ sweeper: 'items', log, elapsedMs: () => ms });
    const round = (takesMs: number) =>
      apart.each(
        ['a', 'down', 'b', 'also down', 'c'],
        (id) => id,
        async (id) => {
          if (id.endsWith('down')) ms += takesMs;
          if (id.endsWith('down')) throw Object.assign(new Error(id), { status: 503 });
          done.push(id);
        },
      );
    await expect(round(10)).rejects.toThrow(/^down$/);
    expect(done).toEqual(['a', 'b', 'c']);
    expect(apart.resting()).toEqual([]);
    await expect(round(10)).rejects.toThrow(/^down$/);
    expect(apart.resting()).toEqual(['down', 'also down']);
    await round(10);
    for (let n = 0; n < 20; n += 1) {
      ms += 36_000;
      await expect(round(10)).rejects.toThrow(/^down$/);
    }
    ms += 36_000;
    expect(apart.resting()).toEqual([]);
    done.splice(0);
    await expect(round(1000)).rejects.toThrow(/^down$/);
    expect(done).toEqual(['a']);
  });

  test('tries a bad item again after its pause, also where the clock is set back meanwhile', async () => {
    // Before `createApart`, which could keep the function itself.
    const clock = jest.spyOn(Date, 'now');
    const apart = createApart({ sweeper: 'items', log });
    await apart.each(
      ['bad'],
      (id) => id,
      () => Promise.reject(new TypeError('no array')),
    );
    expect(apart.resting()).toEqual(['bad']);
    clock.mockReturnValue(0);
    await eventually(() => apart.resting().length === 0);
    clock.mockRestore();
  });

  test('ends the round when a dependency is down', async () => {
    const apart = createApart({ sweeper: 'items', log });
    const down = async () => {
      throw Object.assign(new Error('down'), { code: 'ECONNREFUSED' });
    };
    await expect(apart.each(['a'], (id) => id, down)).rejects.toThrow('down');
    expect(apart.resting()).toEqual([]);
  });
});

test('pauses grow to the longest and are spread', () => {
  const backoff = { firstMs: 100, longestMs: 1000 };
  expect([1, 2, 3, 9].map((failures) => pauseAfter(failures, backoff, 0.5))).toEqual([100, 200, 400, 1000]);
  expect([pauseAfter(1, backoff, 0), pauseAfter(1, backoff, 1)]).toEqual([80, 120]);
});
