import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { unwatch, watch } from './watcher.ts';

/** A running child, the leader of a process group of its own. */
export interface Child {
  readonly pid: number;
  /** Resolves when the process has ended, with a word on how. */
  readonly ended: Promise<string>;
  /** Resolves with the first line the child wrote to `lines`; undefined when it ended before. */
  readonly firstLine: Promise<string | undefined>;
  /** Asks it to end, and ends its whole group after `graceMs` (0: at once). */
  stop(graceMs: number): Promise<void>;
}

export interface ChildOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** File that takes what the child writes (appended). */
  readonly logFile: string;
  /** Read standard output here instead of in the log file, to wait for a first line. */
  readonly readFirstLine?: boolean;
}

const killGroup = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // the group has ended already
  }
};

const firstLineOf = (child: ChildProcess): Promise<string | undefined> =>
  new Promise((resolve) => {
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      if (text.includes('\n')) return;
      text += chunk;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    child.once('close', () => resolve(undefined));
    child.once('error', () => resolve(undefined));
  });

const endOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ? `by ${signal}` : `with code ${code}`));
  });

/**
 * Starts a program whose life is tied to this process: its standard input is a pipe that closes
 * with us, and the watcher kills its group when we are gone. What it leaves behind in its group is
 * killed when it ends.
 * @throws when the program cannot be started at all
 */
export const startChild = (command: string, args: readonly string[], options: ChildOptions): Child => {
  const log = openSync(options.logFile, 'a', 0o600);
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env,
    detached: true,
    stdio: ['pipe', options.readFirstLine ? 'pipe' : log, log],
  });
  closeSync(log);
  child.stdin?.on('error', () => undefined);
  const { pid } = child;
  const firstLine = options.readFirstLine ? firstLineOf(child) : Promise.resolve(undefined);
  const ended = endOf(child);
  if (pid === undefined) throw new Error(`${command} could not be started`);
  watch(pid);
  const exited = ended.then((how) => {
    killGroup(pid);
    unwatch(pid);
    return how;
  });
  return {
    pid,
    ended: exited,
    firstLine,
    stop: async (graceMs) => {
      if (graceMs > 0) child.kill('SIGTERM');
      else killGroup(pid);
      const timer = setTimeout(() => killGroup(pid), graceMs);
      await exited;
      clearTimeout(timer);
    },
  };
};
