import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';

const MOST_BYTES = 120 * 1024;
/**
 * What a slow connection transfers in a quarter of a second, so that the first step is shown within
 * one second.
 */
const MOST_FIRST_BYTES = 42 * 1024;

const folder = join(import.meta.dirname, '../../dist/capture');
const sizeOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);

/* Before it begins, `npm test` builds everything that is out of date. */
test('the whole page is less than 120 KB compressed, languages included', () => {
  const all = readdirSync(folder).filter((file) => /^[\w-]+\.(html|js|css|json)$/.test(file));
  expect(all).toEqual(expect.arrayContaining(['index.html', 'main.js', 'main.css', 'ja.json']));
  expect(sizeOf(all)).toBeGreaterThan(10_000);
  expect(sizeOf(all)).toBeLessThan(MOST_BYTES);
});

test('the first step needs a third of that: one language, and nothing twice', () => {
  const first = ['index.html', 'early.js', 'main.js', 'main.css', 'ar.json'];
  expect(sizeOf(first)).toBeLessThan(MOST_FIRST_BYTES);
});
