import { newId } from '@assay/runtime';
import { type Api, apiWith } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { created, type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
let acme: Awaited<ReturnType<Rig['tenant']>>;
let other: Awaited<ReturnType<Rig['tenant']>>;
let own: Api;
beforeAll(async () => {
  rig = await startRig();
  [acme, other] = [await rig.tenant(), await rig.tenant()];
  const { body } = await rig.admin.post(`/admin/v1/tenants/${acme.tenantId}/keys`, { role: 'TENANT_ADMINISTRATOR' });
  expect(body.apiKey).toMatch(/^asy_ta_/);
  own = apiWith(rig.baseUrl, body.apiKey);
});
afterAll(() => rig.close());

const at = (tenantId: string) => `/admin/v1/tenants/${tenantId}`;

test("a tenant's administrator manages its own tenant", async () => {
  expect((await own.get(at(acme.tenantId))).body.tenantId).toBe(acme.tenantId);
  const { status, body } = await own.patch(at(acme.tenantId), { settings: { transactionLifetimeSeconds: 77 } });
  expect([status, body.settings.transactionLifetimeSeconds]).toEqual([200, 77]);
  const key = (await own.post(`${at(acme.tenantId)}/keys`, { role: 'OPERATOR' })).body;
  expect((await own.get(`${at(acme.tenantId)}/keys`)).body.items.length).toBeGreaterThan(3);
  expect((await own.delete(`${at(acme.tenantId)}/keys/${key.keyId}`)).status).toBe(200);
  const { id } = await created(acme.rs);
  const { items } = (await own.get(`${at(acme.tenantId)}/identities`)).body;
  expect(items.map(({ identityId }: { identityId: string }) => identityId)).toEqual([id]);
  const lines = (await own.get(`${at(acme.tenantId)}/audit`)).body.items;
  expect(lines).toContainEqual(
    expect.objectContaining({
      content: expect.objectContaining({
        act: 'tenant.change',
        actor: expect.objectContaining({ role: 'TENANT_ADMINISTRATOR' }),
      }),
    }),
  );
});

test('it finds no other tenant by any call, and changes nothing there', async () => {
  const { id } = await created(other.rs);
  const asked = rig.groups
    .flatMap(({ base, routes }) => routes.map((route) => ({ base, ...route })))
    .filter(({ roles, path }) => roles.includes('TENANT_ADMINISTRATOR') && path.includes('{'));
  expect(asked.length).toBeGreaterThan(15);
  for (const { base, path, method } of asked) {
    const ids: Record<string, string> = { tenantId: other.tenantId, identityId: id };
    const url = `${base}${path.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? newId())}`;
    const body = path.endsWith('evaluation') ? { policy: 'default' } : { settings: {}, role: 'OPERATOR' };
    const send = method === 'get' || method === 'delete' ? own[method](url) : own[method](url, body);
    const { status } = await send;
    expect([method, path, status]).toEqual([method, path, 404]);
  }
  expect((await other.rs.get(`/svc/v1/identities/${id}`)).status).toBe(200);
});

test('it learns no name that another tenant, or its issuer, knows a person by, and gives none', async () => {
  const { people } = rig.stores;
  const ann = await people.signedIn({ issuer: '', subject: 'ann' }, 'Ann Berg', other.tenantId);
  const keyOf = (by: Api, { tenantId }: { tenantId: string }, person: object) =>
    by.post(`${at(tenantId)}/keys`, { role: 'OPERATOR', person });
  await keyOf(own, acme, { subject: 'ann', name: 'Ann of Acme' });
  await keyOf(own, acme, { subject: 'bob', name: 'Mallory' });
  await keyOf(rig.admin, other, { subject: 'bob', name: 'Bob' });
  const namesOf = async ({ tenantId }: { tenantId: string }) =>
    (await rig.admin.get(`${at(tenantId)}/keys`)).body.items.flatMap(({ name }: { name?: string }) => name ?? []);
  expect((await namesOf(acme)).toSorted()).toEqual(['Ann of Acme', 'Mallory']);
  expect(await namesOf(other)).toEqual(['Bob']);
  const nameIn = async ({ tenantId }: { tenantId: string }) => (await people.names([ann], tenantId)).get(ann);
  expect([await nameIn(acme), await nameIn(other)]).toEqual(['Ann of Acme', 'Ann Berg']);
  await people.signedIn({ issuer: '', subject: 'ann' }, 'Ann Berg', acme.tenantId);
  expect(await nameIn(acme)).toBe('Ann Berg');
});

test('settings that only the suite may change stay as they are', async () => {
  const grants = [
    { limits: { requestsPerMinute: 5000 } },
    { issuingSources: { enabled: true } },
    { acceptSpecimens: true },
  ];
  for (const settings of grants) {
    const { status, body } = await own.patch(at(acme.tenantId), { settings });
    expect([status, body.errors[0].field]).toEqual([403, `settings.${Object.keys(settings)[0]}`]);
    expect((await rig.admin.patch(at(acme.tenantId), { settings })).status).toBe(200);
  }
});

test('every route that it may call belongs to a tenant, or shows nothing about others', () => {
  const elsewhere = rig.groups
    .flatMap(({ routes }) => routes)
    .filter(({ roles, path }) => roles.includes('TENANT_ADMINISTRATOR') && !path.includes('{tenantId}'));
  const known = ['evaluate', 'evaluateExported', 'explain', 'getAdministrator', 'listPolicies', 'signOutAdministrator'];
  expect(elsewhere.map(({ id }) => id).sort()).toEqual(known);
});

test.each(['OPERATOR', 'TENANT_ADMINISTRATOR'] as const)(
  'who is %s of two tenants hears no reply of one of them in the other',
  async (role) => {
    const person = { subject: `${role} of both`, name: 'Ann Smith' };
    const keyOf = async ({ tenantId }: typeof acme) =>
      apiWith(rig.baseUrl, (await rig.admin.post(`${at(tenantId)}/keys`, { role, person })).body.apiKey);
    const [inAcme, inOther] = [await keyOf(acme), await keyOf(other)];
    const { id } = await created(acme.rs);
    const base = role === 'OPERATOR' ? '/operator/v1' : '/admin/v1';
    const evaluate = (api: Api) =>
      api.post(`${base}/identities/${id}/evaluation`, { policy: 'default' }, { 'idempotency-key': 'of-both' });
    expect((await evaluate(inAcme)).status).toBe(200);
    expect((await evaluate(inOther)).status).toBe(404);
    // Another key of the same person in the same tenant does.
    expect((await evaluate(await keyOf(acme))).headers.get('idempotency-replayed')).toBe('true');
  },
);
