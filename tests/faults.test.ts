import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SERVICE_NAMES } from '@assay/contracts';
import { freePort } from '@assay/local-stack';
import { readStack } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { journeysOf } from './faults/load.ts';
import { planOf } from './faults/plan.ts';
import { runFaults } from './faults/run.ts';
import { openStage, type Stage, stackFile } from './faults/stage.ts';

/**
 * A short run of the fault suite. It uses the engines that other stories share, so it kills none of
 * them.
 */

const input = { seed: 17, submissions: 24, faults: 7, kills: 2 };
const mix = { passports: 10, selfies: 0, deletions: 20 };

let folder: string;
let stage: Stage;
/**
 * The statuses that the gateway answered to the seed's administrator key while the suite started.
 */
let early: number[];

/** Calls the gateway until `opening` settles, and returns the statuses that it answered. */
const answersWhile = async (opening: Promise<unknown>, port: number): Promise<number[]> => {
  const answers = new Set<number>();
  const seedFile = join(folder, 'suite/seed.json');
  let isOver = false;
  const over = opening.finally(() => {
    isOver = true;
  });
  const ask = async (): Promise<void> => {
    const seed = JSON.parse(readFileSync(seedFile, 'utf8')) as { administrator: string };
    const answer = await fetch(`http://127.0.0.1:${port}/admin/v1/keys`, { headers: { apikey: seed.administrator } });
    answers.add(answer.status);
  };
  while (!isOver) {
    if (existsSync(seedFile)) await ask().catch(() => undefined);
    await pause(5);
  }
  await over;
  return [...answers];
};
beforeAll(async () => {
  folder = mkdtempSync(join(process.env.TEST_RUN_BASE ?? tmpdir(), 'assay-faults-'));
  const { mongoUrl, amqpUrl } = readStack();
  const port = await freePort();
  const opening = openStage({ mongoUrl, amqpUrl, killable: [] }, join(folder, 'suite'), {
    ...{ replicas: 1, port, env: { ENGINE_PROCESSES: '1' } },
  });
  early = await answersWhile(opening, port);
  stage = await opening;
  process.env.TEST_STACK_FILE = stackFile(stage.runDir);
}, 180_000);
afterAll(async () => {
  await stage?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}, 60_000);

test('the gateway admits no call before it knows the keys of the seed', () => {
  expect(early).not.toContain(401);
  expect(early.filter((status) => status >= 500 && status !== 503)).toEqual([]);
});

test('the same seed gives the same faults and the same load, and another seed gives others', () => {
  const plan = (seed: number) =>
    planOf({ seed, submissions: 1000, faults: 100, kills: 20, processes: SERVICE_NAMES, services: SERVICE_NAMES });
  expect(plan(5)).toEqual(plan(5));
  expect(plan(5)).not.toEqual(plan(6));
  expect(plan(5).filter(({ fault }) => fault.kind === 'kill')).toHaveLength(20);
  expect(plan(5).map(({ at }) => at)).toEqual(
    plan(5)
      .map(({ at }) => at)
      .toSorted((a, b) => a - b),
  );
  expect(journeysOf(5, 100, mix)).toEqual(journeysOf(5, 100, mix));
  expect(journeysOf(5, 100, mix).flatMap(({ submissions }) => submissions)).toHaveLength(100);
});

test('no promise is broken while faults strike every line and processes die', async () => {
  const { broken, figures, plan } = await runFaults(stage, {
    ...{ ...input, mix, everyMs: 250, patienceMs: 120_000, proofs: 5 },
    say: () => undefined,
  });
  expect(broken).toEqual([]);
  expect(plan).toHaveLength(input.faults + input.kills);
  expect(figures).toMatchObject({ 'submissions sent': 24, 'accepted (2xx)': 24, 'proofs verified offline': 5 });
}, 300_000);
