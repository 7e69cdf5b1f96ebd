import { connect, type Socket } from 'node:net';
import { formatDateTime } from '@assay/contracts';
import { newId } from '@assay/runtime';
import { sealingContext, sealJson } from '@assay/sealing';
import { type Answer, apiWith, waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MOST_TO_ONE_DESTINATION } from '../store/code-limits.ts';
import { requestCase } from '../testing/cases.ts';
import { created, type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ more: { maxUploads: 16 } });
});
afterAll(() => rig.close());

describe('one key among others', () => {
  test('has one rate over all prefixes', async () => {
    const { rs } = await rig.tenant({ limits: { requestsPerMinute: 4 } });
    const statuses: number[] = [];
    for (const prefix of ['svc', 'gips', 'svc', 'gips', 'svc', 'gips'])
      statuses.push((await rs.get(`/${prefix}/v1/identities/${newId()}`)).status);
    expect(statuses).toEqual([404, 404, 404, 404, 429, 429]);
  });

  test('has one rate over all replicas, and sees it in the headers', async () => {
    const { rs, keys } = await rig.tenant({ limits: { requestsPerMinute: 40 } });
    const replica = await rig.another();
    const both = [rs, apiWith(replica.baseUrl, keys.rs)];
    const answers: Answer[] = [];
    for (let nth = 0; nth < 60; nth += 1) answers.push(await both[nth % 2]!.get(`/svc/v1/identities/${newId()}`));
    const sevenAtOnce = await Promise.all(Array.from({ length: 7 }, () => both[1]!.get('/svc/v1/identities/x')));
    await replica.close();
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(40);
    expect(new Set(sevenAtOnce.map(({ status }) => status))).toEqual(new Set([429]));
    const { headers } = answers.at(-1)!;
    expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual(['40', '0']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(40);
    expect(answers[0]!.headers.get('ratelimit-remaining')).toBe('39');
  });

  test.each([
    ['however slowly it sends', []],
    ['also where it repeats what was taken in', ['Idempotency-Key: repeated']],
  ])('uses at most its share of the upload slots, %s', async (_how, more) => {
    const [greedy, other] = [await rig.tenant(), await rig.tenant()];
    const [{ at }, others] = [await created(greedy.rs), await created(other.rs)];
    const form = { DocumentFront: Buffer.from('a front') };
    await greedy.rs.upload(`${at}/id-documents/capture`, form, { 'Idempotency-Key': 'repeated' });
    const { hostname, port } = new URL(rig.baseUrl);
    const refused: Socket[] = [];
    const sockets = Array.from({ length: 16 }, (_, nth) => {
      const socket = connect(Number(port), hostname);
      socket
        .on('error', () => undefined)
        .on('data', (text) => {
          if (String(text).startsWith('HTTP/1.1 503')) refused.push(socket);
        });
      const path = `/${nth % 2 ? 'svc' : 'gips'}${at.replace('/svc', '')}/id-documents/capture`;
      const head = [
        `POST ${path} HTTP/1.1`,
        'Host: test',
        `apikey: ${greedy.keys.rs}`,
        'Content-Length: 5000',
        ...more,
      ];
      socket.write(`${[...head, 'Content-Type: multipart/form-data; boundary=B'].join('\r\n')}\r\n\r\n--B\r\n`);
      return socket;
    });
    await waitFor('those beyond the share to be refused', () => refused.length === 8);
    expect((await other.rs.upload(`${others.at}/id-documents/capture`, form)).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  test('uses at most its share of them with JSON that is as long as an upload', async () => {
    const [greedy, other] = [await rig.tenant(), await rig.tenant()];
    const { hostname, port } = new URL(rig.baseUrl);
    const path = `/svc/v1/nfc-sessions/${newId()}/data`;
    let refused = 0;
    const sockets = Array.from({ length: 12 }, () => {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      socket.on('data', (text) => {
        if (String(text).startsWith('HTTP/1.1 503')) refused += 1;
      });
      const head = [`POST ${path} HTTP/1.1`, 'Host: test', `apikey: ${greedy.keys.rs}`, 'Content-Length: 500000'];
      socket.write(`${[...head, 'Content-Type: application/json'].join('\r\n')}\r\n\r\n{`);
      return socket;
    });
    await waitFor('those beyond the share to be refused', () => refused === 4);
    const files = { documentSecurityObject: 'AAAA', dataGroups: { 1: 'AAAA' } };
    expect((await other.rs.post(path, files)).status).toBe(404);
    for (const socket of sockets) socket.destroy();
  });

  test('cannot make the gateway read more of a repeated upload than of any upload', async () => {
    const { rs } = await rig.tenant({ limits: { maxFileBytes: 1000 } });
    const { at } = await created(rs);
    const send = (front: Buffer) =>
      rs.upload(`${at}/id-documents/capture`, { DocumentFront: front }, { 'Idempotency-Key': 'grown' });
    expect((await send(Buffer.from('a front'))).status).toBe(200);
    expect((await send(Buffer.alloc(2_000_000))).status).toBe(422);
    expect((await send(Buffer.alloc(3_000_000))).status).toBe(413);
  });
});

/** Requests a decision about an evidence whose data contain CANARY. */
const askedAbout = async (
  { tenantId }: { tenantId: string },
  identityId: string,
  evidenceId: string,
  caseId = newId(),
) => {
  const key = await rig.stores.keys.find(identityId);
  const context = sealingContext(tenantId, identityId, 'fields');
  const { path } = await requestCase(
    rig,
    { tenantId, identityId },
    {
      caseId,
      evidenceId,
      media: [{ mediaId: newId(), label: 'FRONT' }],
      ...(key ? { sealedFields: sealJson(key, context, { surname: 'CANARY' }) } : {}),
    },
  );
  return path;
};

test('an operator who repeats a claim of a deleted identity reads nothing of it, and the attempt is in the audit log', async () => {
  const acme = await rig.tenant({ adjudication: { enabled: true } });
  const { id, at } = await created(acme.rs);
  const path = await askedAbout(acme, id, newId());
  const caseId = path.split('/').at(-1);
  await waitFor('the case', async () => (await acme.op.get(path)).status === 200);
  const claim = () => acme.op.post(`${path}/claim`, undefined, { 'idempotency-key': 'claim' });
  expect((await claim()).body.fields).toEqual({ surname: 'CANARY' });
  expect((await claim()).body.fields).toEqual({ surname: 'CANARY' });

  await acme.rs.delete(at);
  await waitFor('the key to be destroyed', async () => (await rig.stores.keys.find(id)) === undefined);
  const repeated = await claim();
  expect(repeated.status).toBe(410);
  expect(repeated.bytes.toString()).not.toContain('CANARY');

  const entries = await rig.stores.audit.list(acme.tenantId, 0, 100);
  const seen = entries.filter(({ content }) => content?.act === 'case.view');
  expect(seen[0]?.content).toMatchObject({ actor: { role: 'OPERATOR' }, subject: { caseId } });
});

test('the reply to one caller is repeated to no other: neither role nor operator', async () => {
  const acme = await rig.tenant({ adjudication: { enabled: true } });
  const same = { 'idempotency-key': 'the-same' };
  const { id } = (await acme.rs.post('/svc/v1/identities', {}, same)).body;
  expect((await acme.rs.post('/svc/v1/identities', {}, same)).body.id).toBe(id);
  const ofAnother = await acme.ua.post('/svc/v1/identities', {}, same);
  expect(ofAnother.status).toBe(200);
  expect(ofAnother.body.id).not.toBe(id);

  const path = await askedAbout(acme, id, newId());
  await waitFor('the case', async () => (await acme.op.post(`${path}/claim`, undefined, same)).status === 200);
  const { apiKey } = await rig.stores.apiKeys.create({ tenantId: acme.tenantId, role: 'OPERATOR' });
  const other = await apiWith(rig.baseUrl, apiKey).post(`${path}/claim`, undefined, same);
  expect([other.status, other.headers.get('idempotency-replayed')]).toEqual([409, null]);
  expect(other.bytes.toString()).not.toContain('CANARY');
  expect((await acme.op.post(`${path}/claim`, undefined, same)).headers.get('idempotency-replayed')).toBe('true');
});

test('no operator reads or decides what was deleted, whether the case came before or after the deletion', async () => {
  const acme = await rig.tenant({ adjudication: { enabled: true } });
  const { id, at } = await created(acme.rs);
  const form = { DocumentFront: Buffer.from([0xff, 0xd8, 0xff, 0xe0]) };
  const submitted = async (): Promise<string> => (await acme.rs.upload(`${at}/id-documents/capture`, form)).body.id;
  const [before, behind, other] = [await submitted(), await submitted(), await submitted()];
  const paths = [await askedAbout(acme, id, before), await askedAbout(acme, id, other)] as const;
  await waitFor('the cases', async () => (await acme.op.get('/operator/v1/cases')).body.items.length === 2);
  for (const evidenceId of [before, behind]) await acme.rs.delete(`${at}/evidences/${evidenceId}`);
  for (const path of [paths[0], await askedAbout(acme, id, behind)]) {
    const ended = await waitFor('the end of the case', async () => {
      const answer = await acme.op.get(path);
      return answer.body.state === 'DECIDED' && answer;
    });
    expect(ended.body).toMatchObject({ fields: {}, media: [] });
    expect((await acme.op.post(`${path}/claim`)).status).toBe(409);
  }
  expect((await acme.op.get(paths[1])).body).toMatchObject({ state: 'OPEN', fields: { surname: 'CANARY' } });
});

const withdrawal = (acme: { tenantId: string }, identityId: string, caseId: string, evidenceId: string) => ({
  id: newId(),
  type: 'adjudication.withdrawn',
  at: new Date().toISOString(),
  tenantId: acme.tenantId,
  identityId,
  data: {
    caseId,
    evidenceId,
    type: 'PASSPORT',
    submitDateTime: formatDateTime(new Date()),
    requestedAt: formatDateTime(new Date()),
    expiresAt: formatDateTime(new Date(Date.now() + 3600_000)),
    fourEyes: false,
    withdrawnAt: formatDateTime(new Date()),
    reason: 'CONSENT_WITHDRAWN',
  },
});

test('a withdrawn case is closed with its reason and one audit entry, whether the withdrawal came before it, after it or twice', async () => {
  const acme = await rig.tenant({ adjudication: { enabled: true } });
  const { id, at } = await created(acme.rs);
  const [first, second] = [newId(), newId()];
  const path = await askedAbout(acme, id, first);
  await waitFor('the case', async () => (await acme.op.get(path)).status === 200);
  const early = newId();
  for (const event of [
    withdrawal(acme, id, path.split('/').at(-1)!, first),
    withdrawal(acme, id, early, second),
    withdrawal(acme, id, early, second),
  ])
    await rig.bus.publish(event);
  for (const one of [path, await askedAbout(acme, id, second, early)]) {
    const ended = await waitFor('the end of the case', async () => {
      const answer = await acme.op.get(one);
      return answer.body.state === 'DECIDED' && answer.body;
    });
    expect(ended).toMatchObject({ decision: 'CLOSED', closedBecause: 'CONSENT_WITHDRAWN', fields: {}, media: [] });
    expect((await acme.op.post(`${one}/claim`)).status).toBe(409);
  }
  // A withdrawal or a case after the end of the identity finds it closed.
  await acme.rs.delete(at);
  const late = await askedAbout(acme, id, newId());
  await waitFor('the late case', async () => (await acme.op.get(late)).body.closedBecause === 'IDENTITY_CLOSED');
  const lines = async () =>
    (await rig.stores.audit.list(acme.tenantId, 0, 100)).filter(({ content }) => content?.act === 'case.close');
  // The entry is written after the case has ended.
  await waitFor('the entry of the late case', async () => (await lines()).length === 3);
  expect((await lines()).map(({ content }) => content?.details)).toEqual([
    { reason: 'CONSENT_WITHDRAWN' },
    { reason: 'CONSENT_WITHDRAWN' },
    { reason: 'IDENTITY_CLOSED' },
  ]);
});

test('a rejection without a known reason, and a state that no case has, are refused with the list of valid ones', async () => {
  const acme = await rig.tenant({ adjudication: { enabled: true } });
  expect((await acme.op.get('/operator/v1/cases?state=LOST')).body.errors).toEqual([
    { code: '1006', field: 'state', message: 'must be one of OPEN, CLAIMED, DECIDED' },
  ]);
  const { id } = await created(acme.rs);
  const path = await askedAbout(acme, id, newId());
  await waitFor('the case', async () => (await acme.op.post(`${path}/claim`)).status === 200);
  for (const [reasons, field] of [
    [[], 'reasons'],
    [['DOCUMENT_ADJUDICATION'], 'reasons[0]'],
    [['PAPER_COPY', 'BAD_MOOD'], 'reasons[1]'],
  ] as const) {
    const answer = await acme.op.post(`${path}/decision`, { decision: 'REJECT', reasons });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ code: '1006', field }] } });
    expect(answer.body.errors[0].message).toContain('PORTRAIT_SUBSTITUTION');
  }
  const known = { decision: 'REJECT', reasons: ['PAPER_COPY'], comment: null };
  expect((await acme.op.post(`${path}/decision`, known)).status).toBe(200);
});

test('a contact is one plain address: no list, group, comment or quoted part, which would lead to another address', async () => {
  const acme = await rig.tenant();
  const { at } = await created(acme.rs);
  await acme.rs.post(`${at}/consents`, [{ approved: true, type: 'EMAIL_OTP' }]);
  const start = async (value: string) => (await acme.rs.post(`${at}/contacts/email`, { value })).body;
  const led = [
    'x:a@example.org;',
    'a@example.org,',
    'a@example.org;b',
    '(x)a@example.org',
    'a(x)@example.org',
    'b,a@x.org',
  ];
  const broken = [
    'a@[127.0.0.1]',
    '.a@example.org',
    'a..b@example.org',
    'a@example..org',
    'a@example.org.',
    'a\u202e@example.org',
  ];
  for (const value of [...led, ...broken])
    expect({ value, ...(await start(value)) }).toMatchObject({ value, errors: [{ code: '1006', field: 'value' }] });
  for (const value of ["o'neil+x@mail.example.org", 'zoë@bücher.example'])
    expect(await start(value)).toMatchObject({ type: 'EMAIL' });
});

test('one address cannot be flooded with codes through many identities', async () => {
  const acme = await rig.tenant();
  const statuses: number[] = [];
  let wait: string | null = null;
  for (let nth = 0; nth < 3; nth += 1) {
    const { at } = await created(acme.rs);
    await acme.rs.post(`${at}/consents`, [{ approved: true, type: 'EMAIL_OTP' }]);
    for (let sent = 0; sent < 6; sent += 1) {
      const answer = await acme.rs.post(`${at}/contacts/email`, { value: nth ? 'a@example.org' : 'A@example.org' });
      statuses.push(answer.status);
      wait = answer.headers.get('retry-after');
    }
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(MOST_TO_ONE_DESTINATION);
  expect(statuses.slice(MOST_TO_ONE_DESTINATION)).toEqual(Array(18 - MOST_TO_ONE_DESTINATION).fill(429));
  expect(Number(wait)).toBeGreaterThan(3000);
});

test.each(['   ', '\u00a0', '\u200b', 'Acme\u200b', 'A\u202eB', 'A\nB', '\ufeff'])(
  'no tenant and no person may have the name %j',
  async (name) => {
    const tenant = await rig.admin.post('/admin/v1/tenants', { name });
    expect([tenant.status, tenant.body.errors[0].field]).toEqual([400, 'name']);
    const { tenantId } = await rig.tenant();
    const person = { name, subject: 'ann' };
    const key = await rig.admin.post(`/admin/v1/tenants/${tenantId}/keys`, { role: 'OPERATOR', person });
    expect([key.status, key.body.errors[0].field]).toEqual([400, 'person.name']);
  },
);

test('a setting with the name of a prototype is refused, and registers no webhook', async () => {
  const { tenantId } = await rig.tenant();
  const webhook = { url: 'http://10.0.0.1/', mode: 'NONE' };
  const settings = JSON.parse(`{"__proto__":${JSON.stringify({ webhook })},"retention":{"deliveryLogSeconds":60}}`);
  const { status, body } = await rig.admin.patch(`/admin/v1/tenants/${tenantId}`, { settings });
  expect([status, body.errors[0].field]).toEqual([400, 'settings.__proto__']);
});

test.each(['ZZ9', 'E', 'DEUT', '\u{1f1e9}\u{1f1ea}'])('%j is no country of the trust store', async (country) => {
  const { status, body } = await rig.admin.get(`/admin/v1/trust/csca?country=${encodeURIComponent(country)}`);
  expect([status, body.errors[0].field]).toEqual([400, 'country']);
});

test.each(['sourc', 'source[part]'])(
  'a trust file with the field %s is refused: it would be stored without its source, by which it is removed',
  async (field) => {
    const form = { file: Buffer.from('no list'), [field]: 'the list of 2026' };
    const { status, body } = await rig.admin.upload('/admin/v1/trust/csca', form);
    expect([status, body.errors[0].field]).toEqual([400, field.replace('[part]', '')]);
  },
);
