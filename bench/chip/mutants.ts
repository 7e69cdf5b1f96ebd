import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type TrustStore, verifyChip } from '@assay/chip';
import fc from 'fast-check';
import { anyChange, mutate } from '../../libs/chip/src/testing/mutants.ts';
import { sample, sampleEntries, trustOf } from '../../libs/chip/src/testing/samples.ts';
import { percentile, rounded } from '../figures.ts';

const SLOWEST = 20;
const REPEATS = 5;
const WARM_UP = 200;

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
  const atStart = process.memoryUsage();
  const before = process.cpuUsage();
  const startedAt = performance.now();
  verifyChip({ files: { documentSecurityObject }, dataGroups: {}, trust, now });
  const wall = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(before);
  const holds = process.memoryUsage();
  const memory = holds.heapUsed + holds.external - atStart.heapUsed - atStart.external;
  return { wall, memory, processor: (user + system) / 1000 };
};

/**
 * Verifies so many mutants of real security objects, each timed by itself, and the slowest again.
 */
export const measureMutants = (count: number, seed: number) => {
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
  const peakGrowthMb = rounded(peakMb() - peakBefore);
  const slowest = times.toSorted((a, b) => b.processor - a.processor).slice(0, SLOWEST);
  const again = slowest.map(({ mutant }) =>
    Math.min(...Array.from({ length: REPEATS }, () => timed(mutant, trust, now).processor)),
  );
  const processor = times.map((time) => time.processor);
  return {
    mutants: count,
    medianMs: rounded(percentile(processor, 0.5)),
    p999Ms: rounded(percentile(processor, 0.999)),
    slowestMs: rounded(slowest[0]?.processor ?? 0),
    slowestWallMs: rounded(Math.max(...times.map(({ wall }) => wall))),
    slowestAgainMs: rounded(Math.max(...again)),
    coldMs: rounded(cold),
    mostAllocatedMb: rounded(Math.max(...times.map(({ memory }) => memory)) / 2 ** 20),
    // The peak of the process over all of them: no mutant can have taken more.
    peakGrowthMb,
  };
};
