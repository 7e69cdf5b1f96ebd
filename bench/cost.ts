/**
 * npm run bench:cost [-- --json FILE] [--rounds N] [--busy N] [--detail]
 *
 * Starts a suite of its own and counts what each step of the main path costs: commands to the
 * database, messages, requests, processor time, bytes. Each step runs on a quiet suite and counts
 * up to the last message it causes; figures are medians of the rounds. Counts do not depend on how
 * busy the machine is; times do.
 * --json FILE   writes the figures as JSON, with the commands of each step by service, collection
 * and kind
 *   --rounds N    identities that go through all steps, one after the other (5)
 * --busy N      creations, and twice as many whole text paths, in a row whose processor time is
 * measured (20; 0 for none), on a suite that counts no commands: counting takes time, too. `again`
 * are the second half of the paths, in processes that have run them before
 *   --detail      prints the commands of each step by service, collection and kind
 */
import { writeFileSync } from 'node:fs';
import { type Counts, countIdle, openCostRounds, type Tally, totalOf } from '@assay/testing';
import { readArguments } from '../scripts/arguments.mjs';
import { median, rounded } from './figures.ts';
import { onSuite } from './on-suite.ts';

const IDLE_MS = 10_000;

const options = readArguments(import.meta.filename, {
  json: { type: 'string' },
  rounds: { type: 'string', default: '5' },
  busy: { type: 'string', default: '20' },
  detail: { type: 'boolean', default: false },
});

/** The median of each entry; one that a round does not have counts as nothing there. */
const medians = (tallies: readonly Tally[]): Record<string, number> =>
  Object.fromEntries(
    [...new Set(tallies.flatMap((tally) => [...tally.keys()]))]
      .sort()
      .map((key): [string, number] => [key, median(tallies.map((tally) => tally.get(key) ?? 0))])
      .filter(([, value]) => value > 0),
  );

const figuresOf = (rounds: readonly Counts[]) => {
  const total = (pick: (counts: Counts) => Tally) => median(rounds.map((counts) => totalOf(pick(counts))));
  return {
    databaseOperations: total(({ database }) => database),
    messagesPublished: total(({ published }) => published),
    messagesHandled: total(({ handled }) => handled),
    httpRequests: total(({ requests }) => requests),
    processorMs: total(({ processorMs }) => processorMs),
    kilobytesWritten: Math.round(total(({ bytesWritten }) => bytesWritten) / 1000),
    database: medians(rounds.map(({ database }) => database)),
    published: medians(rounds.map(({ published }) => published)),
    requests: medians(rounds.map(({ requests }) => requests)),
    processorMsOf: medians(rounds.map(({ processorMs }) => processorMs)),
  };
};

const count = async () => {
  const rounds = await openCostRounds();
  await rounds.textRound();
  const measured: Awaited<ReturnType<typeof rounds.wholeRound>>[] = [];
  for (let round = 0; round < Number(options.rounds); round += 1) measured.push(await rounds.wholeRound());
  const idle = await countIdle(IDLE_MS);
  await rounds.close();
  const names = Object.keys(measured[0] ?? {}) as (keyof (typeof measured)[number])[];
  const steps = Object.fromEntries(names.map((name) => [name, figuresOf(measured.map((round) => round[name]))]));
  return { steps, idle };
};

const measureBusy = async (times: number) => {
  const rounds = await openCostRounds();
  const busy = await rounds.busyRounds(times);
  await rounds.close();
  return busy;
};

const { steps, idle } = await onSuite(count, { env: { MONGO_COUNT: '1' } });
console.table(
  Object.fromEntries(
    Object.entries(steps).map(([name, figures]) => [
      name,
      Object.fromEntries(Object.entries(figures).filter(([, value]) => typeof value === 'number')),
    ]),
  ),
);
const idleFigures = {
  commandsPerSecond: rounded(totalOf(idle)),
  database: Object.fromEntries([...idle].sort().map(([key, value]) => [key, rounded(value)])),
};
console.log(`idle: ${idleFigures.commandsPerSecond} commands a second`);
if (options.detail) {
  for (const [name, { database }] of Object.entries(steps)) console.log(name, database);
  console.log('idle', idleFigures.database);
}
const times = Number(options.busy);
const busy: Record<string, Tally> = times > 0 ? await onSuite(() => measureBusy(times)) : {};
const processorMs = Object.fromEntries(
  Object.entries(busy).map(([name, tally]) => [
    name,
    {
      total: rounded(totalOf(tally)),
      ...Object.fromEntries([...tally].map(([process, ms]) => [process, rounded(ms)])),
    },
  ]),
);
if (times > 0) console.log('processor milliseconds each, in a row:', processorMs);
if (options.json)
  writeFileSync(options.json, `${JSON.stringify({ steps, idle: idleFigures, processorMs }, null, 2)}\n`);
