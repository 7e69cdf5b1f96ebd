import { execFileSync } from 'node:child_process';
import {
  chownSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');
const script = join(root, 'scripts/lock.mjs');
const isRoot = process.getuid?.() === 0;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-lock-'));
  file = join(folder, 'a.lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Evaluates `expression` in a process of its own, with the exports of the script. */
const run = (expression: string): unknown => {
  const program = `import * as lock from ${JSON.stringify(script)}; const file = ${JSON.stringify(file)}; console.log(JSON.stringify(${expression} ?? null));`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }));
};
const mine = { pid: process.pid };
const living = (): string => JSON.stringify({ ...mine, start: run(`lock.startOf(${process.pid})`) });

test('a lock is a file that only its user can read, without further files', () => {
  expect(run(`lock.takeLock(file, ${process.pid})`)).toBe(true);
  expect(lstatSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['a.lock']);
  expect(run('lock.ownerOf(file)')).toMatchObject(mine);
  expect(run('lock.takeLock(file)')).toBe(false);
});

test('a link names no owner, is not followed by writes, and is moved away', () => {
  const target = join(folder, 'target');
  writeFileSync(target, living());
  symlinkSync(target, file);
  expect(run('lock.ownerOf(file)')).toBeNull();
  expect(run(`lock.takeLock(file, ${process.pid})`)).toBe(true);
  expect(lstatSync(file).isSymbolicLink()).toBe(false);
  expect(readFileSync(target, 'utf8')).toBe(living());
});

// Only the superuser can make a file of another user.
(isRoot ? test : test.skip)('the file of another user names no owner', () => {
  writeFileSync(file, living());
  expect(run('lock.ownerOf(file)')).toMatchObject(mine);
  chownSync(file, 12_345, 12_345);
  expect(run('lock.ownerOf(file)')).toBeNull();
});
