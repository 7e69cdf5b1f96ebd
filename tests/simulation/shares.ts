import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import type { Result } from './run.ts';

/** What came of a seed, without its trace. */
export type SeedResult = Omit<Result, 'lines'>;

export interface ShareOptions {
  from: number;
  seeds: number;
  /** Further arguments of each share. */
  args: readonly string[];
  untilFound: boolean;
  /** Told what a share printed of its findings. */
  print: (text: string) => void;
}

/** More seeds than this are shared out. */
export const SHARED_FROM = 50;
/** The first seeds of a process take three times as long, until its code is compiled. */
const LARGEST_SHARE = 250;

// Most of what a run makes is soon garbage: collected less often, it takes less time, and by one
// thread less than by several that wait for each other. Much of the code runs seldom: it is
// compiled at once, and optimized later than usual. To optimize it took a sixth of the time.
const NODE_OPTIONS = [
  ...['--max-semi-space-size=32', '--single-threaded-gc'],
  ...['--always-sparkplug', '--interrupt-budget=400000'],
];
const ALONE = ['--one-process', '--tied', '--json'];
const RESULTS = '{"results"';
const MOST_PRINTED = 256 * 1024 * 1024;

const runShare = async (args: readonly string[]): Promise<{ said: string; results: SeedResult[] }> => {
  const run = promisify(execFile);
  const [, program = ''] = process.argv;
  const { stdout } = await run(process.execPath, [...NODE_OPTIONS, program, ...args, ...ALONE], {
    maxBuffer: MOST_PRINTED,
  }).catch((error: { stdout?: string; stderr?: string }) => {
    // Ends with 1 where there are findings: what they are is in the answer.
    if (error.stdout?.includes(RESULTS)) return { stdout: error.stdout };
    throw new Error(`simulate ${args.join(' ')}: ${error.stderr}`);
  });
  const at = stdout.indexOf(RESULTS);
  return { said: stdout.slice(0, at), results: JSON.parse(stdout.slice(at)).results };
};

/**
 * Runs many seeds in processes of their own, one for each processor at a time, each with a share of
 * the seeds. Gives what came of each, in order.
 */
export const runInShares = async ({ from, seeds, args, untilFound, print }: ShareOptions): Promise<SeedResult[]> => {
  const all: SeedResult[] = [];
  const end = from + seeds;
  const processes = availableParallelism();
  const size = untilFound ? SHARED_FROM : Math.min(LARGEST_SHARE, Math.ceil(seeds / processes));
  let next = from;
  const isEnough = (): boolean => untilFound && all.some(({ findings }) => findings.length > 0);
  const work = async (): Promise<void> => {
    while (next < end && !isEnough()) {
      const first = next;
      next = Math.min(end, first + size);
      const { said, results } = await runShare([...args, '--from', `${first}`, '--seeds', `${next - first}`]);
      print(said);
      all.push(...results);
    }
  };
  await Promise.all(Array.from({ length: processes }, work));
  return all.sort((a, b) => a.seed - b.seed);
};
