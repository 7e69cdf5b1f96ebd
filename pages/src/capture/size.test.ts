import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';

const MOST_BYTES = 120 * 1024;

/* `npm test` builds what is not fresh before it begins. */
test('the whole page is less than 120 KB compressed, languages included', () => {
  const files = ['index.html', 'main.js', 'main.css'].map((file) =>
    readFileSync(join(import.meta.dirname, '../../dist/capture', file)),
  );
  const bytes = files.reduce((sum, file) => sum + gzipSync(file).length, 0);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(MOST_BYTES);
});
