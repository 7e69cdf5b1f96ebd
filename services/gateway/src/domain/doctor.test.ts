import type { Finding } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import { type Examined, issuerFindings, keysFindings, notMade, servicesFindings, tenantsFindings } from './doctor.ts';

const answeredAt = new Date('2026-01-01T00:00:10.000Z');
const examined = (service: string, more: Partial<Examined> = {}): Examined => ({
  ...{ service, at: answeredAt.toISOString(), answeredAt, findings: [] },
  ...more,
});
const bad = (findings: readonly (Finding & { where?: string })[]) =>
  findings.filter(({ status }) => status !== 'OK').map(({ check, status, where }) => [check, status, where]);

describe('services side by side', () => {
  test('with equal clocks and their own keys are fine', () => {
    const keyed = ['gateway', 'notifier'].map((service) => examined(service, { masterKeyFingerprint: service }));
    expect(bad(servicesFindings(keyed))).toEqual([]);
  });

  test.each([
    ['2026-01-01T00:00:07.000Z', 'WARNING'],
    ['2026-01-01T00:01:00.000Z', 'PROBLEM'],
  ])('one at %s has a clock that is off', (at, status) => {
    expect(bad(servicesFindings([examined('gateway'), examined('notifier', { at })]))).toEqual([
      ['clocks', status, 'notifier'],
    ]);
  });

  test('that share a master key are named', () => {
    const keyed = ['gateway', 'notifier'].map((service) => examined(service, { masterKeyFingerprint: 'same' }));
    const found = servicesFindings(keyed).find(({ check }) => check === 'master-keys-differ');
    expect(found).toMatchObject({ status: 'PROBLEM', message: 'one key for gateway, notifier' });
  });
});

test.each([
  ['ADMITS', []],
  ['UNKNOWN', []],
  ['AWAY', ['sign-in-issuer']],
  ['OTHER_ISSUER', ['sign-in-issuer']],
  ['REFUSES_REDIRECT', ['sign-in-redirect']],
] as const)('an issuer that answers %s', (answer, checks) => {
  expect(bad(issuerFindings(answer))).toEqual(checks.map((check) => [check, 'PROBLEM', 'gateway']));
});

test('tenants: specimens, sandboxes and weak webhooks are found, and specimens of a sandbox are not', () => {
  const webhook = { url: 'https://client.example', mode: 'HMAC', secret: 'x' } as const;
  const tenants = [
    { tenantId: 'sound', settings: { webhook } },
    { tenantId: 'specimens', settings: { acceptSpecimens: true } },
    { tenantId: 'sandbox', settings: { sandbox: true, acceptSpecimens: true } },
    { tenantId: 'keys', settings: { adjudication: { fourEyes: true } } },
    { tenantId: 'people', settings: { adjudication: { fourEyes: true, peopleOnly: true } } },
    { tenantId: 'clear', settings: { webhook: { ...webhook, url: 'http://client.example' } } },
    { tenantId: 'unsigned', settings: { webhook: { url: webhook.url, mode: 'NONE' as const } } },
  ];
  expect(tenantsFindings(tenants).map(({ check, status, message }) => [check, status, message])).toEqual([
    ['specimens', 'PROBLEM', expect.stringMatching(/: specimens$/)],
    ['sandbox', 'WARNING', expect.stringMatching(/: sandbox$/)],
    ['four-eyes', 'WARNING', expect.stringMatching(/: keys$/)],
    ['webhooks', 'WARNING', expect.stringMatching(/: clear, unsigned$/)],
  ]);
  expect(bad(tenantsFindings(tenants.slice(0, 1)))).toEqual([]);
});

test('keys: old ones, unused ones, and too few or endless ones of administrators', () => {
  const sound = { old: [], unused: [], administrators: { working: 2, endless: 0 } };
  expect(bad(keysFindings(sound))).toEqual([]);
  const many = Array.from({ length: 7 }, (_, index) => `key-${index}`);
  const found = keysFindings({ old: many, unused: ['a'], administrators: { working: 1, endless: 0 } });
  expect(found.map(({ status }) => status)).toEqual(['WARNING', 'WARNING', 'WARNING']);
  expect(found[0]?.message).toMatch(/key-4 and 2 more$/);
  expect(bad(keysFindings({ ...sound, administrators: { working: 3, endless: 1 } }))).toHaveLength(1);
});

test('a check that no service reported is unknown', () => {
  expect(notMade(['clocks', 'metrics'], [{ check: 'clocks', status: 'OK', message: '', where: 'gateway' }])).toEqual([
    expect.objectContaining({ check: 'metrics', status: 'UNKNOWN' }),
  ]);
});
