import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';

/**
 * The simulation of tests/simulation, in processes of its own: it has all of this program's time
 * and randomness replaced.
 */

interface Run {
  seed: number;
  findings: string[];
  digest: string;
  accepted: number;
}

const simulated = async (from: number, seeds: number, scenario: object = {}): Promise<Run[]> => {
  const program = join(import.meta.dirname, '../scripts/simulate.mjs');
  const drawn = ['--from', `${from}`, '--seeds', `${seeds}`];
  const options = [program, ...drawn, '--scenario', JSON.stringify(scenario), '--tied', '--json'];
  // Ends with 1 where there are findings: what they are is in the answer.
  const run = promisify(execFile)(process.execPath, options, { maxBuffer: 64 * 1024 * 1024 });
  const { stdout } = await run.catch((error: { stdout: string; stderr: string }) => {
    if (!error.stdout.includes('{"results"')) throw new Error(error.stderr);
    return error;
  });
  return JSON.parse(stdout.slice(stdout.indexOf('{"results"'))).results;
};

/** A seed is a second or two of a processor; docs/reliability.md says which others ran. */
const SEEDS = process.env.PROPERTY_RUNS ? 500 : 200;

let all: Run[];
let again: Run | undefined;
beforeAll(async () => {
  all = await simulated(1, SEEDS);
  [again] = await simulated(50, 1);
}, 1_800_000);

test(`no promise is broken under the faults of ${SEEDS} seeds`, () => {
  expect(all.filter(({ findings }) => findings.length > 0)).toEqual([]);
  expect(new Set(all.map(({ seed }) => seed)).size).toBe(SEEDS);
  expect(all.reduce((sum, { accepted }) => sum + accepted, 0)).toBeGreaterThan(2 * SEEDS);
});

test('the same seed gives the same events, alone or after 49 others; another one others', () => {
  const [before, same] = [all[48], all[49]];
  expect(same).toEqual(again);
  expect(before?.digest).not.toBe(same?.digest);
});

test('no effect is doubled where every message arrives ten times', async () => {
  const runs = await simulated(1, 4, { rates: {}, copies: 10 });
  expect(runs.flatMap(({ findings }) => findings)).toEqual([]);
  expect(runs.every(({ accepted }) => accepted > 0)).toBe(true);
}, 240_000);
