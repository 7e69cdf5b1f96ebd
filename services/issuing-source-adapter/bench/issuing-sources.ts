/**
 * `npx tsx bench/issuing-sources.ts [--json FILE] [--seconds N] [--rate N] [--rounds N] [--modes
 * a,b]`: checks of two groups of jurisdictions arrive at a steady rate. In every second round the
 * source, a process of its own, fails for one of the groups, at 20 % and in one of its ways; the
 * question is what the other group notices. Calm and failing rounds take turns, so that a machine
 * that grows slower slows both.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '@assay/local-stack';
import { waitFor } from '@assay/testing';
import { makeRunDir, readStack, startSupervisor } from '../../../scripts/run-dir.mjs';
import { DEFAULT_PACE } from '../src/domain/pace.ts';
import { type Rig, startRig } from '../src/testing/rig.ts';
import { aLicence, simulatorsAt } from '../src/testing/simulators.ts';

const { values: options } = parseArgs({
  options: {
    json: { type: 'string' },
    seconds: { type: 'string', default: '8' },
    rate: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '4' },
    modes: { type: 'string', default: 'outage,slow,malformed,late' },
  },
});
const [seconds, rate, rounds] = [options.seconds, options.rate, options.rounds].map(Number) as [number, number, number];
const HEALTHY = ['TX', 'GA', 'OH', 'AZ', 'MI'];
const TROUBLED = ['FL', 'VA', 'IL', 'TN', 'MD'];
const FAULTS = [
  { mode: 'outage' },
  { mode: 'slow', delayMs: 2000 },
  { mode: 'malformed' },
  { mode: 'late', delayMs: 8000, wrong: true },
].filter(({ mode }) => options.modes.split(',').includes(mode));

const percentile = (values: number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The simulated source in a process that ends with this one, however it ends. */
const startSimulator = async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const program = join(import.meta.dirname, '../../../tools/simulators/src/aamva.main.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', program], {
    env: { ...process.env, HTTP_PORT: new URL(url).port, LOG_LEVEL: 'error' },
    stdio: 'inherit',
  });
  child.unref();
  process.once('exit', () => child.kill());
  const answers = () =>
    fetch(`${url}/requests`).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitFor('the simulated source', answers);
  return simulatorsAt({ dvs: url, aamva: url });
};

/** One check put and answered. */
const check = async (rig: Rig, state: string, impostor: boolean) => {
  const licence = aLicence('USA', state);
  await rig.simulators.record('aamva', licence);
  const person = { ...licence.personalAttributes, surname: { value: 'Impostor' } };
  const document = impostor ? { ...licence, personalAttributes: person } : licence;
  const startedAt = performance.now();
  const { result } = await rig.check({ document, type: 'DRIVING_LICENSE' }, 60_000);
  return { ms: performance.now() - startedAt, result, impostor, number: licence.idDocumentNumber };
};
type Checked = Awaited<ReturnType<typeof check>>;

/** A round: every answer, of the healthy jurisdictions and of the troubled. */
const round = async (rig: Rig, behaviour: object): Promise<[Checked[], Checked[]]> => {
  await rig.simulators.behave('aamva', { rate: 0.2, jurisdictions: TROUBLED, ...behaviour });
  const running: [Promise<Checked>[], Promise<Checked>[]] = [[], []];
  for (let index = 0; index < seconds * rate; index += 1) {
    [HEALTHY, TROUBLED].forEach((states, group) => {
      running[group]!.push(check(rig, states[index % states.length]!, index % 2 === 1));
    });
    await pause(1000 / rate);
  }
  return [await Promise.all(running[0]), await Promise.all(running[1])];
};

const summaryOf = ([healthy, troubled]: [Checked[], Checked[]], byDocument: Record<string, number>) => {
  const all = [...healthy, ...troubled];
  const times = (group: Checked[], share: number) =>
    Math.round(
      percentile(
        group.map(({ ms }) => ms),
        share,
      ),
    );
  return {
    checks: all.length,
    healthyMedianMs: times(healthy, 0.5),
    healthyP95Ms: times(healthy, 0.95),
    troubledP95Ms: times(troubled, 0.95),
    inconclusive: all.filter(({ result }) => result === 'UNVERIFIED').length,
    wrong: all.filter(({ result, impostor }) => result === (impostor ? 'VERIFIED' : 'FAILED')).length,
    countedTwice: all.filter(({ number }) => (byDocument[number] ?? 0) > 1).length,
  };
};

const compare = async (rig: Rig, fault: object) => {
  const calm: [Checked[], Checked[]] = [[], []];
  const failing: [Checked[], Checked[]] = [[], []];
  for (let index = 0; index < rounds; index += 1)
    for (const [total, behaviour] of [
      [calm, { mode: 'ok' }],
      [failing, fault],
    ] as const) {
      const answers = await round(rig, behaviour);
      answers.forEach((group, which) => {
        total[which]!.push(...group);
      });
    }
  const { byDocument } = await rig.simulators.counts('aamva');
  return { calm: summaryOf(calm, byDocument), failing: summaryOf(failing, byDocument) };
};

const base = mkdtempSync(join(tmpdir(), 'assay-bench-'));
const dir = makeRunDir(join(base, 'engines'));
const supervisor = await startSupervisor({ dir, withPrograms: false, tied: true }, () => undefined);
const engines = readStack(dir);
if (!supervisor || !engines) throw new Error(`no engines run in ${dir}`);
try {
  const { mongoUrl, amqpUrl } = engines;
  process.env.TEST_MONGO_URL = mongoUrl;
  process.env.TEST_AMQP_URL = amqpUrl;
  const rig = await startRig(DEFAULT_PACE, { sweepEveryMs: 1000 }, await startSimulator());
  await round(rig, { mode: 'ok' });
  const table: Record<string, ReturnType<typeof summaryOf> & { healthyP95AgainstCalm?: number }> = {};
  for (const fault of FAULTS) {
    const { calm, failing } = await compare(rig, fault);
    table[`calm beside ${fault.mode}`] = calm;
    const healthyP95AgainstCalm = Math.round((failing.healthyP95Ms / calm.healthyP95Ms) * 100) / 100;
    table[`${fault.mode} at 20 %`] = { ...failing, healthyP95AgainstCalm };
  }
  console.table(table);
  if (options.json) writeFileSync(options.json, `${JSON.stringify(table, null, 2)}\n`);
  await rig.close();
} finally {
  supervisor.kill('SIGTERM');
  await new Promise((resolve) => supervisor.once('exit', resolve));
  rmSync(base, { recursive: true, force: true });
}
