import { type DataOf, ERRORS, type oneTimeCodeRequested } from '@assay/contracts';
import { noticeKeyOf, openJson, sealingContext } from '@assay/sealing';
import { type Answer, apiWith, waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { created, type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
let acme: Awaited<ReturnType<Rig['tenant']>>;
beforeAll(async () => {
  rig = await startRig();
  acme = await rig.tenant({ otp: { timeoutSeconds: 60, attempts: 3 } });
});
afterAll(() => rig.close());

const image = Buffer.from('not looked at here');
const consent = (...types: string[]) => types.map((type) => ({ approved: true, type }));
const eventsOf = (identityId: string, type: string) =>
  rig.published.filter((event) => event.identityId === identityId && event.type === type);

describe('one-time codes', () => {
  const codeFor = async (
    id: string,
    nth = 1,
  ): Promise<{ code: string; to: string; codeId: string; evidenceId: string }> => {
    const event = await waitFor('the code', () => eventsOf(id, 'one-time-code.requested')[nth - 1]);
    const data = event.data as DataOf<typeof oneTimeCodeRequested>;
    const key = (await rig.stores.keys.find(id)) ?? Buffer.alloc(32);
    const context = sealingContext(acme.tenantId, id, 'message');
    return { ...openJson<{ to: string; code: string }>(noticeKeyOf(key), context, data.sealedMessage), ...data };
  };
  const states = (id: string) =>
    eventsOf(id, 'contact.changed').map(({ data }) => (data.otp as { status: string }).status);
  const wrong = (code: string) => (code === '111111' ? '222222' : '111111');

  test('an e-mail address is verified by its code and becomes an evidence', async () => {
    const { id, at } = await created(acme.ua);
    const address = { value: 'ann@example.org' };
    expect((await acme.ua.post(`${at}/contacts/email`, address)).body.errors[0].code).toBe('3001');
    await acme.ua.post(`${at}/consents`, consent('EMAIL_OTP'));
    const started = await acme.ua.post(`${at}/contacts/email`, address);
    expect(started).toMatchObject({
      status: 200,
      body: { status: 'NOT_VERIFIED', type: 'EMAIL', otp: { status: 'INITIATE', timeout: 60 } },
    });
    expect(JSON.stringify(started.body)).not.toContain('ann@');
    const { code, to, codeId } = await codeFor(id);
    expect(to).toBe(address.value);
    await rig.publish('one-time-code.sent', id, {
      codeId,
      evidenceId: started.body.id,
      accepted: true,
      sentAt: '2026-01-01T00:00:00.000',
    });
    await waitFor(
      'it to be sent',
      async () => (await acme.ua.get(`${at}/contacts/email`)).body.otp.status === 'PENDING',
    );
    expect((await acme.ua.post(`${at}/contacts/email/otp`, { otp: wrong(code) })).body.errors[0].code).toBe('4301');
    const verified = await acme.ua.post(`${at}/contacts/email/otp`, { otp: code });
    expect(verified).toMatchObject({ status: 200, body: { status: 'PROCESSING', type: 'EMAIL', id: started.body.id } });
    expect((await acme.ua.get(`${at}/status`)).body.globalStatus.status).toBe('PROCESSING');
    expect((await acme.ua.post(`${at}/contacts/email/otp`, { otp: code })).status).toBe(409);
    await waitFor('all states', () => states(id).at(-1) === 'DONE');
    expect(states(id)).toEqual(['INITIATE', 'PENDING', 'PENDING', 'DONE']);
  });

  test('locks after too many wrong answers, however many come at once', async () => {
    const { id, at } = await created(acme.rs);
    await acme.rs.post(`${at}/consents`, consent('MOBILE_OTP'));
    await acme.rs.post(`${at}/contacts/mobile`, { value: '+61 491 570 156', language: 'en' });
    const { code, to } = await codeFor(id);
    expect(to).toBe('+61491570156');
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => acme.rs.post(`${at}/contacts/mobile/otp`, { otp: wrong(code) })),
    );
    const codes = answers.map(({ body }) => body.errors[0].code).sort();
    expect(codes).toEqual(['4301', '4301', '4302', '4302', '4302']);
    expect((await acme.rs.post(`${at}/contacts/mobile/otp`, { otp: code })).body.errors[0].code).toBe('4302');
    await acme.rs.post(`${at}/contacts/mobile`, { value: '+61 491 570 156' });
    expect((await acme.rs.post(`${at}/contacts/mobile/otp`, { otp: (await codeFor(id, 2)).code })).status).toBe(200);
  });

  test.each([20, 60])('of %i guesses at once, the right one counts only among the first three', async (guesses) => {
    const { id, at } = await created(acme.rs);
    await acme.rs.post(`${at}/consents`, consent('EMAIL_OTP'));
    for (let round = 1; round <= 2; round += 1) {
      await acme.rs.post(`${at}/contacts/email`, { value: 'ann@example.org' });
      const { code } = await codeFor(id, round);
      const answers = await Promise.all(
        Array.from({ length: guesses }, (_, nth) =>
          acme.rs.post(`${at}/contacts/email/otp`, { otp: nth === guesses - 1 ? code : wrong(code) }),
        ),
      );
      const codes = answers.map(({ status, body }) => (status === 200 ? '200' : body.errors[0].code));
      expect(codes.filter((one) => !['200', '4301', '4302', '4303'].includes(one))).toEqual([]);
      const compared = codes.filter((one) => one === '4301' || one === '200').length;
      expect(compared).toBeLessThanOrEqual(3);
      if (codes.at(-1) === '200') expect(codes.filter((one) => one === '4301').length).toBeLessThanOrEqual(2);
    }
  });

  test('is not accepted once the consent is withdrawn', async () => {
    const { id, at } = await created(acme.rs);
    await acme.rs.post(`${at}/consents`, consent('EMAIL_OTP'));
    await acme.rs.post(`${at}/contacts/email`, { value: 'ann@example.org' });
    const { code } = await codeFor(id);
    const giveBack = () => acme.rs.post(`${at}/contacts/email/otp`, { otp: code });
    await acme.rs.post(`${at}/consents`, [{ approved: false, type: 'EMAIL_OTP' }]);
    expect(await giveBack()).toMatchObject({ status: 403, body: { errors: [{ code: '3001' }] } });
    await acme.rs.post(`${at}/consents`, consent('EMAIL_OTP'));
    expect((await giveBack()).status).toBe(200);
  });

  test('times out', async () => {
    const brief = await rig.tenant({ otp: { timeoutSeconds: 1 } });
    const { id, at } = await created(brief.rs);
    await brief.rs.post(`${at}/consents`, consent('EMAIL_OTP'));
    await brief.rs.post(`${at}/contacts/email`, { value: 'ann@example.org' });
    await waitFor('the end of the code', () => states(id).at(-1) === 'TIMEOUT', 5000);
    expect((await brief.rs.post(`${at}/contacts/email/otp`, { otp: '123456' })).body.errors[0].code).toBe('4300');
  });
});

describe('idempotent requests', () => {
  test('many at once have one effect and the first reply is repeated', async () => {
    const headers = { 'Idempotency-Key': 'a-key-for-this-test' };
    const send = () => acme.rs.post('/svc/v1/identities', {}, headers);
    const answers = await Promise.all(Array.from({ length: 20 }, send));
    const again = await send();
    const ids = new Set([...answers, again].filter(({ status }) => status === 200).map(({ body }) => body.id));
    expect(ids.size).toBe(1);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await acme.rs.post('/svc/v1/identities', { businessId: 'another' }, headers)).status).toBe(422);
  });

  test('an upload is identified by its parts, not by its boundary', async () => {
    const { at } = await created(acme.rs);
    const headers = { 'Idempotency-Key': 'upload-1' };
    const first = await acme.rs.upload(`${at}/id-documents/capture`, { DocumentFront: image }, headers);
    const second = await acme.rs.upload(`${at}/id-documents/capture`, { DocumentFront: image }, headers);
    expect(first.status).toBe(200);
    expect(second.body).toEqual(first.body);
    const other = await acme.rs.upload(`${at}/id-documents/capture`, { DocumentFront: Buffer.from('x') }, headers);
    expect(other.body.errors[0].code).toBe(ERRORS.IDEMPOTENCY_MISMATCH.code);
    expect((await acme.rs.get(`${at}/status`)).body.singleStatuses).toHaveLength(1);
  });

  test('a refused request does not use up its key', async () => {
    const { at } = await created(acme.rs);
    const headers = { 'Idempotency-Key': 'refused-1' };
    expect(
      (await acme.rs.upload(`${at}/id-documents/capture`, { DocumentFront: Buffer.from('REFUSE ME') }, headers)).status,
    ).toBe(400);
    expect((await acme.rs.upload(`${at}/id-documents/capture`, { DocumentFront: image }, headers)).status).toBe(200);
  });
});

describe('live capture and captures', () => {
  test('a session is an evidence from the start, and replaces the former portrait once it has frames', async () => {
    const { at } = await created(acme.rs);
    await acme.rs.post(`${at}/consents`, consent('PORTRAIT'));
    const former = (await acme.rs.upload(`${at}/attributes/portrait/capture`, { Portrait: image })).body;
    const session = (await acme.rs.post(`${at}/attributes/portrait/live-capture-session`, { type: 'LIVENESS_PASSIVE' }))
      .body;
    expect(session).toMatchObject({
      status: 'PROCESSING',
      type: 'PORTRAIT',
      livenessParameters: {},
      sessionId: expect.any(String),
    });
    expect((await acme.rs.get(`${at}/status`)).body.singleStatuses).toHaveLength(2);
    expect((await acme.rs.get(at)).body.portrait.evidenceId).toBe(former.id);
    const path = `/svc/v1/live-capture-sessions/${session.sessionId}`;
    expect((await acme.rs.upload(`${path}/frames`, { Frame: image })).body).toMatchObject({
      id: session.id,
      frames: 1,
    });
    const other = await rig.tenant();
    expect((await other.rs.post(`${path}/end`)).status).toBe(404);
    expect((await acme.rs.post(`${path}/end`)).body).toEqual({
      status: 'PROCESSING',
      type: 'PORTRAIT',
      id: session.id,
    });
    expect((await acme.rs.get(at)).body.portrait.evidenceId).toBe(session.id);
    expect((await acme.rs.get(`${at}/status/${former.id}`)).status).toBe(404);
  });

  test('a session accepts nothing more once the consent is withdrawn, and can be ended', async () => {
    const { at } = await created(acme.rs);
    await acme.rs.post(`${at}/consents`, consent('PORTRAIT'));
    const start = { type: 'LIVENESS_PASSIVE' };
    const portrait = (await acme.rs.post(`${at}/attributes/portrait/live-capture-session`, start)).body;
    const document = (await acme.rs.post(`${at}/id-documents/live-capture-session`, { idDocumentType: 'PASSPORT' }))
      .body;
    const refusals = ['PORTRAIT', 'ID_DOCUMENT'].map((type) => ({ approved: false, type }));
    await acme.rs.post(`${at}/consents`, refusals);
    for (const { sessionId } of [portrait, document]) {
      const path = `/svc/v1/live-capture-sessions/${sessionId}`;
      expect(await acme.rs.upload(`${path}/frames`, { Frame: image })).toMatchObject({
        status: 403,
        body: { errors: [{ code: '3001' }] },
      });
      expect((await acme.rs.post(`${path}/end`)).status).toBe(200);
    }
  });

  test('captures come back in an envelope', async () => {
    const { at } = await created(acme.rs);
    const { body } = await acme.rs.upload(`${at}/id-documents/capture`, { DocumentFront: image });
    const answer = await acme.rs.get(`${at}/id-documents/${body.id}/capture`);
    const boundary = /boundary=(.+)$/.exec(answer.headers.get('content-type') ?? '')?.[1];
    const part = (name: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${name}.jpg"\r\nContent-Type: image/jpeg\r\n\r\nbytes\r\n`;
    expect(answer.bytes.toString()).toBe(`${part('DocumentFront')}${part('DocumentBack')}--${boundary}--\r\n`);
    expect((await acme.ua.get(`${at}/id-documents/${body.id}/capture`)).status).toBe(403);
  });

  test('additional files are stored and not evaluated', async () => {
    const { at } = await created(acme.rs);
    const { body } = await acme.rs.upload(`${at}/additional-files`, { File: image });
    expect(body).toMatchObject({ status: 'NOT_VERIFIED' });
    const { globalStatus } = (await acme.rs.get(`${at}/status`)).body;
    expect(globalStatus).toEqual((await acme.rs.get(at)).body.globalStatus);
    expect(globalStatus).toMatchObject({ status: 'EXPECTING_INPUT', levelOfAssurance: 'LOA0' });
  });
});

describe('administration', () => {
  test('the stored secret of a webhook is not sent itself where it did not go before, unless it is given again', async () => {
    const { tenantId } = await rig.tenant();
    const at = `/admin/v1/tenants/${tenantId}`;
    const { apiKey } = (await rig.admin.post(`${at}/keys`, { role: 'TENANT_ADMINISTRATOR' })).body;
    const own = apiWith(rig.baseUrl, apiKey);
    const change = async (webhook: object) => {
      const { status, body } = await own.patch(at, { settings: { webhook } });
      return status === 200 ? rig.asked.endpoints.at(-1)?.secret : body.errors[0].field;
    };
    const [secret, url, refused] = ['only the receiver knows', 'https://example.org/', 'settings.webhook.secret'];
    expect(await change({ url, mode: 'HMAC', headerName: 'x-signature', secret })).toBe(secret);
    expect(await change({ url: 'https://other.example.org/' })).toBe(secret);
    expect(await change({ mode: 'API_KEY' })).toBe(refused);
    expect(await change({ url, mode: 'API_KEY', secret: null })).not.toBe(secret);
    expect(await change({ url, mode: 'NONE', headerName: 'x-key', secret })).toBe(secret);
    expect(await change({ mode: 'API_KEY' })).toBe(refused);
    expect(await change({ mode: 'API_KEY', secret })).toBe(secret);
    expect(await change({ headerName: 'x-other', attempts: 5 })).toBe(secret);
    expect(await change({ url: 'https://other.example.org/' })).toBe(refused);
    expect(await change({ url: 'https://other.example.org/', secret: 'another' })).toBe('another');
    expect(await change({ mode: 'HMAC' })).toBe('another');
  });

  test('tenants, keys, settings by merge patch, policies', async () => {
    const tenant = (await rig.admin.post('/admin/v1/tenants', { name: 'Acme', settings: { acceptSpecimens: true } }))
      .body;
    expect(tenant).toEqual({ tenantId: expect.any(String), name: 'Acme', settings: { acceptSpecimens: true } });
    const at = `/admin/v1/tenants/${tenant.tenantId}`;
    const webhook = { url: 'https://example.org/hook', mode: 'HMAC', headerName: 'x-signature', secret: 's3cret' };
    const patched = await rig.admin.patch(at, {
      settings: { acceptSpecimens: null, webhook, limits: { requestsPerMinute: 5 } },
    });
    expect(patched.body.settings).toEqual({
      webhook: { url: webhook.url, mode: 'HMAC', headerName: 'x-signature' },
      limits: { requestsPerMinute: 5 },
    });
    expect(rig.asked.endpoints.at(-1)).toEqual(webhook);
    await rig.admin.patch(at, { settings: { webhook: { attempts: 5 } } });
    expect(rig.asked.endpoints.at(-1)).toEqual({ ...webhook, attempts: 5 });
    for (const [settings, field] of [
      [{ policy: 'none such' }, 'settings.policy'],
      [{ limits: { maxFileBytes: 0 } }, 'settings.limits.maxFileBytes'],
      [{ unheardOf: 1 }, 'settings.unheardOf'],
      [{ webhook: { url: 'http://10.0.0.1/' } }, 'settings.webhook.url'],
    ])
      expect((await rig.admin.patch(at, { settings })).body.errors[0]).toMatchObject({ code: '1006', field });
    const { keyId, apiKey } = (await rig.admin.post(`${at}/keys`, { role: 'RELYING_SERVICE' })).body;
    const fresh = apiWith(rig.baseUrl, apiKey);
    const answers: Answer[] = [];
    for (let i = 0; i < 6; i += 1) answers.push(await fresh.get('/svc/v1/supported-evidence/countries/AUS'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(answers[5]?.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(answers[0]?.headers.get('ratelimit-limit')).toBe('5');
    expect((await rig.admin.get(`${at}/keys`)).body).toEqual({
      items: [expect.objectContaining({ keyId, role: 'RELYING_SERVICE', createdAt: expect.any(String) })],
    });
    expect((await rig.admin.delete(`${at}/keys/${keyId}`)).status).toBe(200);
    expect((await fresh.get('/svc/v1/identities/x')).status).toBe(401);
    expect((await rig.admin.get('/admin/v1/policies')).body.items.map(({ name }: { name: string }) => name)).toContain(
      'default',
    );
    expect((await acme.rs.get('/admin/v1/policies')).status).toBe(403);
  });
});

describe('the description of the API', () => {
  test.each(['/svc/healthcheck', '/gips/healthcheck', '/openapi.json', '/docs', '/.well-known/jwks.json', '/schemas'])(
    'and %s allow reading only',
    async (path) => {
      const answer = await acme.rs.post(path, {});
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      expect(answer.body.errors[0].code).toBe(ERRORS.METHOD_NOT_ALLOWED.code);
    },
  );

  test('names every route, and the docs page loads nothing from other origins', async () => {
    const { body } = await acme.rs.get('/openapi.json');
    expect(body.openapi).toBe('3.1.0');
    for (const { base, routes } of rig.groups)
      for (const { path, method } of routes)
        expect(body.paths[`${base.replace('{prefix}', 'svc')}${path}`]?.[method]).toBeDefined();
    const page = await fetch(`${rig.baseUrl}/docs`);
    const html = await page.text();
    expect(html).not.toMatch(/https?:\/\//);
    for (const [, asset] of html.matchAll(/(?:src|href)="([^"]+)"/g))
      expect((await acme.rs.get(`${asset}`)).status).toBe(200);
  });
});
