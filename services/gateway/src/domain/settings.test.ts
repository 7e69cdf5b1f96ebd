import { DEFAULT_SETTINGS, type TenantSettings, TenantSettingsSchema, violationsOf } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import { changedGrant, effectiveSettings, mergePatch, sendsStoredSecret, verificationSettings } from './settings.ts';

describe('a merge patch (RFC 7396)', () => {
  test.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('%j with %j', (target, patch, expected) => expect(mergePatch(target, patch)).toEqual(expected));

  test.each(['__proto__', 'constructor', 'toString'])('a member %s is a plain member, not a prototype', (name) => {
    const patch = JSON.parse(`{"${name}":{"sandbox":true},"capture":{"${name}":{"name":"x"}}}`);
    const merged = mergePatch({ policy: 'default' }, patch) as TenantSettings;
    expect(Object.keys(merged)).toEqual(['policy', name, 'capture']);
    expect([merged.sandbox, merged.capture?.name]).toEqual([undefined, undefined]);
    expect(violationsOf(TenantSettingsSchema, merged).map(({ field }) => field)).toEqual([name, `capture.${name}`]);
  });
});

test('every number of the settings has a maximum, so that every date computed from it exists', () => {
  const unbounded = (schema: unknown, path: string): string[] => {
    if (typeof schema !== 'object' || schema === null) return [];
    const { type, maximum } = schema as { type?: unknown; maximum?: unknown };
    const own = (type === 'integer' || type === 'number') && maximum === undefined ? [path] : [];
    return [...own, ...Object.entries(schema).flatMap(([name, part]) => unbounded(part, `${path}.${name}`))];
  };
  expect(unbounded(TenantSettingsSchema, 'settings')).toEqual([]);
  const longest = { retention: { tombstoneSeconds: 1e15 } };
  expect(violationsOf(TenantSettingsSchema, longest)).toMatchObject([{ field: 'retention.tombstoneSeconds' }]);
});

test('a limit may be as large as a number that JSON carries exactly', () => {
  const limits = { maxFileBytes: Number.MAX_SAFE_INTEGER, requestsPerMinute: Number.MAX_SAFE_INTEGER };
  expect(violationsOf(TenantSettingsSchema, { limits })).toEqual([]);
});

describe('the settings that only the suite may change', () => {
  test.each([
    ['limits', { limits: { requestsPerMinute: 1 } }],
    ['issuingSources', { issuingSources: { enabled: true } }],
    ['acceptSpecimens', { acceptSpecimens: true }],
  ])('%s differs', (name, after) => expect(changedGrant({}, after)).toBe(name));
  test('are separate from those of the tenant', () => {
    const limits = { requestsPerMinute: 1 };
    const before = { limits, policy: 'default', adjudication: { enabled: true } };
    expect(changedGrant(before, { limits: { ...limits }, policy: 'strict', webhook: null })).toBeUndefined();
  });
});

describe('the stored secret of a webhook', () => {
  const [url, other, secret] = ['https://client.example/', 'https://other.example/', 'stored'];
  const signed = { webhook: { url, mode: 'HMAC', secret } } as const;
  const sent = { webhook: { url, mode: 'API_KEY', secret } } as const;

  test.each([
    ['a header where there was a signature', signed, { webhook: { mode: 'API_KEY' } }, true],
    ['another address, with its header', sent, { webhook: { url: other } }, true],
    ['another address, with a signature', signed, { webhook: { url: other } }, false],
    ['a signature where there was a header', sent, { webhook: { mode: 'HMAC', url: other } }, false],
    ['another header name at the same address', sent, { webhook: { headerName: 'x-key' } }, false],
    ['another address, and the secret given again', sent, { webhook: { url: other, secret } }, false],
    ['another address, and another secret', sent, { webhook: { url: other, secret: 'new' } }, false],
    ['no webhook any more', sent, { webhook: null }, false],
    ['a setting of something else', sent, { policy: 'strict' }, false],
    ['a first webhook', {}, { webhook: { url, mode: 'API_KEY', secret } }, false],
  ] as [string, TenantSettings, object, boolean][])(
    'goes where it did not go before by %s',
    (_by, before, patch, goes) => {
      expect(sendsStoredSecret(before, mergePatch(before, patch) as TenantSettings, patch)).toBe(goes);
    },
  );
});

describe('the settings in force', () => {
  test('given nothing, then every setting has its default', () => {
    expect(effectiveSettings({})).toEqual(DEFAULT_SETTINGS);
  });

  test('given one member of a group, then the others of the group have their default', () => {
    const { retention, limits } = effectiveSettings({ retention: { proofGraceSeconds: 1 } });
    expect(retention).toEqual({ ...DEFAULT_SETTINGS.retention, proofGraceSeconds: 1 });
    expect(limits).toEqual(DEFAULT_SETTINGS.limits);
  });

  test('given a list, then it replaces the default instead of joining it', () => {
    expect(effectiveSettings({ allowedOrigins: ['https://a.example'] }).allowedOrigins).toEqual(['https://a.example']);
  });
});

describe('the settings that a verification gets', () => {
  const given = (settings: TenantSettings) => verificationSettings(effectiveSettings(settings), '3.1');

  test('the policy by name and version', () => {
    expect(given({ policy: 'strict' }).policy).toEqual({ name: 'strict', version: '3.1' });
  });

  test('no setting of how operators are notified, which may name a person', () => {
    const adjudication = { enabled: true, noticeEmail: 'desk@example.org', noticeAfterSeconds: 60 };
    const text = JSON.stringify(given({ adjudication }));
    expect(text).not.toContain('desk@');
    expect(given({ adjudication }).adjudication).toMatchObject({ enabled: true, fourEyes: false });
  });

  test('a list of accepted issuers only if there is one, also an empty one', () => {
    expect(given({})).not.toHaveProperty('acceptedIssuers');
    expect(given({ acceptedIssuers: [] }).acceptedIssuers).toEqual([]);
  });

  test('the mark of a sandbox only for a sandbox', () => {
    expect(given({ sandbox: false })).not.toHaveProperty('sandbox');
    expect(given({ sandbox: true }).sandbox).toEqual({});
  });
});
