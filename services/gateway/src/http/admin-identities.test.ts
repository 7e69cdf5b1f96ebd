import { IDENTITY_SUMMARY_STATUSES } from '@assay/contracts';
import { trusted } from '@assay/mongo';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { anEvidence } from '../testing/builders.ts';
import { created, type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

type Tenant = Awaited<ReturnType<Rig['tenant']>>;
const at = ({ tenantId }: Tenant, rest = ''): string => `/admin/v1/tenants/${tenantId}/identities${rest}`;
const found = async (tenant: Tenant, query: string): Promise<string[]> => {
  const { status, body } = await rig.admin.get(at(tenant, `?${query}`));
  expect([status, body.errors]).toEqual([200, undefined]);
  return body.items.map(({ identityId }: { identityId: string }) => identityId);
};
const named = async (tenant: Tenant, businessId: string): Promise<string> =>
  (await tenant.rs.post('/svc/v1/identities', { context: [{ key: 'BUSINESS_ID', value: businessId }] })).body.id;
const set = (identityId: string, fields: object) =>
  rig.stores.identities.model.updateOne({ _id: identityId }, { $set: fields });

describe('identities are searched', () => {
  test('by the name that their tenant uses for the person, within that tenant alone', async () => {
    const [tenant, other] = [await rig.tenant(), await rig.tenant()];
    const wanted = await named(tenant, 'customer 7');
    await named(tenant, 'customer 8');
    await named(other, 'customer 7');
    const query = new URLSearchParams({ businessId: 'customer 7' }).toString();
    expect(await found(tenant, query)).toEqual([wanted]);
    const { body } = await rig.admin.get(at(tenant, `?${query}`));
    expect(JSON.stringify(body)).not.toContain('customer');
    expect(body.items[0]).toMatchObject({ status: 'EXPECTING_INPUT', levelOfAssurance: 'LOA0', evidences: [] });

    await tenant.rs.delete(`/svc/v1/identities/${wanted}`);
    expect(await found(tenant, query)).toEqual([]);
    expect(await found(tenant, `identityId=${wanted}`)).toEqual([wanted]);
  });

  test('by status, as each identity shows it', async () => {
    const tenant = await rig.tenant();
    const { id: waiting } = await created(tenant.rs);
    const states: Record<string, string> = { EXPECTING_INPUT: waiting };
    for (const state of ['PAUSED', 'ERROR', 'CLOSED']) {
      const { id } = await created(tenant.rs);
      await set(id, { state });
      states[state] = id;
    }
    const { id: busy } = await created(tenant.rs);
    await set(busy, { evidences: [anEvidence(1, { status: 'ADJUDICATION' })] });
    states.PROCESSING = busy;
    for (const status of IDENTITY_SUMMARY_STATUSES) {
      expect([status, await found(tenant, `status=${status}`)]).toEqual([status, [states[status]]]);
      const { body } = await rig.admin.get(at(tenant, `?identityId=${states[status]}`));
      expect(body.items[0].status).toBe(status);
    }
  });

  test('by date, the newest first, page by page', async () => {
    const tenant = await rig.tenant();
    const ids: string[] = [];
    for (const day of [1, 2, 3]) {
      const { id } = await created(tenant.rs);
      await set(id, { createdAt: new Date(`2026-01-0${day}T12:00:00Z`) });
      ids.unshift(id);
    }
    expect(await found(tenant, '')).toEqual(ids);
    expect(await found(tenant, 'createdFrom=2026-01-02&createdBefore=2026-01-03')).toEqual([ids[1]]);
    // A time is UTC too, whatever the time zone of the machine
    const before = 'createdBefore=2026-01-02T12:00:00.001';
    for (const from of ['2026-01-02T12:00:00', '2026-01-02T12:00Z', '2026-01-02T13:00%2B01:00'])
      expect(await found(tenant, `createdFrom=${from}&${before}`)).toEqual([ids[1]]);
    const { body: first } = await rig.admin.get(at(tenant, '?limit=2'));
    expect(first.items).toHaveLength(2);
    expect(await found(tenant, `limit=2&cursor=${first.cursor}`)).toEqual([ids[2]]);
  });

  test.each([
    'status=LOST',
    'createdFrom=soon',
    'createdFrom=2026-02-30',
    'createdBefore=2026-06-31T00:00:00',
    'createdBefore=2026-06-30T25:00:00',
    'createdFrom=2026-01-01 (noon)',
    'cursor=x',
    'limit=0',
  ])('not by %s', async (query) => {
    const { status, body } = await rig.admin.get(at(await rig.tenant(), `?${query}`));
    const [field] = query.split('=');
    expect([status, body.errors[0]]).toMatchObject([400, { field, message: expect.stringContaining('must be') }]);
  });

  test('no longer than clients find them once they are closed, though their tombstones stay', async () => {
    const tenant = await rig.tenant();
    const { id } = await created(tenant.rs);
    await tenant.rs.delete(`/svc/v1/identities/${id}`);
    const timeline = () => rig.admin.get(at(tenant, `/${id}/timeline`)).then(({ status }) => status);
    expect([await found(tenant, 'status=CLOSED'), await timeline()]).toEqual([[id], 200]);
    await set(id, { answersUntil: new Date(0) });
    expect((await tenant.rs.get(`/svc/v1/identities/${id}`)).status).toBe(404);
    expect([await found(tenant, 'status=CLOSED'), await timeline()]).toEqual([[], 404]);
    expect((await rig.admin.delete(at(tenant, `/${id}`))).status).toBe(404);
  });

  test('by an index', async () => {
    const { query } = rig.stores.identities;
    const now = new Date();
    for (const criteria of [{ now }, { now, businessRef: 'x' }, { now, createdFrom: now }]) {
      const plan = JSON.stringify(await query('t', criteria).explain('queryPlanner'));
      expect(plan).not.toContain('COLLSCAN');
    }
    const acts = rig.stores.audit.model.find({ 'content.subject.identityId': 'i', chain: trusted({ $in: ['t'] }) });
    expect(JSON.stringify(await acts.explain('queryPlanner'))).not.toContain('COLLSCAN');
  });
});

describe('of one identity', () => {
  test('the timeline shows events, deliveries and acts in their order', async () => {
    const tenant = await rig.tenant();
    const { id } = await created(tenant.rs);
    rig.asked.history = [{ at: '2001-01-01T00:00:00.000Z', kind: 'EVENT', type: 'identity.created', details: {} }];
    await rig.admin.get(at(tenant, `/${id}/export`));
    const { status, body } = await rig.admin.get(at(tenant, `/${id}/timeline`));
    expect([status, body.identity.identityId]).toEqual([200, id]);
    expect(body.items.map(({ kind, type }: { kind: string; type: string }) => `${kind} ${type}`)).toEqual([
      'EVENT identity.created',
      'DELIVERY IdentityStatusUpdate',
      'ACT identity.export',
    ]);
  });

  test('timeline and export name all deliveries and acts, however many pages they fill', async () => {
    const tenant = await rig.tenant();
    const { id } = await created(tenant.rs);
    rig.asked.deliveries = 1201;
    const content = { act: 'case.view', subject: { identityId: id }, actor: { keyId: 'k', role: 'OPERATOR' } };
    const { tenantId: chain } = tenant;
    const lineOf = (_: unknown, at: number) => ({ chain, seq: at + 1, at: '2001-01-01T00:00:00.000', content });
    await rig.stores.audit.model.insertMany(Array.from({ length: 700 }, lineOf));
    const countsOf = (items: { kind: string }[]): number[] =>
      ['DELIVERY', 'ACT'].map((kind) => items.filter((item) => item.kind === kind).length);
    const { body: timeline } = await rig.admin.get(at(tenant, `/${id}/timeline`));
    expect(countsOf(timeline.items)).toEqual([1201, 700]);
    const { body: exported } = await rig.admin.get(at(tenant, `/${id}/export`));
    expect(countsOf(exported.others)).toEqual([1201, 701]);
    rig.asked.deliveries = 1;
  });

  test('the export contains what is stored, and is recorded in the audit log', async () => {
    const tenant = await rig.tenant();
    const id = await named(tenant, 'customer 9');
    const { status, body } = await rig.admin.get(at(tenant, `/${id}/export`));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      tenantId: tenant.tenantId,
      globalStatus: { id },
      consents: [],
      history: [],
      media: [],
    });
    const { body: log } = await rig.admin.get(`/admin/v1/tenants/${tenant.tenantId}/audit`);
    expect(log.items.map(({ content }: { content: { act: string } }) => content.act)).toEqual(['identity.export']);
  });

  test('the export has deliveries and acts oldest first, as the timeline does', async () => {
    const tenant = await rig.tenant();
    const { id } = await created(tenant.rs);
    const act = {
      act: 'case.expire' as const,
      subject: { identityId: id },
      actor: { keyId: 'gateway', role: 'SUITE' },
    };
    for (const [seq, time] of ['2001-03-25T02:30:00.000', '2001-03-25T03:10:00.000'].entries())
      await rig.stores.audit.model.create({ chain: tenant.tenantId, seq: 100 - seq, at: time, content: act });
    const timesOf = (items: { at: string }[]): string[] => items.map((item) => item.at);
    const { body } = await rig.admin.get(at(tenant, `/${id}/export`));
    expect(timesOf(body.others).length).toBeGreaterThan(2);
    expect(timesOf(body.others)).toEqual(timesOf(body.others).toSorted());
  });

  test('a purge closes it, once; afterwards it has no export', async () => {
    const tenant = await rig.tenant();
    const { id, at: path } = await created(tenant.rs);
    for (const _time of ['first', 'again']) {
      const { status, body } = await rig.admin.delete(at(tenant, `/${id}`));
      expect([status, body]).toEqual([200, { identityId: id, status: 'CLOSED' }]);
    }
    expect((await tenant.rs.get(path)).status).toBe(410);
    expect((await rig.admin.get(at(tenant, `/${id}/export`))).status).toBe(410);
    expect((await rig.admin.get(at(tenant, `/${id}/timeline`))).body.identity).toMatchObject({
      status: 'CLOSED',
      reason: 'DELETED',
    });
  });

  test("another tenant's is not there", async () => {
    const [tenant, other] = [await rig.tenant(), await rig.tenant()];
    const { id, at: path } = await created(tenant.rs);
    for (const what of ['timeline', 'export', 'media/x'])
      expect((await rig.admin.get(at(other, `/${id}/${what}`))).status).toBe(404);
    expect((await rig.admin.delete(at(other, `/${id}`))).status).toBe(404);
    expect((await tenant.rs.get(path)).status).toBe(200);
  });
});
