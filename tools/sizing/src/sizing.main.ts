/**
 * npm run sizing -- --documents-per-minute N [--measured FILE] [--inputs FILE] [--json]
 * npm run sizing -- --page
 *
 * What an installation for so many verifications a minute takes, day and night: replicas, queues,
 * shards, storage, money, and which part is full first. A verification is a document by image and a
 * selfie. It is reckoned from what one was measured to take; docs/scaling.md says how far that can
 * be trusted.
 *   --documents-per-minute N   verifications a minute
 * --measured FILE            what `npm run bench:verification -- --json FILE` wrote on a machine of
 * yours
 * --inputs FILE              limits, times and prices of yours, in the form of
 * tools/sizing/inputs.json
 *   --json                     the plan as JSON
 *   --page                     the tables of docs/scaling.md
 */
import { readArguments } from '../../../scripts/arguments.mjs';
import { type Inputs, type Measured, readInputs, readMeasured, readMeasuredWorkers } from './inputs.ts';
import { limitsTable, pageOf, plansTable } from './page.ts';
import { planFor } from './plan.ts';
import { arrivalsOf, simulate, stagesOf, waitsOf } from './simulation.ts';

const SEED = 1;
const PLAYED = 20_000;
/** More than mankind has documents. */
const MOST = 1e7;

const options = readArguments(import.meta.filename, {
  'documents-per-minute': { type: 'string' },
  measured: { type: 'string' },
  inputs: { type: 'string' },
  json: { type: 'boolean' },
  page: { type: 'boolean' },
});

const print = (perMinute: number, measured: Measured, inputs: Inputs): void => {
  const plan = planFor(perMinute, measured, inputs);
  const arrivals = arrivalsOf(PLAYED, perMinute, SEED);
  const played = waitsOf(arrivals, simulate(arrivals, stagesOf(plan, measured, inputs, SEED)));
  if (options.json) {
    console.log(JSON.stringify({ ...plan, played }, null, 2));
    return;
  }
  console.log(`measured ${measured.measuredAt} on ${measured.machine}\n`);
  console.log(`${plansTable([plan])}\n\n${limitsTable([plan])}\n`);
  const milliseconds = (value: number): string => `${Math.round(value)} ms`;
  console.log(
    `${PLAYED} of them played: half pass all services within ${milliseconds(played.p50)}, 95 of 100 within ${milliseconds(played.p95)}`,
  );
};

const run = (): void => {
  const measured = readMeasured(options.measured);
  const inputs = readInputs(options.inputs);
  if (options.page) {
    console.log(pageOf(measured, inputs, readMeasuredWorkers()).join('\n\n'));
    return;
  }
  const perMinute = Number(options['documents-per-minute']);
  if (!(perMinute > 0 && perMinute <= MOST))
    throw new Error(`--documents-per-minute takes a number from above 0 to ${MOST}`);
  print(perMinute, measured, inputs);
};

process.on('uncaughtException', ({ message }) => {
  console.error(message);
  process.exitCode = 2;
});
run();
