import { matches, TenantSettingsSchema } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import { patchSchemaOf } from './settings-patch.ts';

const schema = patchSchemaOf(TenantSettingsSchema);

describe('the documented change of settings', () => {
  test.each([
    {},
    { policy: null },
    { retention: { tombstoneSeconds: null } },
    { webhook: { enabled: true } },
    { webhook: null },
    { adjudication: { enabled: true, expirySeconds: 60 }, acceptedIssuers: ['AUS'] },
  ])('may be %j', (patch) => {
    expect(matches(schema, patch)).toBe(true);
  });

  test.each([{ policy: 7 }, { retention: { tombstoneSeconds: 0 } }, { unknown: true }, { webhook: { mode: 'BASIC' } }])(
    'may not be %j',
    (patch) => {
      expect(matches(schema, patch)).toBe(false);
    },
  );

  test('describes each member and its form', () => {
    const { properties } = schema as unknown as { properties: Record<string, Record<string, unknown>> };
    expect(properties.policy).toMatchObject({ title: 'Policy', default: 'default' });
  });
});
