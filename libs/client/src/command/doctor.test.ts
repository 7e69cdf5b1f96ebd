import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKS } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import { ALERTS } from './alerts.ts';
import { frontFinding } from './doctor.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/production.md'), 'utf8');
const rowsUnder = (heading: string): string[][] =>
  (page.split(`## ${heading}`)[1] ?? '')
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('|---'))
    .slice(1)
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );

describe('docs/production.md', () => {
  test('has a line for each check of the command, and no other', () => {
    const named = rowsUnder('What the command checks').map(([name = '']) => name.replaceAll('`', ''));
    expect(named.sort()).toEqual([...CHECKS].sort());
  });

  test('says for everything else why no command can check it', () => {
    const rows = rowsUnder('What no command can check');
    expect(rows.length).toBeGreaterThan(0);
    for (const [what, why] of rows) expect([what, (why ?? '').length > 10]).toEqual([what, true]);
  });
});

test.each([
  ['https://assay.example', 'OK'],
  ['http://localhost:8080', 'WARNING'],
  ['http://127.0.0.1', 'WARNING'],
  ['http://[::1]:8080', 'WARNING'],
  ['http://assay.example', 'PROBLEM'],
  ['http://localhost.assay.example', 'PROBLEM'],
  ['http://127.assay.example', 'PROBLEM'],
])('what clients reach at %s is %s', (url, status) => {
  expect(frontFinding(url).status).toBe(status);
});

test('the command checks for every alert that is shipped', () => {
  const shipped = readFileSync(join(import.meta.dirname, '../../../../deploy/prometheus/alerts.yml'), 'utf8');
  expect([...shipped.matchAll(/- alert: (\w+)/g)].map(([, name]) => name).sort()).toEqual([...ALERTS].sort());
});
