import { DEFAULT_SETTINGS, TenantSettingsSchema } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import { fieldsOf, measured, patchOf, type SettingSchema, textOf, valueAt } from './settings-form.ts';

const fields = fieldsOf(TenantSettingsSchema as unknown as SettingSchema);
const named = (path: string) => fields.find((field) => field.path === path)!;

describe('the fields of the settings', () => {
  test('are complete, with words and with their defaults', () => {
    for (const { path, label, help } of fields) expect([path, label !== '', help !== '']).toEqual([path, true, true]);
    for (const { path, preset } of fields.filter((field) => !field.path.startsWith('webhook.')))
      expect([path, preset]).toEqual([path, textOf(valueAt(DEFAULT_SETTINGS, path))]);
  });

  test('have a kind of control each', () => {
    expect(named('acceptSpecimens').kind).toBe('flag');
    expect(named('limits.maxFileBytes')).toMatchObject({ kind: 'number', group: 'Limits' });
    expect(named('issuingSources.userCategory')).toMatchObject({
      kind: 'choice',
      options: ['COMMERCIAL', 'GOVERNMENT'],
    });
    expect(named('acceptedIssuers').kind).toBe('lines');
    expect(named('webhook.mode').options).toEqual(['NONE', 'API_KEY', 'HMAC']);
  });
});

test.each([
  ['transactionLifetimeSeconds', '1800', '30 minutes'],
  ['retention.tombstoneSeconds', '86400', '1 day'],
  ['otp.timeoutSeconds', '61', '61 seconds'],
  ['limits.maxFileBytes', '15728640', '15 MB'],
  ['limits.requestsPerMinute', '600', ''],
  ['otp.timeoutSeconds', 'many', ''],
])('the value of %s, %s, is “%s”', (path, text, words) => expect(measured({ path }, text)).toBe(words));

describe('a change', () => {
  const before = { policy: 'strict', otp: { attempts: 5 }, webhook: { url: 'https://a.example', mode: 'NONE' } };
  test('contains what differs and nothing else', () => {
    const texts = { policy: 'strict', acceptSpecimens: 'true', 'otp.attempts': '7', acceptedIssuers: 'AUS\n NZL ' };
    expect(patchOf(fields, before, texts)).toEqual({
      acceptSpecimens: true,
      otp: { attempts: 7 },
      acceptedIssuers: ['AUS', 'NZL'],
    });
  });

  test.each([
    [{}, undefined],
    [{ policy: 'strict' }, undefined],
    [{ policy: '' }, { policy: null }],
    [{ 'otp.attempts': 'many' }, { otp: { attempts: 'many' } }],
    [{ 'webhook.url': '', 'webhook.secret': 's' }, { webhook: null }],
    [{ 'webhook.schedule': '60\n3600' }, { webhook: { schedule: [60, 3600] } }],
    [{ 'webhook.url': 'https://b.example' }, { webhook: { url: 'https://b.example' } }],
  ])('%j is the patch %j', (texts, patch) => {
    expect(patchOf(fields, before, texts)).toEqual(patch);
  });
});
