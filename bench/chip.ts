/**
 * npm run bench:chip [-- --json FILE] [--chips N] [--mutants N] [--seed N]
 *
 * Measures what checking chips costs. First mutants of real security objects, each timed by itself
 * and the slowest again; then chips of a software authority on a suite of its own, one after the
 * other: the processor time of its services, their processes included, from session to stable
 * status, less what they take idle.
 *   --json FILE    writes the figures as JSON
 *   --chips N      chips on the suite, 0 for no suite (40)
 *   --mutants N    mutants of real security objects (10000)
 *   --seed N       of the mutants (1)
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type TrustStore, verifyChip } from '@assay/chip';
import { createAuthority, createChip, type SoftwareChip } from '@assay/chip/software';
import { newIdentity, newTenant, readProcessorMs, type Tenant } from '@assay/testing';
import fc from 'fast-check';
import { anyChange, mutate } from '../libs/chip/src/testing/mutants.ts';
import { sample, sampleEntries, trustOf } from '../libs/chip/src/testing/samples.ts';
import { readArguments } from '../scripts/arguments.mjs';

const options = readArguments(import.meta.filename, {
  json: { type: 'string' },
  chips: { type: 'string', default: '40' },
  mutants: { type: 'string', default: '10000' },
  seed: { type: 'string', default: '1' },
});
const root = join(import.meta.dirname, '..');
const SLOWEST = 20;
const REPEATS = 5;
const WARM_UP = 200;
const POLL_MS = 100;
const IDLE_MS = 10_000;

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
const round = (value: number): number => Math.round(value * 100) / 100;

setFlagsFromString('--expose-gc');
/**
 * Empties the young generation: what is allocated from here on stays counted until it is full
 * again.
 */
const gc: (options: { type: 'minor' }) => void = runInNewContext('gc');
const collect = (): void => gc({ type: 'minor' });
/** The most memory this process ever had, native memory included. */
const peakMb = (): number => process.resourceUsage().maxRSS / 1024;

/** Wall and processor milliseconds of one verification, and the bytes it allocated. */
const timed = (documentSecurityObject: Buffer, trust: TrustStore, now: Date) => {
  collect();
  const held = process.memoryUsage();
  const before = process.cpuUsage();
  const startedAt = performance.now();
  verifyChip({ files: { documentSecurityObject }, dataGroups: {}, trust, now });
  const wall = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(before);
  const holds = process.memoryUsage();
  const memory = holds.heapUsed + holds.external - held.heapUsed - held.external;
  return { wall, memory, processor: (user + system) / 1000 };
};

const measureMutants = (count: number, seed: number) => {
  const trust = trustOf('master-list/NL-2026-07-22.ml', 'csca/ID-2020-10.cer');
  const originals = sampleEntries('document-security-object').map(({ file }) => sample(String(file)));
  const anyMutant = fc
    .tuple(fc.constantFrom(...originals), fc.array(anyChange, { minLength: 1, maxLength: 4 }))
    .map(([original, changes]) => changes.reduce(mutate, original));
  const mutants = fc.sample(anyMutant, { numRuns: count, seed });
  const now = new Date('2026-11-22T12:00:00Z');
  const [cold = 0] = originals.map((original) => timed(original, trust, now).processor);
  for (const mutant of mutants.slice(0, WARM_UP)) timed(mutant, trust, now);
  const peakBefore = peakMb();
  const times = mutants.map((mutant) => ({ mutant, ...timed(mutant, trust, now) }));
  const peakGrowthMb = round(peakMb() - peakBefore);
  const slowest = times.toSorted((a, b) => b.processor - a.processor).slice(0, SLOWEST);
  const again = slowest.map(({ mutant }) =>
    Math.min(...Array.from({ length: REPEATS }, () => timed(mutant, trust, now).processor)),
  );
  const processor = times.map((time) => time.processor);
  return {
    mutants: count,
    medianMs: round(percentile(processor, 0.5)),
    p999Ms: round(percentile(processor, 0.999)),
    slowestMs: round(slowest[0]?.processor ?? 0),
    slowestWallMs: round(Math.max(...times.map(({ wall }) => wall))),
    slowestAgainMs: round(Math.max(...again)),
    coldMs: round(cold),
    mostAllocatedMb: round(Math.max(...times.map(({ memory }) => memory)) / 2 ** 20),
    // The peak of the process over all of them: no mutant can have taken more.
    peakGrowthMb,
  };
};

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

type Subject = Awaited<ReturnType<typeof newIdentity>>;

/** Session, answer and data of one chip, until its status is stable. */
const bring = async ({ relyingService }: Tenant, chip: SoftwareChip, identity: Subject): Promise<string> => {
  const { body } = await relyingService.post(`${identity.at}/id-documents/nfc-session`, {});
  const answer = chip.answerChallenge(Buffer.from(body.activeAuthenticationChallenge, 'base64'))!;
  await relyingService.post(`/svc/v1/nfc-sessions/${body.sessionId}/data`, {
    documentSecurityObject: base64(chip.documentSecurityObject),
    comFile: base64(chip.comFile),
    dataGroups: Object.fromEntries(Object.entries(chip.dataGroups).map(([number, file]) => [number, base64(file)])),
    activeAuthenticationResponse: base64(answer),
  });
  for (;;) {
    await pause(POLL_MS);
    const { status } = await identity.status(body.id);
    if (status !== 'PROCESSING') return status;
  }
};

/**
 * Processor milliseconds of every service with its processes, and of the database and the broker.
 */
const processorMs = (): Record<string, number> => Object.fromEntries(readProcessorMs());

/** Processor milliseconds a second while nobody asks anything. */
const idleMs = async (): Promise<Record<string, number>> => {
  await pause(3000);
  const before = processorMs();
  await pause(IDLE_MS);
  return Object.fromEntries(
    Object.entries(processorMs()).map(([name, ms]) => [name, ((ms - (before[name] ?? 0)) * 1000) / IDLE_MS]),
  );
};

const ENGINES = ['mongodb', 'rabbitmq'];

const measureChips = async (count: number, consents: readonly object[]) => {
  const tenant = await newTenant('chips', { acceptSpecimens: true });
  const authority = createAuthority({ country: 'SM' });
  await tenant.admin.upload('/admin/v1/trust/csca', { file: authority.certificate, source: 'bench' });
  const chips = Array.from({ length: count }, (_, at) =>
    createChip(authority, {
      passport: {
        documentNumber: `B${String(at).padStart(8, '0')}`,
        surname: 'SPECIMEN',
        givenNames: 'BENCH',
        dateOfBirth: '1980-01-02',
        gender: 'FEMALE',
        dateOfExpiry: '2034-01-02',
        issuingState: 'SMR',
      },
      now: new Date(),
      activeAuthentication: 'ECDSA',
      chipAuthentication: 'none',
      portrait: readFileSync(join(root, 'specimens/portraits/holder.jpg')),
    }),
  );
  const identities: Subject[] = [];
  for (let at = 0; at < 2 * count; at += 1) {
    const identity = await newIdentity(tenant.relyingService);
    if (consents.length > 0) await tenant.relyingService.post(`${identity.at}/consents`, consents);
    identities.push(identity);
  }
  // Warm, as a suite is that has run for a while.
  for (const [at, chip] of chips.entries()) await bring(tenant, chip, identities[at]!);
  const idle = await idleMs();
  const before = processorMs();
  const startedAt = performance.now();
  const statuses = new Set<string>();
  for (const [at, chip] of chips.entries()) statuses.add(await bring(tenant, chip, identities[count + at]!));
  const seconds = (performance.now() - startedAt) / 1000;
  const after = processorMs();
  const each = Object.fromEntries(
    Object.entries(after).map(([name, ms]) => [
      name,
      round((ms - (before[name] ?? 0) - (idle[name] ?? 0) * seconds) / count),
    ]),
  );
  const sumOf = (wanted: (name: string) => boolean): number =>
    round(
      Object.entries(each)
        .filter(([name]) => wanted(name))
        .reduce((total, [, ms]) => total + ms, 0),
    );
  return {
    chips: count,
    statuses: [...statuses],
    perChipMs: sumOf((name) => !ENGINES.includes(name)),
    enginesPerChipMs: sumOf((name) => ENGINES.includes(name)),
    secondsEach: round(seconds / count),
    each,
  };
};

const onSuite = async (count: number) => {
  const runDir = mkdtempSync(join(tmpdir(), 'assay-chips-'));
  const script = (name: string): void => {
    execFileSync('node', [join(root, 'scripts', name), '--run-dir', runDir], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  };
  try {
    script('up.mjs');
    process.env.TEST_STACK_FILE = join(runDir, 'stack.json');
    const withoutPortrait = await measureChips(count, []);
    const withPortrait = await measureChips(count, [{ type: 'PORTRAIT', approved: true }]);
    return { withoutPortrait, withPortrait };
  } finally {
    script('down.mjs');
    rmSync(runDir, { recursive: true, force: true });
  }
};

const mutants = measureMutants(Number(options.mutants), Number(options.seed));
console.log('mutants of real security objects');
console.table([mutants]);
const suite = Number(options.chips) > 0 ? await onSuite(Number(options.chips)) : undefined;
if (suite)
  for (const [name, { each, ...figures }] of Object.entries(suite)) {
    console.log(name);
    console.table([figures]);
    console.table([each]);
  }
if (options.json) writeFileSync(options.json, `${JSON.stringify({ mutants, ...suite }, null, 2)}\n`);
