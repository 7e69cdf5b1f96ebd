import { readFileSync } from 'node:fs';
import { readStack } from './suite.ts';
import { waitFor } from './wait.ts';

/** How often each thing has happened so far, by name. */
export type Tally = ReadonlyMap<string, number>;

/**
 * What the processes of a suite have done so far. With `MONGO_COUNT=1`, a suite counts its database
 * commands.
 */
export interface Counts {
  /** Commands caused by a client or a message, by `<service> <collection> <command>`. */
  database: Tally;
  /** Commands of the sweepers' rounds. */
  rounds: Tally;
  /** Messages confirmed by the broker, by `<service> <event>`. */
  published: Tally;
  /** Messages settled, by `<queue> <outcome>`. */
  handled: Tally;
  /** Requests answered, by `<service> <route>`. */
  requests: Tally;
  /**
   * Processor milliseconds and bytes written, by service or engine, including the processes that
   * each has started.
   */
  processorMs: Tally;
  bytesWritten: Tally;
}

const SAMPLE = /^(\w+)\{([^}]*)\} (\S+)$/gm;
const LABEL = /(\w+)="([^"]*)"/g;
/** Linux counts processor time in hundredths of a second. */
const MS_PER_TICK = 10;
const AFTER_NAME = { user: 11, system: 12 };

interface Sample {
  service: string;
  name: string;
  labels: Record<string, string>;
  value: number;
}

const samplesOf = (service: string, text: string): Sample[] =>
  [...text.matchAll(SAMPLE)].map(([, name = '', labels = '', value]) => ({
    service,
    name,
    labels: Object.fromEntries([...labels.matchAll(LABEL)].map(([, label = '', is = '']) => [label, is])),
    value: Number(value),
  }));

const tallyOf = (samples: readonly Sample[], keyOf: (sample: Sample) => string): Tally => {
  const tally = new Map<string, number>();
  for (const sample of samples) tally.set(keyOf(sample), (tally.get(keyOf(sample)) ?? 0) + sample.value);
  return tally;
};

/**
 * The processes of the suite by name. Replicas of a service count together; engines outside the
 * suite do not count.
 */
const processes = (): [name: string, pid: number][] => {
  const { services, infrastructure } = readStack();
  return [
    ...Object.entries(services).flatMap(([name, copies]) => copies.map(({ pid }): [string, number] => [name, pid])),
    ...Object.entries(infrastructure).flatMap(([name, { pid }]: [string, { pid?: number }]): [string, number][] =>
      pid === undefined ? [] : [[name, pid]],
    ),
  ];
};

const processorMsOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[AFTER_NAME.user]) + Number(fields[AFTER_NAME.system])) * MS_PER_TICK;
};

const bytesWrittenOf = (pid: number): number =>
  Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1] ?? 0);

/** A process and everything that it started: services read images in separate processes. */
const withChildren = (pid: number): number[] => {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  return [pid, ...children.flatMap(withChildren)];
};

const perProcess = (read: (pid: number) => number): Tally => {
  const tally = new Map<string, number>();
  for (const [name, parent] of processes())
    for (const pid of withChildren(parent)) tally.set(name, (tally.get(name) ?? 0) + read(pid));
  return tally;
};

/** Processor milliseconds by service or engine, including the processes that each has started. */
export const readProcessorMs = (): Tally => perProcess(processorMsOf);

/** Reads /metrics of every service, and the kernel's counts of its process. */
export const readCounts = async (): Promise<Counts> => {
  const texts = await Promise.all(
    Object.entries(readStack().services).flatMap(([service, copies]) =>
      copies.map(async ({ adminUrl }) => samplesOf(service, await (await fetch(`${adminUrl}/metrics`)).text())),
    ),
  );
  const samples = texts.flat();
  const named = (name: string) => samples.filter((sample) => sample.name === name);
  const commands = named('assay_mongo_commands_total');
  const command = ({ service, labels }: Sample) => `${service} ${labels.collection} ${labels.command}`;
  return {
    database: tallyOf(
      commands.filter(({ labels }) => labels.cause === 'work'),
      command,
    ),
    rounds: tallyOf(
      commands.filter(({ labels }) => labels.cause === 'round'),
      command,
    ),
    published: tallyOf(named('assay_messages_published_total'), ({ service, labels }) => `${service} ${labels.type}`),
    handled: tallyOf(named('assay_messages_handled_total'), ({ labels }) => `${labels.queue} ${labels.outcome}`),
    requests: tallyOf(
      named('assay_http_request_seconds_count'),
      ({ service, labels }) => `${service} ${labels.method} ${labels.route}`,
    ),
    processorMs: readProcessorMs(),
    bytesWritten: perProcess(bytesWrittenOf),
  };
};

const difference = (before: Tally, after: Tally): Tally =>
  new Map(
    [...after]
      .map(([key, value]): [string, number] => [key, value - (before.get(key) ?? 0)])
      .filter(([, value]) => value !== 0),
  );

/** What happened between two readings. */
export const countsBetween = (before: Counts, after: Counts): Counts => ({
  database: difference(before.database, after.database),
  rounds: difference(before.rounds, after.rounds),
  published: difference(before.published, after.published),
  handled: difference(before.handled, after.handled),
  requests: difference(before.requests, after.requests),
  processorMs: difference(before.processorMs, after.processorMs),
  bytesWritten: difference(before.bytesWritten, after.bytesWritten),
});

/** The sum of a tally. */
export const totalOf = (tally: Tally): number => [...tally.values()].reduce((sum, value) => sum + value, 0);

const QUIET_MS = 600;

const workOf = ({ database, published, handled }: Counts): number =>
  totalOf(database) + totalOf(published) + totalOf(handled);

/** Waits until no work was done for a while, then reads the counts. */
export const readQuietCounts = async (): Promise<Counts> => {
  let last = await readCounts();
  let since = performance.now();
  return waitFor(
    'the suite to be quiet',
    async () => {
      const counts = await readCounts();
      if (workOf(counts) !== workOf(last)) since = performance.now();
      last = counts;
      return performance.now() - since >= QUIET_MS && counts;
    },
    60_000,
  );
};

/**
 * Does one thing after the other, each on a quiet suite. Counts everything that each causes, up to
 * the last message.
 */
export const countsOfEach = async (works: readonly (() => Promise<unknown>)[]): Promise<Counts[]> => {
  const found: Counts[] = [];
  let before = await readQuietCounts();
  for (const work of works) {
    await work();
    const after = await readQuietCounts();
    found.push(countsBetween(before, after));
    before = after;
  }
  return found;
};

/** Does one thing on a quiet suite and counts everything that it causes, up to the last message. */
export const countsOf = async (work: () => Promise<unknown>): Promise<Counts> => (await countsOfEach([work]))[0]!;
