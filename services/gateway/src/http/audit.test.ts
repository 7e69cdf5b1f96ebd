import { apiWith, quietLog, waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createAuditLog } from '../flows/audit.ts';
import { created, type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
let acme: Awaited<ReturnType<Rig['tenant']>>;
beforeAll(async () => {
  rig = await startRig();
  acme = await rig.tenant();
});
afterAll(() => rig.close());

const entriesOf = async (at: string) => (await rig.admin.get(`${at}/audit`)).body.items;

test('acts of administrators, retrievals and deletions are recorded in a chain that verifies and is signed', async () => {
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
  expect(entries[3].content.details).toEqual({ entry: 3, status: 404 });
  expect((await rig.admin.get(`${at}/audit/verification`)).body).toEqual({ entries: 9, ok: true });
  const checkpoint = await waitFor('the checkpoint', async () =>
    (await rig.admin.get(`${at}/audit/checkpoints`)).body.items.find(({ seq }: { seq: number }) => seq === 9),
  );
  expect(checkpoint).toMatchObject({ chain: acme.tenantId, hash: entries[8].hash, jws: expect.any(String) });
  const page = (await rig.admin.get(`${at}/audit?limit=4`)).body;
  expect([page.items.length, page.cursor]).toEqual([4, '4']);
});

test('what a caller writes in place of an id is not recorded, nor begins a chain', async () => {
  const address = 'ann.canary@example.org';
  const { tenantId, rs, op } = await rig.tenant();
  const at = `/admin/v1/tenants/${tenantId}`;
  const identity = await created(rs);
  const unknown = crypto.randomUUID();
  const before = (await rig.stores.audit.list('suite', 0, 100)).length;
  await rs.delete(`${identity.at}/evidences/${address}`);
  await rs.delete(`${identity.at}/evidences/${unknown}`);
  await op.get(`/operator/v1/cases/${address}/media/+4915798765432`);
  await rig.admin.delete(`${at}/identities/${address}`);
  await rig.admin.delete(`/admin/v1/dead-letters/${address}`);
  await rig.admin.delete(`/admin/v1/tenants/${address}/identities/${unknown}`);
  const suite = await rig.stores.audit.list('suite', before, 100);
  const entries = [...(await rig.stores.audit.list(tenantId, 0, 100)), ...suite];
  const subjectOf = (act: string) =>
    entries.filter(({ content }) => content?.act === act).map(({ content }) => content?.subject);
  expect(subjectOf('evidence.delete')).toEqual([
    { identityId: identity.id, evidenceId: 'unknown' },
    { identityId: identity.id, evidenceId: unknown },
  ]);
  expect(subjectOf('case.view-image')).toEqual([{ caseId: 'unknown', mediaId: 'unknown' }]);
  expect(subjectOf('identity.purge')).toEqual([
    { tenantId, identityId: 'unknown' },
    { tenantId: 'unknown', identityId: unknown },
  ]);
  expect(subjectOf('dead-letters.remove')).toEqual([{ queue: 'unknown' }]);
  expect(JSON.stringify(await rig.stores.audit.model.find({}).lean())).not.toMatch(/canary|4915798765432/);
});

test('the log is read from its newest entry, and by act and identity, in pages', async () => {
  const { rs, tenantId } = await rig.tenant();
  const at = `/admin/v1/tenants/${tenantId}`;
  const { id, at: identity } = await created(rs);
  for (const role of ['OPERATOR', 'OPERATOR', 'USER_AGENT']) await rig.admin.post(`${at}/keys`, { role });
  await rs.get(identity);
  await rs.delete(identity);
  const read = async (query: string) => (await rig.admin.get(`${at}/audit?${query}`)).body;
  const placesOf = ({ items }: { items: { seq: number }[] }) => items.map(({ seq }) => seq);
  expect(placesOf(await read('order=asc'))).toEqual([1, 2, 3, 4, 5, 6]);
  const newest = await read('order=desc&limit=4');
  expect([placesOf(newest), newest.cursor]).toEqual([[6, 5, 4, 3], '3']);
  const older = await read(`order=desc&limit=4&cursor=${newest.cursor}`);
  expect([placesOf(older), older.cursor]).toEqual([[2, 1], undefined]);
  const made = await read('order=desc&act=key.create&limit=2');
  expect([placesOf(made), made.cursor]).toEqual([[3, 2], '2']);
  expect(placesOf(await read(`order=desc&act=key.create&cursor=${made.cursor}`))).toEqual([1]);
  expect(placesOf(await read(`identityId=${id}`))).toEqual([4, 5, 6]);
  expect(placesOf(await read(`identityId=${id}&act=identity.read`))).toEqual([4]);
  expect(placesOf(await read('identityId=another'))).toEqual([]);
});

test.each([
  ['audit?cursor=zzz', 'cursor', 'must be the cursor of the page before'],
  ['audit/checkpoints?cursor=-1', 'cursor', 'must be the cursor of the page before'],
  ['audit?order=newest', 'order', 'must be one of asc, desc'],
  ['audit?act=key.made', 'act', expect.stringContaining('must be one of tenant.create, ')],
])('%s is refused with the field and the valid form', async (path, field, message) => {
  const { status, body } = await rig.admin.get(`/admin/v1/${path}`);
  expect([status, body.errors]).toEqual([400, [{ code: '1006', field, message }]]);
});

test('many acts at once make one chain', async () => {
  const { body } = await rig.admin.post('/admin/v1/tenants', { name: 'Busy' });
  const at = `/admin/v1/tenants/${body.tenantId}`;
  await Promise.all(Array.from({ length: 10 }, () => rig.admin.post(`${at}/keys`, { role: 'OPERATOR' })));
  expect((await rig.admin.get(`${at}/audit/verification`)).body).toEqual({ entries: 10, ok: true });
});

test('many identities closed at once, by two gateways, get 200 and one entry each', async () => {
  const other = await rig.another();
  const { rs, keys, tenantId } = await rig.tenant();
  const made = await Promise.all(Array.from({ length: 120 }, () => created(rs)));
  const second = apiWith(other.baseUrl, keys.rs);
  // Some are deleted twice at once: the second call finds the identity closed.
  const answers = await Promise.all(
    made.flatMap(({ at }, n) => [(n % 2 ? rs : second).delete(at), ...(n % 4 ? [] : [rs.delete(at)])]),
  );
  expect([...new Set(answers.map(({ status }) => status))].filter((status) => ![200, 410].includes(status))).toEqual(
    [],
  );
  const lines = await rig.stores.audit.list(tenantId, 0, 1000);
  const closed = lines.flatMap(({ content }) =>
    content?.act === 'identity.closed' ? [content.subject.identityId] : [],
  );
  expect(closed.sort()).toEqual(made.map(({ id }) => id).sort());
  expect((await rig.admin.get(`/admin/v1/tenants/${tenantId}/audit/verification`)).body).toMatchObject({ ok: true });
  await other.close();
});

test('a burst of calls with the wrong role loses no entry, and does not delay a deletion', async () => {
  const { rs, op, tenantId } = await rig.tenant({ limits: { requestsPerMinute: 5000 } });
  const { at } = await created(rs);
  const refused = Array.from({ length: 200 }, () => op.get(at));
  const deletion = rs.delete(at);
  expect((await deletion).status).toBe(200);
  expect((await Promise.all(refused)).every(({ status }) => status === 403)).toBe(true);
  await waitFor('every line', async () => {
    const lines = await rig.stores.audit.list(tenantId, 0, 1000);
    return lines.filter(({ content }) => content?.act === 'role.refused').length === 200;
  });
});

test('calls with the wrong role count towards the rate of their key, and so do their entries', async () => {
  const { op, tenantId } = await rig.tenant({ limits: { requestsPerMinute: 5 } });
  const answers = await Promise.all(Array.from({ length: 12 }, () => op.get('/svc/v1/identities/none')));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(5).fill(403), ...Array(7).fill(429)]);
  await waitFor('the lines', async () => (await rig.stores.audit.list(tenantId, 0, 100)).length === 5);
});

test('a chain that cannot be signed does not stop the checkpoints of others', async () => {
  // This gateway's own sweep does not run, so that only this test signs what is due.
  const quiet = await startRig({ more: { checkpointEveryMs: 3_600_000 } });
  const { audit } = quiet.stores;
  const chains = ['a', 'b', 'c'];
  for (const chain of chains)
    await audit.append(chain, { act: 'key.create', actor: { keyId: 'k', role: 'SUITE' }, subject: {} });
  const signed: string[] = [];
  const sign = async ({ content }: { content: object }) => {
    const { chain } = content as { chain: string };
    if (chain === 'b') throw new TypeError('no shape of ours');
    signed.push(chain);
    return { jws: 'j', kid: 'k' };
  };
  await createAuditLog({ audit, proofBuilder: { sign }, now: () => new Date(), log: quietLog }).checkpoint();
  expect(signed.sort()).toEqual(['a', 'c']);
  expect(await audit.lastCheckpoint('c')).toMatchObject({ seq: 1, jws: 'j' });
  await quiet.close();
});

test('a closed identity has a receipt that stays the same; an open one has none', async () => {
  const { id, at } = await created(acme.rs);
  expect((await acme.rs.get(`${at}/deletion-receipt`)).status).toBe(409);
  await acme.rs.delete(at);
  const first = (await acme.rs.get(`${at}/deletion-receipt`)).body;
  expect(first).toMatchObject({ identityId: id, reason: 'DELETED', keyDestroyed: true, receipt: { kid: 'k' } });
  expect((await acme.rs.get(`${at}/deletion-receipt`)).body).toEqual(first);
});

test('what a relying service reads of a person leaves one entry, its own browser and refusals none', async () => {
  const { rs, ua, tenantId } = await rig.tenant();
  const [{ id, at }, other] = [await created(rs), await created(rs)];
  await Promise.all([rs.get(at), rs.get(at), ua.get(at), ua.get(other.at)]);
  await rs.get(`${at}/status`);
  expect((await rs.get('/svc/v1/identities/unknown')).status).toBe(404);
  const lines = (await rig.stores.audit.list(tenantId, 0, 100)).filter(
    ({ content }) => content?.act === 'identity.read',
  );
  expect(lines.map(({ content }) => content)).toEqual([
    expect.objectContaining({
      actor: expect.objectContaining({ role: 'RELYING_SERVICE' }),
      subject: { identityId: id },
      details: { route: 'getIdentity', withinSeconds: 600 },
    }),
  ]);
});
