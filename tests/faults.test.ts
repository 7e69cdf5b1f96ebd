import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readStack } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { journeysOf } from './faults/load.ts';
import { planOf } from './faults/plan.ts';
import { runFaults } from './faults/run.ts';
import { openStage, SERVICES, type Stage, stackFile } from './faults/stage.ts';

/* A short run of the fault suite, on the engines of the other stories: so none of those is killed. */

const input = { seed: 17, submissions: 24, faults: 7, kills: 2 };
const mix = { passports: 10, selfies: 0, deletions: 20 };

let folder: string;
let stage: Stage;
beforeAll(async () => {
  folder = mkdtempSync(join(process.env.TEST_RUN_BASE ?? tmpdir(), 'assay-faults-'));
  const { mongoUrl, amqpUrl } = readStack();
  stage = await openStage({ mongoUrl, amqpUrl, killable: [] }, join(folder, 'suite'), {
    replicas: 1,
    env: { ENGINE_PROCESSES: '1' },
  });
  process.env.TEST_STACK_FILE = stackFile(stage.runDir);
}, 180_000);
afterAll(async () => {
  await stage?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}, 60_000);

test('the same seed gives the same faults and the same load, another one others', () => {
  const plan = (seed: number) =>
    planOf({ seed, submissions: 1000, faults: 100, kills: 20, processes: SERVICES, services: SERVICES });
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
