import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { todayAt } from '@assay/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { isUnreadable } from './engine.ts';
import { openProcessPool } from './process-pool.ts';
import { type MisbehavingPool, openMisbehavingPool } from './testing/misbehaving-pool.ts';

let folder: string;
let pool: MisbehavingPool;
const crashes: string[] = [];
const limits = { requestMs: 12_000, startMs: 90_000, memoryMb: 700 };

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'engine-'));
  const onCrash = (reason: string): number => crashes.push(reason);
  pool = await openMisbehavingPool({ size: 2, othersAfterMs: 3_600_000, limits, onCrash });
}, 120_000);

afterAll(async () => {
  await pool.close();
  await rm(folder, { recursive: true });
});

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('opens with one process, and starts the other when a job waits', async () => {
  expect(pool.pids()).toHaveLength(1);
  await Promise.all([pool.misbehave('sleep'), pool.misbehave('sleep')]);
  while (pool.pids().length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
}, 120_000);

describe('a crash inside a job', () => {
  test('causes one retry in a new process, and does not affect other jobs', async () => {
    const before = pool.pids();
    const marker = path.join(folder, 'crashed-once');
    const neighbour = pool.misbehave('sleep');
    const retried = await pool.misbehave('segfault', marker);
    expect(before).toContain((await neighbour).pid);
    expect(isAlive(retried.pid)).toBe(true);
    expect(crashes).toContain('SIGSEGV');
  }, 60_000);

  test('that happens again ends the job, not the pool', async () => {
    await expect(pool.misbehave('exit')).rejects.toMatchObject({ name: 'EngineCrashed' });
    await expect(pool.misbehave('sleep')).resolves.toHaveProperty('pid');
    expect(pool.pending()).toBe(0);
  }, 60_000);
});

test('a job waits only until it is known that processes no longer start, and does not count as the cause', async () => {
  const program = path.join(folder, 'host.mjs');
  // Ready at once. A job ends it, and then it cannot be started again.
  await writeFile(program, "process.on('message', () => process.exit(3)); process.send({ kind: 'ready' });");
  const dying = await openProcessPool({ size: 1, program, restartAfterMs: 1 });
  await writeFile(program, 'process.exit(4);');
  await expect(dying.run({ kind: 'portrait', job: { image: Buffer.alloc(0) } })).rejects.toMatchObject({
    name: 'EngineUnavailable',
  });
  await dying.close();
}, 60_000);

test('a job that never ends is ended, and not tried again', async () => {
  const hasty = await openMisbehavingPool({ size: 1, limits: { ...limits, requestMs: 1000 } });
  await expect(hasty.misbehave('hang')).rejects.toMatchObject({ name: 'EngineTimeout' });
  await hasty.close();
}, 60_000);

test('a job that uses too much memory loses its process before the machine runs out', async () => {
  await expect(pool.misbehave('eat-memory')).rejects.toMatchObject({
    name: 'EngineCrashed',
    message: 'too much memory',
  });
}, 60_000);

test('an error in our code is reported as one and ends no process', async () => {
  const before = crashes.length;
  await expect(pool.misbehave('throw')).rejects.toMatchObject({ name: 'EngineFault' });
  expect(crashes).toHaveLength(before);
}, 60_000);

describe('hostile pictures are unreadable, quickly and with bounded memory', () => {
  const specimen = path.resolve(import.meta.dirname, '../../../specimens/passport.jpg');
  const see = (front: Uint8Array) =>
    pool.run({ kind: 'document', job: { front, details: {}, today: todayAt(new Date('2026-01-01')) } });

  // What counts is the time of a picture, not that of a process which starts and loads its code:
  // after the crashes above, each may have to.
  beforeAll(async () => {
    const both = () => Promise.all([pool.misbehave('sleep'), pool.misbehave('sleep')]);
    let [one, other] = await both();
    while (one.pid === other.pid) [one, other] = await both();
    await Promise.all([see(Buffer.alloc(0)), see(Buffer.alloc(0))]);
  }, 120_000);

  test.each([
    [
      'a hundred megapixels in 300 kB',
      () =>
        sharp({ create: { width: 10_000, height: 10_000, channels: 3, background: '#777' } })
          .png()
          .toBuffer(),
    ],
    ['cut in half', async () => (await readFile(specimen)).subarray(0, 150_000)],
    [
      'a text with the first bytes of a JPEG',
      async () => Buffer.concat([(await readFile(specimen)).subarray(0, 400), Buffer.from('<script>'.repeat(1000))]),
    ],
    [
      'a drawing with entities',
      async () =>
        Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9000" height="9000"/>'),
    ],
    ['nothing', async () => Buffer.alloc(0)],
  ])(
    '%s',
    async (_name, picture) => {
      const front = await picture();
      const started = performance.now();
      const result = await see(front);
      expect(isUnreadable(result) && result.error).toMatchObject({ code: '1500', field: 'DocumentFront' });
      expect(performance.now() - started).toBeLessThan(4_000);
    },
    60_000,
  );

  test('and do not affect the processes', async () => {
    const before = crashes.length;
    const selfie = await readFile(path.resolve(specimen, '../selfie-same.jpg'));
    const archive = Buffer.concat([selfie, Buffer.from('PK\x03\x04'), Buffer.alloc(5_000)]);
    const seen = await pool.run({ kind: 'portrait', job: { image: archive } });
    expect(isUnreadable(seen)).toBe(false);
    expect(crashes).toHaveLength(before);
  }, 60_000);
});

test('closing lets running jobs finish, refuses waiting ones and leaves no process', async () => {
  // Processes that are being replaced are ready before the test begins.
  await Promise.all([1, 2, 3].map(() => pool.misbehave('sleep')));
  const jobs = [1, 2, 3, 4].map(() => pool.misbehave('sleep'));
  const settled = Promise.allSettled(jobs);
  const pids = pool.pids();
  await pool.close();
  const outcomes = (await settled).map((job) => (job.status === 'rejected' ? job.reason.name : job.status));
  expect(outcomes).toContain('fulfilled');
  expect(outcomes.filter((outcome) => outcome === 'EngineClosed').length).toBeGreaterThanOrEqual(2);
  expect(pids.filter(isAlive)).toEqual([]);
  await expect(pool.misbehave('sleep')).rejects.toMatchObject({ name: 'EngineClosed' });
}, 60_000);
