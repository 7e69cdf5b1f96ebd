import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { created, type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
let acme: Awaited<ReturnType<Rig['tenant']>>;
beforeAll(async () => {
  rig = await startRig();
  acme = await rig.tenant();
});
afterAll(() => rig.close());

const entriesOf = async (at: string) => (await rig.admin.get(`${at}/audit`)).body.items;

test('acts of administrators, retrievals and deletions are recorded in a chain that holds and is signed', async () => {
  const at = `/admin/v1/tenants/${acme.tenantId}`;
  const { keyId } = (await rig.admin.post(`${at}/keys`, { role: 'OPERATOR' })).body;
  await rig.admin.delete(`${at}/keys/${keyId}`);
  expect((await rig.admin.delete(`${at}/keys/${keyId}`)).status).toBe(404);
  const proven = await created(acme.rs);
  await acme.rs.get(`${proven.at}/proof`);
  const deleted = await created(acme.rs);
  await acme.ua.delete(deleted.at);
  await waitFor('the refusal to be recorded', async () => (await entriesOf(at)).length === 7);
  await acme.rs.delete(deleted.at);
  const entries = await entriesOf(at);
  const acts = entries.map(({ content }: { content: { act: string } }) => content.act);
  expect(acts).toEqual([
    'key.create',
    'key.delete',
    'key.delete',
    'act.refused',
    'proof.retrieve',
    'identity.closed',
    'role.refused',
    'identity.delete',
    'identity.closed',
  ]);
  expect(entries[0].content.subject).toEqual({ tenantId: acme.tenantId, made: keyId });
  expect(entries[3].content.details).toEqual({ of: 3, status: 404 });
  expect((await rig.admin.get(`${at}/audit/verification`)).body).toEqual({ entries: 9, ok: true });
  const checkpoint = await waitFor('the checkpoint', async () =>
    (await rig.admin.get(`${at}/audit/checkpoints`)).body.items.find(({ seq }: { seq: number }) => seq === 9),
  );
  expect(checkpoint).toMatchObject({ chain: acme.tenantId, hash: entries[8].hash, jws: expect.any(String) });
  const page = (await rig.admin.get(`${at}/audit?limit=4`)).body;
  expect([page.items.length, page.cursor]).toEqual([4, '4']);
});

test('many acts at once stand in one chain', async () => {
  const { body } = await rig.admin.post('/admin/v1/tenants', { name: 'Busy' });
  const at = `/admin/v1/tenants/${body.tenantId}`;
  await Promise.all(Array.from({ length: 10 }, () => rig.admin.post(`${at}/keys`, { role: 'OPERATOR' })));
  expect((await rig.admin.get(`${at}/audit/verification`)).body).toEqual({ entries: 10, ok: true });
});

test('a closed identity has a receipt that stays the same; an open one has none', async () => {
  const { id, at } = await created(acme.rs);
  expect((await acme.rs.get(`${at}/deletion-receipt`)).status).toBe(409);
  await acme.rs.delete(at);
  const first = (await acme.rs.get(`${at}/deletion-receipt`)).body;
  expect(first).toMatchObject({ identityId: id, reason: 'DELETED', keyDestroyed: true, receipt: { kid: 'k' } });
  expect((await acme.rs.get(`${at}/deletion-receipt`)).body).toEqual(first);
});
