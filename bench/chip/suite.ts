import { setTimeout as pause } from 'node:timers/promises';
import { countsOf, readProcessorMs, type Tally, totalOf } from '@assay/testing';
import { percentile, rounded } from '../figures.ts';
import { type ChipPath, openChipPath, type Subject } from './path.ts';

const IDLE_MS = 10_000;
const CALM_MS = 3000;
/** Under load a chip waits for others, and its client asks less often. */
const LOADED_POLL_MS = 250;
const ENGINES = ['mongodb', 'rabbitmq'];

/**
 * Processor milliseconds of every service with its processes, and of the database and the broker.
 */
const processorMs = (): Record<string, number> => Object.fromEntries(readProcessorMs());

/** Processor milliseconds a second while nobody asks anything. */
const idleMs = async (): Promise<Record<string, number>> => {
  await pause(CALM_MS);
  const before = processorMs();
  await pause(IDLE_MS);
  return Object.fromEntries(
    Object.entries(processorMs()).map(([name, ms]) => [name, ((ms - (before[name] ?? 0)) * 1000) / IDLE_MS]),
  );
};

/**
 * What work takes of a suite's processor time, for each of so many chips; less `idle`, what the
 * suite takes anyway.
 */
const costOf = async (count: number, work: () => Promise<unknown>, idle: Record<string, number> = {}) => {
  const before = processorMs();
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1000;
  const each = Object.fromEntries(
    Object.entries(processorMs()).map(([name, ms]) => [
      name,
      rounded((ms - (before[name] ?? 0) - (idle[name] ?? 0) * seconds) / count),
    ]),
  );
  const sumOf = (wanted: (name: string) => boolean): number =>
    rounded(
      Object.entries(each)
        .filter(([name]) => wanted(name))
        .reduce((total, [, ms]) => total + ms, 0),
    );
  return {
    seconds,
    perChipMs: sumOf((name) => !ENGINES.includes(name)),
    enginesPerChipMs: sumOf((name) => ENGINES.includes(name)),
    each,
  };
};

/** Chips one after the other on an idle suite. */
const measureIdle = async (path: ChipPath, count: number) => {
  const [warm, measured] = [await path.subjects(count), await path.subjects(count)];
  // Warm, as a suite is that has run for a while.
  for (const subject of warm) await path.bring(subject);
  const idle = await idleMs();
  const statuses = new Set<string>();
  const { seconds, ...cost } = await costOf(
    count,
    async () => {
      for (const subject of measured) statuses.add(await path.bring(subject));
    },
    idle,
  );
  return { chips: count, statuses: [...statuses], secondsEach: rounded(seconds / count), ...cost };
};

/** So many clients that bring one chip after the other, all at once. */
const measureLoad = async (path: ChipPath, count: number, clients: number) => {
  const waiting: Subject[] = await path.subjects(count);
  const statuses = new Set<string>();
  const took: number[] = [];
  const client = async () => {
    for (let subject = waiting.pop(); subject; subject = waiting.pop()) {
      const startedAt = performance.now();
      statuses.add(await path.bring(subject, LOADED_POLL_MS));
      took.push(performance.now() - startedAt);
    }
  };
  const own = process.cpuUsage();
  const { seconds, ...cost } = await costOf(count, () => Promise.all(Array.from({ length: clients }, client)));
  const { user, system } = process.cpuUsage(own);
  return {
    chips: count,
    clients,
    statuses: [...statuses],
    chipsASecond: rounded(count / seconds),
    medianSeconds: rounded(percentile(took, 0.5) / 1000),
    p95Seconds: rounded(percentile(took, 0.95) / 1000),
    clientsPerChipMs: rounded((user + system) / 1000 / count),
    ...cost,
  };
};

const sorted = (tally: Tally): Record<string, number> => Object.fromEntries([...tally].sort());

/** What one chip causes, up to the last message; for a suite that counts its commands. */
export const countChip = async (portrait: boolean) => {
  const path = await openChipPath({ portrait });
  const [first, second] = await path.subjects(2);
  await path.bring(first!);
  const { database, published, handled, requests } = await countsOf(() => path.bring(second!));
  return {
    totals: {
      commands: totalOf(database),
      published: totalOf(published),
      settled: totalOf(handled),
      requests: totalOf(requests),
    },
    database: sorted(database),
    published: sorted(published),
    requests: sorted(requests),
  };
};

/** Both ways of bringing chips to a suite: one after the other, and by several clients at once. */
export const measureChips = async (
  portrait: boolean,
  { chips, load, clients }: { chips: number; load: number; clients: number },
) => {
  const path = await openChipPath({ portrait });
  return {
    idle: await measureIdle(path, chips),
    ...(load > 0 ? { load: await measureLoad(path, load, clients) } : {}),
  };
};
