import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { openAuthority } from './authority.ts';

const folder = mkdtempSync(join(tmpdir(), 'authority-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('an authority that is opened again from its folder has the same certificate', () => {
  const first = openAuthority(folder);
  expect(openAuthority(folder).certificate.equals(first.certificate)).toBe(true);
  expect(openAuthority(undefined).certificate.equals(first.certificate)).toBe(false);
});
