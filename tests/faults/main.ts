/**
 * npm run test:faults -- [--seed S] [--submissions N] [--faults K] [--kills M] [--report FILE]
 *
 * Starts engines and a suite of its own with a proxy on every connection, and lets clients
 * submit while a seeded plan of faults strikes network, engines, receiver, issuing source and
 * processes. Then compares everything that was answered 2xx with what the suite shows.
 * Ends with 1 when a promise was broken.
 *   --seed S          draws plan and load; the same seed gives the same ones (a random one)
 *   --submissions N   documents, addresses and selfies submitted (200)
 *   --faults K        faults other than kills (10)
 *   --kills M         processes killed, engines among them (5)
 *   --every MS        a client begins every so many milliseconds, whatever is under way (400)
 *   --images P        clients of a hundred that submit a passport (15)
 *   --proofs N        proofs retrieved and verified offline (50)
 *   --patience S      seconds without any progress after which what is missing is lost (240)
 *   --replicas R      so many of every service (1)
 *   --asleep S        stops one process of each service for so many seconds; needs two replicas
 *   --collections S   strikes each collection for so many seconds, twice, one after the other
 *   --away S          the broker refuses every connection for so many seconds
 *   --full S          the disk of the broker, then of the database, is full for so many seconds;
 *                     needs the right to mount
 *   --slow S          verification runs a tenth of the time for so many seconds
 *   --elections S     the database's primary steps down every three seconds for so many seconds
 *   --brokers B       so many nodes of RabbitMQ as one broker, restarted one after the other (1)
 *   --beside REF      the second of every service is of another release: a tag or a commit, or
 *                     "last" for the last tag; without faults every answer has to be 2xx
 *   --report FILE     writes the report as a page
 *   --json FILE       writes the report as JSON
 *   --oracle FILE     writes every answer a client got, a line each, as it comes
 *   --logs DIR        copies the services' logs there
 */
import { randomInt } from 'node:crypto';
import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '../../scripts/arguments.mjs';
import { setup } from '../../scripts/setup.mjs';
import { brokerAway } from './away.ts';
import { strikeCollections } from './collections.ts';
import { repeatedElections } from './elections.ts';
import { fullDisks, mountDisks } from './full.ts';
import { buildRelease, lastRelease } from './release.ts';
import { pageOf } from './report.ts';
import { type Report, runFaults } from './run.ts';
import { slowVerification } from './slow.ts';
import { openStage, stackFile, startEngines } from './stage.ts';
import { watchMemory } from './watch.ts';

const values = readArguments(import.meta.filename, {
  seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  submissions: { type: 'string', default: '200' },
  faults: { type: 'string', default: '10' },
  kills: { type: 'string', default: '5' },
  every: { type: 'string', default: '400' },
  images: { type: 'string', default: '15' },
  proofs: { type: 'string', default: '50' },
  patience: { type: 'string', default: '240' },
  replicas: { type: 'string' },
  asleep: { type: 'string', default: '0' },
  collections: { type: 'string', default: '0' },
  away: { type: 'string', default: '0' },
  full: { type: 'string', default: '0' },
  slow: { type: 'string', default: '0' },
  elections: { type: 'string', default: '0' },
  brokers: { type: 'string', default: '1' },
  beside: { type: 'string' },
  report: { type: 'string' },
  json: { type: 'string' },
  oracle: { type: 'string' },
  logs: { type: 'string' },
});

const show = ({ plan, answers, silences, figures, broken, seconds }: Report): void => {
  console.table(plan);
  console.table({
    ...figures,
    ...Object.fromEntries(Object.entries(answers).map(([what, n]) => [`answer ${what}`, n])),
  });
  for (const text of silences) console.log(`silent ${text}`);
  for (const text of broken.slice(0, 50)) console.log(`BROKEN ${text}`);
  console.log(`seed ${values.seed}: ${broken.length} broken promises, ${seconds} s`);
};

/** The command that repeats a run. */
const command = (): string => {
  const options = Object.entries(values).filter(([name]) => !['report', 'json', 'oracle', 'logs'].includes(name));
  return `npm run test:faults -- ${options.map(([name, value]) => `--${name} ${value}`).join(' ')}`;
};

const say = (line: string): void => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`);

await setup();
const beside = values.beside && buildRelease(values.beside === 'last' ? lastRelease() : values.beside, say);
const replicas = Number(values.replicas ?? (beside || Number(values.asleep) > 0 ? 2 : 1));
const folder = mkdtempSync(join(tmpdir(), 'assay-faults-'));
const fullMs = Number(values.full) * 1000;
const unmount = fullMs > 0 ? mountDisks(join(folder, 'engines')) : () => undefined;
const engines = await startEngines(join(folder, 'engines'), Number(values.brokers));
const restarts = (engines.cluster?.nodes ?? []).map(({ name, untilDispensable, restart }) => ({
  name: `restart of the broker's node ${name}`,
  run: () => untilDispensable().then(restart),
}));
const stage = await openStage(engines, join(folder, 'suite'), { replicas, ...(beside && { beside }) });
process.env.TEST_STACK_FILE = stackFile(stage.runDir);
const strikeMs = Number(values.collections) * 1000;
const [awayMs, figures] = [Number(values.away) * 1000, {}];
const exercises = [
  ...restarts,
  ...(strikeMs > 0 ? await strikeCollections(stage, strikeMs) : []),
  ...(awayMs > 0 ? [brokerAway(stage, awayMs, figures)] : []),
  ...(Number(values.slow) > 0 ? [slowVerification(stage, Number(values.slow) * 1000)] : []),
  ...(Number(values.elections) > 0 ? [repeatedElections(stage, Number(values.elections) * 1000)] : []),
  ...(fullMs > 0 ? fullDisks(join(folder, 'engines'), fullMs, engines, figures) : []),
];
const { oracle } = values;
const endWatch = watchMemory(stage, figures);
const ran = await runFaults(stage, {
  ...{ seed: Number(values.seed), submissions: Number(values.submissions) },
  ...{ faults: Number(values.faults), kills: Number(values.kills), everyMs: Number(values.every) },
  ...{ mix: { passports: Number(values.images), selfies: 30, deletions: 15 }, asleepMs: Number(values.asleep) * 1000 },
  ...{ exercises, patienceMs: Number(values.patience) * 1000, proofs: Number(values.proofs), say },
  ...(oracle && { heard: (answer) => appendFileSync(oracle, `${JSON.stringify(answer)}\n`) }),
});
endWatch();
const report = { ...ran, figures: { ...ran.figures, ...figures } };
show(report);
if (values.json) writeFileSync(values.json, `${JSON.stringify({ options: values, ...report }, null, 2)}\n`);
if (values.report) writeFileSync(values.report, pageOf(`Fault run, seed ${values.seed}`, command(), report));
if (values.logs) cpSync(join(stage.runDir, 'logs'), values.logs, { recursive: true });
await stage.close();
await engines.close();
unmount();
rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
process.exitCode = report.broken.length > 0 ? 1 : 0;
