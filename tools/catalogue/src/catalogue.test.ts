import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { INDICATOR_NAMES } from '@assay/contracts';
import { shippedPolicies } from '@assay/policy';
import { describe, expect, test } from '@jest/globals';
import { ERROR_ORIGINS } from './errors.ts';
import { page } from './page.ts';
import { INDICATORS, neverComing, rows } from './rows.ts';

const root = join(import.meta.dirname, '../../..');
const text = (path: string): string => readFileSync(join(root, path), 'utf8');

const sourcesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory())
      return ['node_modules', 'dist', 'testing', 'test-data'].includes(entry.name) ? [] : sourcesIn(path);
    return /(?<!\.test)\.ts$/.test(entry.name) && path.includes('/src/') ? [path] : [];
  });
const sources = [...sourcesIn('libs'), ...sourcesIn('services')].map((path) => ({ path, source: text(path) }));

const all = rows();

describe('docs/catalogue.md', () => {
  test('matches the code (npm run catalogue)', () => {
    expect(text('docs/catalogue.md')).toBe(page());
  });

  test('has no empty cell', () => {
    const cells = [...text('docs/catalogue.md').matchAll(/^\|(.*)\|$/gm)].flatMap(([, row = '']) =>
      row.split(/(?<!\\)\|/),
    );
    expect(cells.length).toBeGreaterThan(1000);
    expect(cells.filter((cell) => cell.trim() === '')).toEqual([]);
  });

  test.each(all.filter((row) => row.in))('$name is raised in the file that it names', ({ in: path, as }) => {
    expect(text(path!)).toContain(as);
  });

  test('an indicator that is not produced is in no source', () => {
    // These files contain the lists of the specification, and words for people.
    const lists = /libs\/contracts\/src\/(indicators|vocabulary|words|errors)\.ts$/;
    const names = (Object.keys(INDICATORS) as (keyof typeof INDICATORS)[]).filter((name) => 'why' in INDICATORS[name]);
    const found = names.flatMap((name) =>
      sources
        .filter(({ path, source }) => !lists.test(path) && new RegExp(`['"\`]${name}(_[A-Z]+)?['"\`]`).test(source))
        .map(({ path }) => `${name} in ${path}`),
    );
    expect(names.length).toBeGreaterThan(10);
    expect(found).toEqual([]);
  });

  test('no source raises an indicator with a state that the catalogue does not list', () => {
    const known = Object.values(INDICATOR_NAMES).flat();
    const wrong = sources.flatMap(({ path, source }) =>
      [...source.matchAll(/['"`]([A-Z][A-Z0-9_]+)_(OK|WARNING|FAILED|UNVERIFIED|VERIFIED)['"`]/g)]
        .filter(([, name]) => known.includes(name as (typeof known)[number]))
        .filter(([, name, state]) => {
          const entry = INDICATORS[name as (typeof known)[number]];
          return 'why' in entry || !entry.states.some((one) => one === state);
        })
        .map(([literal]) => `${literal} in ${path}`),
    );
    expect(wrong).toEqual([]);
  });
});

/** The indicators of a cell; `BLUR_IMAGE_QUALITY_*` is one for each side. */
const namesIn = (cell: string): string[] =>
  cell
    .split(', ')
    .flatMap((name) => (name.endsWith('*') ? ['FRONT', 'BACK'].map((side) => name.replace('*', side)) : [name]));

/** What each indicator of docs/indicators.md can say; undefined if its table does not list it. */
const documented = new Map(
  [...text('docs/indicators.md').matchAll(/^\| indicator \|.*(?:\n\|.*)+/gm)].flatMap(([table]) => {
    const cells = table.split('\n').map((row) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()));
    const [heads = [], , ...rows] = cells;
    const column = heads.indexOf('can say');
    return rows.flatMap((row) => namesIn(row[1]!).map((name) => [name, row[column]?.split(' ').sort()] as const));
  }),
);

describe('docs/indicators.md', () => {
  const { imageQuality, reading, document, chip } = INDICATOR_NAMES;
  const produced = [...imageQuality, ...reading, ...document, ...chip].filter((name) => !('why' in INDICATORS[name]));

  test('has a row for each indicator of documents and chips that is produced, and for no other', () => {
    // These two are in other groups, and rules for documents raise them too. PORTRAIT is in
    // docs/faces.md.
    const expected = [...produced, 'IDDOCUMENT_TYPE_COMPARE', 'PORTRAIT_SUBSTITUTION'];
    expect([...documented.keys(), 'PORTRAIT'].sort()).toEqual(expected.sort());
  });

  test('says of each indicator the results that the catalogue lists', () => {
    const listed = produced.filter((name) => documented.get(name) !== undefined);
    const catalogued = listed.map((name) => {
      const entry = INDICATORS[name];
      return [name, 'states' in entry ? [...entry.states].sort() : []];
    });
    expect(listed.length).toBeGreaterThan(30);
    expect(listed.map((name) => [name, documented.get(name)])).toEqual(catalogued);
  });
});

test.each(shippedPolicies().list())('policy $name lists the indicators that it names in vain', (policy) => {
  const [said = ''] = policy.sources.filter((source) => source.startsWith('Never raised yet:'));
  const named = [...said.matchAll(/[A-Z0-9_]{6,}/g)].map(([name]) => name);
  expect(named.sort()).toEqual(neverComing(policy));
});

test('an error that a policy names can occur, and one that should come from policies is named by one', () => {
  const named = new Set(
    shippedPolicies()
      .list()
      .flatMap((policy) => [...JSON.stringify(policy).matchAll(/"error":"([A-Z_]+)"/g)].map(([, name]) => name!)),
  );
  const origins = Object.entries(ERROR_ORIGINS);
  expect(origins.filter(([name, origin]) => named.has(name) && 'why' in origin)).toEqual([]);
  expect(origins.filter(([name, origin]) => 'policies' in origin && !named.has(name))).toEqual([]);
});
