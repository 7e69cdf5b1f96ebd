import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { startChild } from './child.ts';
import { waitUntil } from './wait.ts';

const dir = mkdtempSync(join(tmpdir(), 'assay-child-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const options = { env: process.env, logFile: join(dir, 'log') };
const hasEnded = (pid: number) => async (): Promise<boolean> => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

test('a child ends with its runner, even when that is killed', async () => {
  const runner = `
    import { startChild } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'child.ts')).href)};
    const child = startChild('sh', ['-c', 'sleep 300 & wait'], { env: process.env, logFile: ${JSON.stringify(options.logFile)} });
    console.log(child.pid);
    setInterval(() => undefined, 1000);
  `;
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const process = spawn('node', ['--import', tsx, '--input-type=module', '-e', runner], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = await new Promise<number>((resolve) => {
    process.stdout.setEncoding('utf8').once('data', (text: string) => resolve(Number(text)));
  });
  expect(await hasEnded(pid)()).toBe(false);
  process.kill('SIGKILL');
  expect(await waitUntil(hasEnded(pid), { timeoutMs: 5_000 })).toBe(true);
});

test('a child that ignores signals is killed after its grace period, with everything that it started', async () => {
  const child = startChild('sh', ['-c', 'trap "" TERM; sleep 300 & echo $!; wait; wait'], {
    ...options,
    readFirstLine: true,
  });
  const left = Number(await child.firstLine);
  await child.stop(100);
  expect(await child.ended).toBe('by SIGKILL');
  expect(await waitUntil(hasEnded(left), { timeoutMs: 5_000 })).toBe(true);
});

test('a program that does not exist is refused', () => {
  expect(() => startChild(join(dir, 'nothing'), [], options)).toThrow(/could not be started/);
});
