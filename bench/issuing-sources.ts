/**
 * `npx tsx bench/issuing-sources.ts [--json FILE] [--seconds N] [--rate N] [--modes a,b]`: checks of two groups of jurisdictions arrive at a steady rate. In every second
 * round the source fails for one of the groups, at 20 % and each time in another of its ways; the question is what the other group notices.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeRunDir, readStack, startSupervisor } from '../scripts/run-dir.mjs';
import { DEFAULT_PACE } from '../services/issuing-source-adapter/src/domain/pace.ts';
import { type Rig, startRig } from '../services/issuing-source-adapter/src/test-rig.ts';
import { aLicence } from '../services/issuing-source-adapter/src/test-simulators.ts';

const { values: options } = parseArgs({
  options: {
    json: { type: 'string' },
    seconds: { type: 'string', default: '15' },
    rate: { type: 'string', default: '10' },
    modes: { type: 'string', default: 'outage,slow,malformed,late' },
  },
});
const [seconds, rate] = [Number(options.seconds), Number(options.rate)];
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

const round = async (rig: Rig, behaviour: object) => {
  await rig.simulators.behave('aamva', { rate: 0.2, jurisdictions: TROUBLED, ...behaviour });
  const one = async (states: string[], index: number) => {
    const licence = aLicence('USA', states[index % states.length]!);
    const impostor = index % 2 === 1;
    await rig.simulators.record('aamva', licence);
    const person = { ...licence.personalAttributes, surname: { value: 'Impostor' } };
    const document = impostor ? { ...licence, personalAttributes: person } : licence;
    const startedAt = performance.now();
    const { result } = await rig.check({ document, type: 'DRIVING_LICENSE' }, 60_000);
    return { ms: performance.now() - startedAt, result, impostor, number: licence.idDocumentNumber };
  };
  const running: ReturnType<typeof one>[][] = [[], []];
  for (let index = 0; index < seconds * rate; index += 1) {
    [HEALTHY, TROUBLED].forEach((states, group) => {
      running[group]!.push(one(states, index));
    });
    await pause(1000 / rate);
  }
  const [healthy, troubled] = await Promise.all(running.map((group) => Promise.all(group)));
  const { byDocument } = await rig.simulators.counts('aamva');
  const all = [...healthy!, ...troubled!];
  return {
    checks: all.length,
    healthyMedianMs: Math.round(
      percentile(
        healthy!.map(({ ms }) => ms),
        0.5,
      ),
    ),
    healthyP95Ms: Math.round(
      percentile(
        healthy!.map(({ ms }) => ms),
        0.95,
      ),
    ),
    troubledP95Ms: Math.round(
      percentile(
        troubled!.map(({ ms }) => ms),
        0.95,
      ),
    ),
    inconclusive: all.filter(({ result }) => result === 'UNVERIFIED').length,
    wrong: all.filter(({ result, impostor }) => result === (impostor ? 'VERIFIED' : 'FAILED')).length,
    countedTwice: all.filter(({ number }) => (byDocument[number] ?? 0) > 1).length,
  };
};

const base = mkdtempSync(join(tmpdir(), 'assay-bench-'));
const dir = makeRunDir(join(base, 'engines'));
const supervisor = await startSupervisor({ dir, withPrograms: false, tied: true }, () => undefined);
try {
  const { mongoUrl, amqpUrl } = readStack(dir);
  process.env.TEST_MONGO_URL = mongoUrl;
  process.env.TEST_AMQP_URL = amqpUrl;
  const rig = await startRig(DEFAULT_PACE);
  await round(rig, { mode: 'ok' });
  const rounds: Record<string, Awaited<ReturnType<typeof round>> & { healthyP95AgainstCalm?: number }> = {};
  for (const fault of FAULTS) {
    const calm = await round(rig, { mode: 'ok' });
    const failing = await round(rig, fault);
    const afterwards = await round(rig, { mode: 'ok' });
    const calmP95 = (calm.healthyP95Ms + afterwards.healthyP95Ms) / 2;
    rounds[`calm before ${fault.mode}`] = calm;
    rounds[`${fault.mode} at 20 %`] = {
      ...failing,
      healthyP95AgainstCalm: Math.round((failing.healthyP95Ms / calmP95) * 100) / 100,
    };
  }
  console.table(rounds);
  if (options.json) writeFileSync(options.json, `${JSON.stringify(rounds, null, 2)}\n`);
  await rig.close();
} finally {
  supervisor.kill('SIGTERM');
  await new Promise((resolve) => supervisor.once('exit', resolve));
  rmSync(base, { recursive: true, force: true });
}
