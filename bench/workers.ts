/**
 * npm run bench:workers [-- --rounds N] [--json FILE]
 *
 * Starts suites with 1, 2 and 4 workers, each with one process for images, one after the other, and
 * measures how many verifications a minute eight clients get out of each. What a verification took
 * with 2 workers calibrates the simulation of `tools/sizing/src/one-machine.ts`, which predicts the
 * others. The machine must have nothing else to do.
 *   --rounds N    verifications that are measured with each number of workers (48)
 *   --json FILE   writes the figures: docs/scaling.md shows tools/sizing/measured/workers.json
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { countsOf, newTenant, startWebhookReceiver } from '@assay/testing';
import { readArguments } from '../scripts/arguments.mjs';
import { stepsOf, throughputOf } from '../tools/sizing/src/one-machine.ts';
import { onSuite } from './on-suite.ts';
import { severalAtOnce, verify } from './verification-flow.ts';

const CLIENTS = 8;
const CALIBRATED_WITH = 2;
const WORKERS = [CALIBRATED_WITH, 1, 4];

const options = readArguments(import.meta.filename, {
  rounds: { type: 'string', default: '48' },
  json: { type: 'string' },
});
const rounds = Number(options.rounds);

interface Run {
  workers: number;
  perMinute: number;
  /** Of each service, for one verification. */
  processorMs: Record<string, number>;
}

const measure = async (workers: number): Promise<Run> => {
  const receiver = await startWebhookReceiver();
  const webhook = { url: receiver.url, mode: 'HMAC', headerName: 'x-signature', secret: 'a webhook secret' } as const;
  const tenant = await newTenant('workers', { webhook });
  const one = async (): Promise<unknown> => (await verify(tenant, receiver))();
  await severalAtOnce(CLIENTS * 2, CLIENTS, one);
  const started = performance.now();
  const { processorMs } = await countsOf(() => severalAtOnce(rounds, CLIENTS, one));
  const minutes = (performance.now() - started) / 60_000;
  await receiver.close();
  const per = Object.fromEntries([...processorMs].map(([name, ms]) => [name, Math.round((ms / rounds) * 10) / 10]));
  return { workers, perMinute: rounds / minutes, processorMs: per };
};

const runWith = (workers: number): Promise<Run> =>
  onSuite(() => measure(workers), { env: { ENGINE_PROCESSES: '1' }, args: ['--workers', String(workers)] });

const runs: Run[] = [];
for (const workers of WORKERS) runs.push(await runWith(workers));

const [calibration] = runs as [Run, ...Run[]];
const steps = stepsOf(calibration.processorMs);
const simulated = (workers: number): number =>
  throughputOf(steps, { cores: cpus().length, clients: CLIENTS, atOnce: { 'verification-worker': workers } });
/** What clients, waits for the disk and the like take of the machine. */
const share = calibration.perMinute / simulated(CALIBRATED_WITH);

const figures = {
  measuredAt: new Date().toISOString(),
  command: `npm run bench:workers -- --rounds ${rounds}`,
  machine: `${cpus().length} x ${cpus()[0]?.model}, node ${process.version}`,
  clients: CLIENTS,
  share: Math.round(share * 1000) / 1000,
  calibratedWith: calibration,
  workers: runs
    .toSorted((one, other) => one.workers - other.workers)
    .map(({ workers, perMinute }) => ({
      workers,
      predicted: Math.round(share * simulated(workers) * 10) / 10,
      measured: Math.round(perMinute * 10) / 10,
    })),
};
console.log(JSON.stringify(figures, null, 2));
if (options.json) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
