import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';

/* Whether a build takes what it made for fresh (scripts/programs.mjs). */

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'assay-programs-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Whether a file that was changed at a time has a version for a build that began at another. */
const hasVersion = (changed: number, began: number): boolean => {
  const file = join(folder, 'source.ts');
  writeFileSync(file, '');
  utimesSync(file, changed / 1000, changed / 1000);
  const given = [relative(root, file), began].map((each) => JSON.stringify(each)).join(', ');
  const url = JSON.stringify(pathToFileURL(join(root, 'scripts/programs.mjs')).href);
  const program = `const { versionOf, versionRead } = await import(${url});
    console.log(versionRead(${given}) === versionOf(${JSON.stringify(relative(root, file))}))`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  return printed === 'true\n';
};

test('a file that was changed during a build is not what it was built from, and the next build builds it', () => {
  const began = Date.now() - 10_000;
  expect(hasVersion(began - 1000, began)).toBe(true);
  expect(hasVersion(began + 1000, began)).toBe(false);
});

test('a file of a time still to come is fresh once it was built', () => {
  const began = Date.now() - 10_000;
  expect(hasVersion(Date.now() + 3_600_000, began)).toBe(true);
});
