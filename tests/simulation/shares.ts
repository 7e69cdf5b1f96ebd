import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import type { Result } from './run.ts';

/** The result of a seed, without its trace. */
export type SeedResult = Omit<Result, 'lines'>;

export interface ShareOptions {
  from: number;
  seeds: number;
  /** Further arguments for each share. */
  args: readonly string[];
  untilFound: boolean;
  /** Receives what a share printed about its findings. */
  print: (text: string) => void;
}

/** Runs of more seeds than this are split into shares. */
export const SHARED_FROM = 50;
/** Until its code is compiled, a process takes three times as long for a seed. */
const LARGEST_SHARE = 250;

// Most of what a run allocates is soon garbage: a larger young generation saves time, and one
// thread collects it faster than several that wait for each other. Much of the code runs seldom, so
// it is compiled at once and optimized late: optimizing took a sixth of the time.
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
    // It exits with 1 if there are findings, which are part of its output.
    if (error.stdout?.includes(RESULTS)) return { stdout: error.stdout };
    throw new Error(`simulate ${args.join(' ')}: ${error.stderr}`);
  });
  const at = stdout.indexOf(RESULTS);
  return { said: stdout.slice(0, at), results: JSON.parse(stdout.slice(at)).results };
};

/**
 * Runs many seeds, split into shares, in as many processes at a time as there are processors.
 * Returns the results in order.
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
