import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readStack } from './suite.ts';

/**
 * The environment of a story's own suite that does not touch the engines. It uses the engines of
 * the shared suite under names of its own, with one engine process, so less has to start. Call it
 * before `startOwnSuite`.
 */
export const onSharedEngines = (): Record<string, string> => {
  const { mongoUrl, amqpUrl } = readStack();
  return { STACK: 'external', MONGODB_URI: mongoUrl, AMQP_URL: amqpUrl, ENGINE_PROCESSES: '1' };
};

export interface OwnSuite {
  /**
   * Ends its processes. `up` starts them again on their data: with the release in a folder, and
   * with these arguments of `npm run up` or the former ones.
   */
  down(): Promise<void>;
  up(release?: string, args?: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a suite for one story that kills or stops processes, sets their switches, or needs its own
 * arguments of `npm run up`. The other stories run on the shared suite. From now on `readStack`
 * reads this one.
 */
export const startOwnSuite = async (
  name: string,
  env: Record<string, string> = {},
  args: readonly string[] = [],
): Promise<OwnSuite> => {
  const base = process.env.TEST_RUN_BASE ?? mkdtempSync(join(tmpdir(), `assay-${name}-`));
  const runDir = join(base, name);
  const here = join(import.meta.dirname, '../../..');
  const script = async (folder: string, file: string, ...more: string[]): Promise<void> => {
    const argv = [join(folder, 'scripts', file), '--run-dir', runDir, ...more];
    const program = spawn(process.execPath, argv, { stdio: 'ignore', env: { ...process.env, ...env } });
    const [code] = await once(program, 'exit');
    if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}`);
  };
  let last = args;
  const up = (folder = here, given = last): Promise<void> => {
    last = given;
    return script(folder, 'up.mjs', ...given);
  };
  await up();
  process.env.TEST_STACK_FILE = join(runDir, 'stack.json');
  return {
    down: () => script(here, 'down.mjs'),
    up,
    stop: async () => {
      await script(here, 'down.mjs');
      rmSync(runDir, { recursive: true, force: true, maxRetries: 3 });
    },
  };
};
