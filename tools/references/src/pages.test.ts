import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { allAlerts, allMetrics } from './metrics.ts';
import { PAGES } from './pages.ts';
import { read, root, sourcesIn } from './sources.ts';
import { allVariables, variablesOf } from './variables.ts';

test.each(Object.entries(PAGES))('%s matches the code: otherwise run `npm run references`', (path, make) => {
  expect(read(path)).toBe(make());
});

describe('a variable', () => {
  test('is read with its form, default and words', () => {
    const source = `
    /** How many. */
    MOST: withDefault(integer, 60_000),
    /** How long. */
    AGE: withDefault(atLeast(1, upTo(9, 'more than enough')), 5),
    /**
     * A key
     * of the house.
     */
    KEY: base64Key(32),
    /** Where. */
    AT: optional(url),
`;
    expect(variablesOf(source)).toEqual([
      { name: 'MOST', kind: 'whole number', preset: '60000', says: 'How many.' },
      { name: 'AGE', kind: 'whole number', preset: '5', says: 'How long.' },
      { name: 'KEY', kind: '32 bytes in base64', preset: undefined, says: 'A key of the house.' },
      { name: 'AT', kind: 'address', preset: '', says: 'Where.' },
    ]);
  });

  test('that is called an address is read as one: a wrong value is refused by its name', () => {
    const { common, services } = allVariables();
    const all = [...common, ...services.flatMap(([, variables]) => variables)];
    expect(all.filter(({ name, kind }) => name.endsWith('_URL') && kind !== 'address')).toEqual([]);
  });

  test('without words is a fault', () => {
    expect(() => variablesOf('\n    SILENT: text,\n')).toThrow('SILENT has no comment');
  });
});

describe('an alert', () => {
  const names = allMetrics().map(({ name }) => name);
  const alerts = allAlerts().map((alert) => [alert.alert, alert] as const);
  test.each(alerts)('%s uses existing metrics', (_name, { expr }) => {
    const asked = [...expr.matchAll(/\bassay_\w+/g)].map(([name]) => name.replace(/_(bucket|sum|count)$/, ''));
    for (const name of asked) expect(names).toContain(name);
    expect(asked.length > 0 || expr.includes('up{')).toBe(true);
  });

  test.each(alerts)('%s has a severity, a summary and a runbook', (_name, { severity, summary, runbook }) => {
    expect(['critical', 'warning']).toContain(severity);
    expect(summary).not.toBe('');
    expect(runbook).toMatch(/^docs\/runbooks\/[\w-]+\.md$/);
    expect(existsSync(join(root, runbook))).toBe(true);
  });
});

describe('what a page tells an operator to look for exists', () => {
  const quoted = ['docs', 'docs/runbooks'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .flatMap((name) =>
        [...read(`${folder}/${name}`).matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => ({
          page: `${folder}/${name}`,
          text,
        })),
      ),
  );
  const linesOf = (found: typeof quoted): string[] => found.map(({ page, text }) => `${page}: ${text}`);

  test('a metric', () => {
    const names = new Set(allMetrics().map(({ name }) => name.replace(/^assay_/, '')));
    const isDatabase = (name: string) =>
      existsSync(join(root, 'services', name.replaceAll('_', '-'))) || /keys$/.test(name);
    const isKnown = (name: string) => names.has(name.replace(/_(bucket|sum|count)$/, '')) || isDatabase(name);
    const unknown = quoted.filter(({ text }) =>
      [...text.matchAll(/\bassay_([\w.-]*[a-z])(?![\w.-])/g)].some(([, name = '']) => !isKnown(name)),
    );
    expect(linesOf(unknown)).toEqual([]);
  });

  test('a line of a log, in a runbook', () => {
    const sources = [...sourcesIn('services'), ...sourcesIn('libs')].map(read).join('\n');
    const unknown = quoted.filter(
      ({ page, text }) =>
        page.startsWith('docs/runbooks/') &&
        /^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/.test(text) &&
        !text.endsWith('.json') &&
        !sources.includes(`'${text}'`),
    );
    expect(linesOf(unknown)).toEqual([]);
  });
});
