import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Options {
  /** Variables of its processes. */
  env?: Readonly<Record<string, string>>;
  /** Arguments of `npm run up`. */
  args?: readonly string[];
  /** The stack file of a suite that runs already, to be used instead. */
  stack?: string | undefined;
}

/**
 * Does something on a suite that is started for it and of which `readStack` reads. Ends it, also
 * when it is interrupted.
 */
export const onSuite = async <T>(work: () => Promise<T>, { env = {}, args = [], stack }: Options = {}): Promise<T> => {
  if (stack) {
    process.env.TEST_STACK_FILE = stack;
    return await work();
  }
  const runDir = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const script = (name: string, more: readonly string[] = []): void => {
    execFileSync('node', [join(import.meta.dirname, '../scripts', name), '--run-dir', runDir, ...more], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    });
  };
  const end = (): void => {
    script('down.mjs');
    rmSync(runDir, { recursive: true, force: true });
  };
  const interrupted = (): void => {
    end();
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, interrupted);
  try {
    script('up.mjs', args);
    process.env.TEST_STACK_FILE = join(runDir, 'stack.json');
    return await work();
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, interrupted);
    end();
  }
};
