import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { TOKENS } from './tokens.ts';

test('the shown proof has the tokens of the pages (npm run tokens)', () => {
  const pages = join(import.meta.dirname, '../../../../pages/src/design/tokens.css');
  expect(TOKENS).toBe(readFileSync(pages, 'utf8'));
});
