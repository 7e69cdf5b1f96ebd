import { readFileSync } from 'node:fs';
import { ISO_COUNTRIES } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import { scopeOf } from '../domain/supported-evidence.ts';

const registry = JSON.parse(
  readFileSync(new URL('../../../../libs/engine/src/recognition/registry.json', import.meta.url), 'utf8'),
) as { licences: Record<string, unknown>; layouts: { type: string; country?: string }[] };

const typesOf = (country: string) => scopeOf(country).documents.map(({ documentType }) => documentType);

describe('documents that can be submitted', () => {
  test('include the licences of exactly the countries whose licences the registry has', () => {
    const layouts = registry.layouts.filter(({ type }) => type === 'DRIVING_LICENSE').map(({ country }) => country);
    const known = [...new Set([...Object.keys(registry.licences), ...layouts])].sort();
    expect(ISO_COUNTRIES.filter((country) => typesOf(country).includes('DRIVING_LICENSE')).sort()).toEqual(known);
  });

  test('include no identity card of a state that issues none', () => {
    expect(typesOf('AUS')).not.toContain('IDENTITY_CARD');
    expect(typesOf('DEU')).toContain('IDENTITY_CARD');
  });
});
