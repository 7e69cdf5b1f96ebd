import { apiWith, waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { created, type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
let offsetMs = 0;
beforeAll(async () => {
  rig = await startRig({ now: () => new Date(Date.now() + offsetMs) });
});
afterAll(() => rig.close());

const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
interface Key {
  keyId: string;
  lastUsedAt?: string;
}

test('administrators make, list and revoke keys of their own; the last one stays', async () => {
  const made = await rig.admin.post('/admin/v1/keys', { role: 'ADMINISTRATOR' });
  expect(made.body).toEqual({
    keyId: expect.any(String),
    apiKey: expect.stringMatching(/^asy_ad_/),
    role: 'ADMINISTRATOR',
  });
  const second = apiWith(rig.baseUrl, made.body.apiKey);
  const { items } = (await second.get('/admin/v1/keys')).body;
  expect(items).toHaveLength(2);
  expect(items).toContainEqual(
    expect.objectContaining({ keyId: made.body.keyId, role: 'ADMINISTRATOR', createdAt: date }),
  );
  expect(JSON.stringify(items)).not.toContain(made.body.apiKey);
  const { keyId: first } = items.find(({ keyId }: Key) => keyId !== made.body.keyId);
  expect((await rig.admin.delete('/admin/v1/keys/unknown')).status).toBe(404);
  const each = await Promise.all([
    rig.admin.delete(`/admin/v1/keys/${made.body.keyId}`),
    second.delete(`/admin/v1/keys/${first}`),
  ]);
  // Each may lose to the other, or both may lose; they must not both succeed.
  expect(each.filter(({ status }) => status === 200).length).toBeLessThan(2);
  const [mine] = [rig.admin, second].filter((_api, nth) => each[1 - nth]?.status !== 200);
  const left = (await mine!.get('/admin/v1/keys')).body.items.map(({ keyId }: Key) => keyId);
  const own = mine === second ? made.body.keyId : first;
  for (const keyId of left.filter((one: string) => one !== own))
    expect((await mine!.delete(`/admin/v1/keys/${keyId}`)).status).toBe(200);
  const last = await mine!.delete(`/admin/v1/keys/${own}`);
  expect([last.status, last.body.errors[0].code]).toEqual([409, '4090']);
  const spare = await mine!.post('/admin/v1/keys', { expiresAt: null, person: null });
  rig.admin = apiWith(rig.baseUrl, spare.body.apiKey);
});

test('a key is not made from a body with unknown members, or for a person by another subject than theirs', async () => {
  const { tenantId } = await rig.tenant();
  const at = `/admin/v1/tenants/${tenantId}/keys`;
  const person = { subject: 'ann@example.org', name: 'Ann Example' };
  const before = (await rig.admin.get(at)).body.items.length;
  for (const [body, ...fields] of [
    [{ ...person }, 'subject', 'name'],
    [{ person: { ...person, email: 'ann@example.org' } }, 'person.email'],
    [{ person: { ...person, subject: 'ann@example.org ' } }, 'person.subject'],
    [{ person: { ...person, subject: '\u00a0ann@example.org' } }, 'person.subject'],
    [{ expiresat: '2030-01-01T00:00:00' }, 'expiresat'],
  ] as const)
    for (const path of [at, '/admin/v1/keys']) {
      const { status, body: refusal } = await rig.admin.post(path, path === at ? { role: 'OPERATOR', ...body } : body);
      const refused = refusal.errors.map(({ code, field }: { code: string; field: string }) => [code, field]);
      expect([status, refused]).toEqual([400, fields.map((field) => ['1006', field])]);
    }
  expect((await rig.admin.get(at)).body.items).toHaveLength(before);
});

test('a key answers 401 once it has expired, and no key expires in the past', async () => {
  const { tenantId } = await rig.tenant();
  const at = `/admin/v1/tenants/${tenantId}/keys`;
  for (const expiresAt of ['2001-01-01T00:00:00.000', '2999-01-01T25:00:00', '2999-02-31T10:00:00', 'soon'])
    expect((await rig.admin.post(at, { role: 'USER_AGENT', expiresAt })).body.errors[0]).toMatchObject({
      code: '1006',
      field: 'expiresAt',
    });
  const expiresAt = new Date(Date.now() + 3600_000).toISOString().slice(0, 23);
  const { apiKey, keyId } = (await rig.admin.post(at, { role: 'USER_AGENT', expiresAt })).body;
  const api = apiWith(rig.baseUrl, apiKey);
  expect((await api.post('/svc/v1/identities')).status).toBe(200);
  expect((await rig.admin.get(at)).body.items).toContainEqual(expect.objectContaining({ keyId, expiresAt }));
  offsetMs = 3600_000;
  expect((await api.post('/svc/v1/identities')).status).toBe(401);
});

test('the last use of a key is written once a minute', async () => {
  const { tenantId, rs } = await rig.tenant();
  const lastUse = async (): Promise<string | undefined> =>
    (await rig.admin.get(`/admin/v1/tenants/${tenantId}/keys`)).body.items.find(({ lastUsedAt }: Key) => lastUsedAt)
      ?.lastUsedAt;
  expect(await lastUse()).toBeUndefined();
  const { at } = await created(rs);
  const first = await waitFor('the use to be written', lastUse);
  expect(first).toEqual(date);
  await rs.get(at);
  expect(await lastUse()).toBe(first);
  offsetMs += 61_000;
  await rs.get(at);
  await waitFor('the later use', async () => (await lastUse()) !== first);
});

test('errors say what to do, and name the page that explains them', async () => {
  const { rs, ua } = await rig.tenant();
  const { at } = await created(rs);
  const keyless = await fetch(`${rig.baseUrl}${at}`);
  const unauthenticated = (await keyless.json()) as { type: string; errors: { message: string }[] };
  expect(unauthenticated.errors[0]?.message).toContain('header apikey');
  expect((await ua.get(`${at}/proof`)).body.errors[0].message).toContain('RELYING_SERVICE');
  const portrait = await rs.upload(`${at}/attributes/portrait/capture`, { Portrait: Buffer.from('x') });
  expect(portrait.body.errors[0]).toMatchObject({ code: '3001', message: 'the consent PORTRAIT is not in force' });
  await rs.post(`${at}/consents`, [{ approved: false, type: 'ID_DOCUMENT' }]);
  const document = await rs.upload(`${at}/id-documents/capture`, { DocumentFront: Buffer.from('x') });
  expect(document.body.errors[0].message).toBe('the consent ID_DOCUMENT was refused');
  for (const path of [unauthenticated.type, portrait.body.type, '/docs/errors']) {
    const page = await fetch(`${rig.baseUrl}${path}`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  }
  expect((await rs.get('/docs/errors/9999')).status).toBe(404);
});

test('HEAD answers like GET without a body if reading has no effect, and OPTIONS needs no key', async () => {
  const { rs, keys } = await rig.tenant();
  const { at } = await created(rs);
  const ask = (method: string, path: string, headers: Record<string, string> = { apikey: keys.rs }) =>
    fetch(`${rig.baseUrl}${path}`, { method, headers });
  const [head, get] = [await ask('HEAD', at), await ask('GET', at)];
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
  expect((await ask('HEAD', at, {})).status).toBe(401);
  for (const effect of ['proof', 'deletion-receipt']) expect((await ask('HEAD', `${at}/${effect}`)).status).toBe(405);
  expect((await rs.get(at)).status).toBe(200);
  for (const [path, allow] of [
    [at, 'GET, HEAD, DELETE'],
    [`${at}/proof`, 'GET'],
    ['/svc/healthcheck', 'GET, HEAD'],
  ] as const) {
    const options = await ask('OPTIONS', path, {});
    expect([options.status, options.headers.get('allow')]).toEqual([204, allow]);
  }
});
