import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readStack } from './suite.ts';

/**
 * For a suite of a story's own that leaves the engines alone: it runs on those of the other
 * stories' suite, under names of its own, and has one process look at images. So there is less to
 * start. Asked before `startOwnSuite`.
 */
export const onSharedEngines = (): Record<string, string> => {
  const { mongoUrl, amqpUrl } = readStack();
  return { STACK: 'external', MONGODB_URI: mongoUrl, AMQP_URL: amqpUrl, ENGINE_PROCESSES: '1' };
};

export interface OwnSuite {
  /**
   * Ends its processes; `up` starts them again on what they left, of the release in a folder, with
   * these arguments of `npm run up` or the ones they had.
   */
  down(): Promise<void>;
  up(release?: string, args?: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A suite of a story's own, for one that kills or stops processes, sets their switches or the
 * arguments of `npm run up`: the other stories run beside it on theirs. From here on `readStack`
 * reads of this one.
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
