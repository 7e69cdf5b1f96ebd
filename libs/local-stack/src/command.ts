import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Full path of a program in PATH (or in the folders where systems keep their servers); undefined
 * when there is none.
 */
export const findProgram = (name: string, env: NodeJS.ProcessEnv = process.env): string | undefined => {
  const folders = [
    ...(env.PATH ?? '').split(delimiter),
    '/usr/local/sbin',
    '/usr/sbin',
    '/usr/local/bin',
    '/opt/homebrew/sbin',
  ];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
};

/** Whether a file is there and may be run. */
const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/**
 * Runs a program to its end and returns what it wrote.
 * @throws with the last lines of its output when it failed
 */
export const run = (
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; timeoutMs?: number } = {},
): Promise<string> =>
  new Promise((resolve, reject) => {
    const { timeoutMs = 300_000, ...rest } = options;
    execFile(command, [...args], { ...rest, timeout: timeoutMs, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const lines = `${stdout}\n${stderr}`.trim().split('\n').slice(-3).join(' | ');
      reject(new Error(`${command} ${args[0] ?? ''} failed: ${lines || error.message}`));
    });
  });
