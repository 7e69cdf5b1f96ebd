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
  tell: (text: string) => void;
}

/** More seeds than this are shared out. */
export const SEEDS_A_SHARE = 50;

// Most of what a run makes is soon garbage: collected less often, it takes less time.
const NODE_OPTIONS = ['--max-semi-space-size=32'];
const RESULTS = '{"results"';
const MOST_PRINTED = 256 * 1024 * 1024;

const runShare = async (args: readonly string[]): Promise<{ said: string; results: SeedResult[] }> => {
  const run = promisify(execFile);
  const [, program = ''] = process.argv;
  const { stdout } = await run(process.execPath, [...NODE_OPTIONS, program, ...args, '--json'], {
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
 * the seeds: what dead processes of a simulated run wait for stays in memory, so that one process
 * cannot run them all. Gives what came of each, in order.
 */
export const runInShares = async ({ from, seeds, args, untilFound, tell }: ShareOptions): Promise<SeedResult[]> => {
  const all: SeedResult[] = [];
  const end = from + seeds;
  let next = from;
  const isEnough = (): boolean => untilFound && all.some(({ findings }) => findings.length > 0);
  const work = async (): Promise<void> => {
    while (next < end && !isEnough()) {
      const first = next;
      next = Math.min(end, first + SEEDS_A_SHARE);
      const { said, results } = await runShare([...args, '--from', `${first}`, '--seeds', `${next - first}`]);
      tell(said);
      all.push(...results);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return all.sort((a, b) => a.seed - b.seed);
};
