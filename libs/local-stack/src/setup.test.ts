import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { reasonToInstall } from '../../../scripts/setup.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-setup-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (file: string, content: object): void => {
  mkdirSync(join(folder, file, '..'), { recursive: true });
  writeFileSync(join(folder, file), JSON.stringify(content));
};
const lists = (locked: object, installed: object): void => {
  write('package-lock.json', { packages: { '': {}, ...locked } });
  write('node_modules/.package-lock.json', { packages: installed });
};
const one = { 'node_modules/one': { version: '1.0.0' } };
const elsewhere = { 'node_modules/elsewhere': { version: '1.0.0', optional: true } };

test('nothing is installed if every package is there, except those of other systems', () => {
  lists({ ...one, ...elsewhere }, one);
  write('node_modules/one/package.json', {});
  expect(reasonToInstall(folder)).toBeUndefined();
});

test('the packages are installed again if one is missing, has another version or lacks its files', () => {
  write('package-lock.json', { packages: one });
  expect(reasonToInstall(folder)).toBe('node_modules is missing');
  lists(one, {});
  expect(reasonToInstall(folder)).toBe('node_modules/one is not what package-lock.json says');
  lists(one, { 'node_modules/one': { version: '0.9.0' } });
  expect(reasonToInstall(folder)).toBe('node_modules/one is not what package-lock.json says');
  lists(one, one);
  expect(reasonToInstall(folder)).toBe('node_modules/one is missing');
});
