import { spawnSync } from 'node:child_process';
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

test('the demo names a file that it cannot read before it starts anything', () => {
  const missing = join(rootDir, 'no-such-picture.jpg');
  expect(refusedBy('demo.mjs')('--document', missing)).toEqual([`--document: ${missing} cannot be read`, 2]);
});
