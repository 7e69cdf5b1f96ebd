import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parsePolicy, policiesOf } from './load.ts';
import { PolicySchema } from './schema.ts';
import { shippedPolicies } from './shipped.ts';

const standard = shippedPolicies().named('default')!;
const version = (number: string) => ({ ...standard, version: number });

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
