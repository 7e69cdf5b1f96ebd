import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { faultsOfPolicy, parsePolicy, policiesOf } from './load.ts';
import { PolicySchema } from './schema.ts';
import { shippedPolicies } from './shipped.ts';

const standard = shippedPolicies().named('default')!;
const version = (number: string) => ({ ...standard, version: number });

/** The places in a value; the first item stands for its list. */
const placesOf = (value: unknown): (string | number)[][] => {
  if (Array.isArray(value)) return value.length > 0 ? [[0], ...placesOf(value[0]).map((path) => [0, ...path])] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [[name], ...placesOf(inner).map((path) => [name, ...path])]);
};

/** A copy of the value with another one in a place; `undefined` leaves a member away. */
const withAt = (value: object, path: readonly (string | number)[], put: (old: unknown) => unknown): object => {
  const copy = structuredClone(value);
  const holder = path
    .slice(0, -1)
    .reduce<Record<string, unknown>>(
      (node, step) => node[step] as Record<string, unknown>,
      copy as Record<string, unknown>,
    );
  const last = path.at(-1)!;
  holder[last] = put(holder[last]);
  return JSON.parse(JSON.stringify(copy));
};

describe('policies', () => {
  test('the shipped ones follow the schema and name their sources', () => {
    for (const policy of shippedPolicies().list()) expect(policy.sources.length).toBeGreaterThan(0);
  });

  test('a file that does not follow the schema is refused with all its violations', () => {
    expect(() => parsePolicy({ ...standard, version: 'new', colour: 'red' })).toThrow(
      /version.*colour|colour.*version/,
    );
    expect(() => parsePolicy(null)).toThrow('policy ?');
  });

  test('a file is refused if, and only if, something is wrong with it in words', () => {
    const wrongs = [
      () => undefined,
      () => null,
      () => 7.5,
      () => 'a b',
      () => [],
      (old: unknown) => ({ ...(old as object), colour: 'red' }),
      (old: unknown) => (Array.isArray(old) ? Array(201).fill(old[0]) : [old]),
    ];
    const places = new Map(placesOf(standard).map((path) => [String(path.at(-1)), path]));
    const files = wrongs.flatMap((wrong) => [...places.values()].map((path) => withAt(standard, path, wrong)));
    const isRefused = (file: object): boolean => {
      try {
        parsePolicy(file);
        return false;
      } catch {
        return true;
      }
    };
    const differ = files.filter((file) => isRefused(file) !== faultsOfPolicy(file).length > 0);
    expect(differ).toEqual([]);
    const refused = files.filter(isRefused);
    expect(refused.length).toBeGreaterThan(files.length / 2);
    expect(refused.length).toBeLessThan(files.length);
  });

  test.each([
    ['blocking', 0, 'indicator', 'DOC_EXPIRATON_DATE_FAILED', 'blocking[0].indicator'],
    ['mandatory', 0, 'anyOf', ['MODEL_RECOGNISED_OK'], 'mandatory[0].anyOf[0]'],
    ['scores', 1, 'when', { none: ['LCD_DETECTION_OK', 'OCR_*_BAD'] }, 'scores[1].when.none[1]'],
  ])('a rule of %s %d whose %s is %j is refused by its place', (rules, at, member, value, place) => {
    const path = ['kinds', 'documentImage', rules, at, member];
    const file = withAt(standard, path, () => value);
    expect(() => parsePolicy(file)).toThrow(
      `policy default: kinds.documentImage.${place} names no indicator that there is`,
    );
    expect(faultsOfPolicy(file)).toHaveLength(1);
  });

  test('more patterns than are compared at once are refused as one fault', () => {
    const unknown = Array.from({ length: 200 }, () => 'A*A*A*B');
    const rules = (count: number) => Array.from({ length: count }, (_, at) => ({ rule: `R${at}`, anyOf: unknown }));
    const asking = (count: number) =>
      faultsOfPolicy(withAt(standard, ['kinds', 'documentImage', 'mandatory'], () => rules(count)));
    expect(asking(20)).toHaveLength(20 * 200);
    expect(asking(25)).toEqual(['kinds has more than 5000 names and patterns of indicators']);
  });

  test('a pattern that is longer than any indicator is refused', () => {
    const asking = (pattern: string) =>
      faultsOfPolicy(withAt(standard, ['kinds', 'documentImage', 'mandatory', 0, 'anyOf', 0], () => pattern));
    expect(asking(`*_${'A'.repeat(126)}`)).toEqual([
      'kinds.documentImage.mandatory[0].anyOf[0] names no indicator that there is',
    ]);
    expect(asking(`A${'*A'.repeat(64)}`)).toEqual([
      expect.stringMatching(/^kinds\.documentImage\.mandatory\[0\]\.anyOf\[0\] .*128/),
    ]);
  });

  test('a profile that everybody meets is refused', () => {
    const asking = (more: object) =>
      faultsOfPolicy(withAt(standard, ['profiles', 1], () => ({ level: 'LOA1', name: 'any', ...more })));
    expect(asking({ evidence: [], portrait: 0 })).toEqual([
      'profiles[1] asks for nothing: everybody would have its level',
    ]);
    expect([asking({ evidence: [], portrait: 1 }), asking({ evidence: [{}] })]).toEqual([[], []]);
  });

  test('two files of one name and version are refused: which counts would be chance', () => {
    expect(() => policiesOf([version('1.1'), version('1.2'), version('1.1')])).toThrow('policy default 1.1');
  });

  test('an identity uses the version that it began with; a new one gets the current version', () => {
    const policies = policiesOf([version('1.2'), version('1.10'), version('1.1')]);
    expect(policies.named('default')?.version).toBe('1.10');
    expect(policies.named('default', '1.1')?.version).toBe('1.1');
    expect(policies.named('default', '0.9')?.version).toBe('1.10');
    expect(policies.named('none')).toBeUndefined();
    expect(policies.list().map((policy) => policy.version)).toEqual(['1.10']);
  });

  test('a version identifies one set of rules: a change needs a new version and its digest in versions.json', () => {
    const folder = new URL('../policies/', import.meta.url);
    const read = (file: string) => JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
    const policies = readdirSync(folder)
      .filter((file) => !['policy.schema.json', 'versions.json'].includes(file))
      .map(read);
    const digestOf = (policy: object) => createHash('sha256').update(JSON.stringify(policy)).digest('hex');
    expect(read('versions.json')).toEqual(
      Object.fromEntries(policies.map((policy) => [`${policy.name} ${policy.version}`, digestOf(policy)])),
    );
    for (const policy of policies) expect(shippedPolicies().named(policy.name, policy.version)).toEqual(policy);
  });

  test('policy.schema.json, for editors, is the schema that files are checked against', () => {
    const file = new URL('../policies/policy.schema.json', import.meta.url);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(PolicySchema)));
  });
});
