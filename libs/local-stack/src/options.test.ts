import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { rootDir } from './paths.ts';

/** What a command with these arguments writes to standard error, and its exit code. */
const refusedBy =
  (script: string) =>
  (...args: string[]): [string, number | null] => {
    const { stderr, status } = spawnSync(process.execPath, [join(rootDir, 'scripts', script), ...args], {
      encoding: 'utf8',
    });
    return [stderr.trim(), status];
  };
const refused = refusedBy('down.mjs');

test('a run directory without a name is refused: it would be the present folder', () => {
  expect(refused('--run-dir', '')).toEqual(['--run-dir takes a folder', 1]);
});

test('a wrong option is named in one line, with the way to the help', () => {
  const [reason, code] = refused('--workers', '-1');
  expect(reason).toBe("Option '--workers' argument is ambiguous.; npm run down -- --help tells how it is called");
  expect(code).toBe(1);
});

test('a second `up` names the options that the running suite was not started with', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-options-'));
  const lock = join(rootDir, 'scripts/lock.mjs');
  const take = `(await import(${JSON.stringify(lock)})).takeLock(${JSON.stringify(join(dir, 'supervisor.lock'))}, ${process.pid})`;
  spawnSync(process.execPath, ['--input-type=module', '-e', take]);
  const services = { gateway: [{}, {}], 'verification-worker': [{}] };
  writeFileSync(join(dir, 'stack.json'), JSON.stringify({ baseUrl: 'http://127.0.0.1:8080', services }));
  const asked = (...args: string[]) => refusedBy('up.mjs')('--run-dir', dir, ...args);
  expect(asked('--replicas', '2', '--workers', '1', '--port', '8080')).toEqual(['', 0]);
  expect(asked('--replicas', '3', '--workers', '0', '--port', '9090')).toEqual([
    'it was started otherwise, not applied: --replicas 3 (it has 2), --workers 0 (it has 1), --port 9090 (it has 8080); end it first',
    0,
  ]);
  rmSync(dir, { recursive: true });
});

test('the demo names a file that it cannot read before it starts anything', () => {
  const missing = join(rootDir, 'no-such-picture.jpg');
  expect(refusedBy('demo.mjs')('--document', missing)).toEqual([`--document: ${missing} cannot be read`, 2]);
});
