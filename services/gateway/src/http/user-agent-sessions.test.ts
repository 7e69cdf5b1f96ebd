import { type Answer, apiWith, waitFor } from '@assay/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { created, type Rig, startRig } from '../testing/rig.ts';

const SHOP = 'https://shop.example';
const OTHER = 'https://other.example';
let rig: Rig;
let acme: Awaited<ReturnType<Rig['tenant']>>;
let offsetMs = 0;
beforeAll(async () => {
  rig = await startRig({ now: () => new Date(Date.now() + offsetMs) });
  acme = await rig.tenant({ allowedOrigins: [SHOP, OTHER] });
});
afterAll(() => rig.close());

let id: string;
let at: string;
beforeEach(async () => {
  offsetMs = 0;
  ({ id, at } = await created(acme.rs));
});

const open = async (body?: object): Promise<Answer['body']> => {
  const answer = await acme.rs.post(`${at}/user-agent-sessions`, body);
  expect(answer.status).toBe(200);
  return answer.body;
};
/** A request from a browser with nothing but the token. */
const ask = async (token: string, path: string, init: RequestInit & { device?: string } = {}) => {
  const { device = 'a phone', ...rest } = init;
  const headers = { authorization: `Bearer ${token}`, 'user-agent': device, ...(rest.headers as object) };
  const response = await fetch(`${rig.baseUrl}${path}`, { ...rest, headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
};
const post = (body: object) => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});
const CURRENT = '/svc/v1/user-agent-sessions/current';

describe('a session', () => {
  test('is given to the Relying Service with an address that has the token in its fragment', async () => {
    const given = await open({ steps: ['DOCUMENT', 'CHIP'], locale: 'de-AT', returnUrl: `${SHOP}/done` });
    expect(given).toEqual({
      sessionId: expect.any(String),
      token: expect.stringMatching(/^asy_us_/),
      url: `${rig.baseUrl}/capture#${given.token}`,
      expireAt: expect.any(String),
    });
    expect((await ask(given.token, CURRENT)).body).toEqual({
      identityId: id,
      steps: ['DOCUMENT', 'CHIP'],
      locale: 'de-AT',
      returnUrl: `${SHOP}/done`,
      expireAt: given.expireAt,
      page: {},
    });
    const stored = JSON.stringify(await rig.stores.userAgentSessions.find(given.sessionId));
    for (const secret of [given.token, `${SHOP}/done`, 'a phone']) expect(stored).not.toContain(secret);
  });

  test('may call the routes of a user agent for its own identity, and for no other', async () => {
    const { token } = await open();
    const foreign = await created(acme.rs);
    const image = new FormData();
    image.append('DocumentFront', new Blob([new Uint8Array([1, 2, 3])]), 'front.jpg');
    expect((await ask(token, `${at}/consents`, post([{ approved: true, type: 'GIV' }]))).status).toBe(200);
    expect((await ask(token, `${at}/id-documents/capture`, { method: 'POST', body: image })).status).toBe(200);
    const routes = rig.groups.flatMap(({ base, routes: each }) => each.map((route) => ({ base, ...route })));
    expect(routes.length).toBeGreaterThan(40);
    for (const { base, path, method, roles } of routes) {
      const named = `${base.replace('{prefix}', 'svc')}${path.replace('{identityId}', foreign.id)}`;
      const asked = named.replace(/\{\w+\}/g, 'unknown');
      const { status } = await ask(token, asked, { method: method.toUpperCase() });
      const mine = roles.includes('USER_AGENT');
      if (!mine) expect([asked, method, status]).toEqual([asked, method, 403]);
      else if (path.includes('{identityId}')) expect([asked, method, status]).toEqual([asked, method, 404]);
    }
    expect((await ask(token, '/svc/v1/identities', { method: 'POST' })).status).toBe(403);
    expect((await ask(token, `${at}/status`)).status).toBe(200);
  });

  test('gets no reply of another identity by guessing an Idempotency-Key', async () => {
    const { token } = await open();
    const foreign = await created(acme.rs);
    const key = { 'Idempotency-Key': 'guessed' };
    await acme.rs.post(`${foreign.at}/consents`, [{ approved: true, type: 'GIV' }], key);
    const request = post([{ approved: true, type: 'GIV' }]);
    const guessed = await ask(token, `${foreign.at}/consents`, { ...request, headers: { ...request.headers, ...key } });
    expect(guessed.status).toBe(404);
  });

  test('gets no reply of another session of its identity by the same Idempotency-Key', async () => {
    const [one, other] = [(await open()).token, (await open()).token];
    const call = (token: string, path: string) =>
      ask(token, path, { method: 'POST', headers: { 'Idempotency-Key': 'the-same' }, device: token });
    const handover = `${at}/user-agent-sessions/handover`;
    const first = await call(one, handover);
    expect((await call(one, handover)).body).toEqual(first.body);
    const second = await call(other, handover);
    expect(second.body.sessionId).not.toBe(first.body.sessionId);
    expect(second.body.token).not.toBe(first.body.token);

    const progress = (token: string) => ask(token, '/svc/v1/user-agent-sessions/handover', { device: token });
    await call(one, `${CURRENT}/done`);
    expect((await progress(other)).body).toEqual({ handover: 'WAITING' });
    await call(other, `${CURRENT}/done`);
    expect((await progress(other)).body).toEqual({ handover: 'DONE' });
  });

  test('restarts the clock of its identity, when it is given and when it is handed over', async () => {
    const tenant = await rig.tenant({ transactionLifetimeSeconds: 100 });
    const { at: own } = await created(tenant.rs);
    const expiry = async () => (await rig.stores.identities.read(own.split('/').at(-1)!))?.expiresAt.getTime() ?? 0;
    const before = await expiry();
    offsetMs = 50_000;
    const { token } = (await tenant.rs.post(`${own}/user-agent-sessions`)).body;
    const given = await expiry();
    expect(given - before).toBeGreaterThanOrEqual(50_000);
    offsetMs = 90_000;
    expect((await ask(token, `${own}/user-agent-sessions/handover`, { method: 'POST' })).status).toBe(200);
    expect((await expiry()) - given).toBeGreaterThanOrEqual(40_000);
    offsetMs = 0;
  });

  test('of another tenant\u2019s identity is refused', async () => {
    const other = await rig.tenant();
    expect((await other.rs.post(`${at}/user-agent-sessions`)).status).toBe(404);
    expect((await acme.ua.post(`${at}/user-agent-sessions`)).status).toBe(403);
    expect((await acme.ua.get(CURRENT)).status).toBe(404);
  });

  test.each([
    [{ returnUrl: 'https://evil.example/' }, 'returnUrl'],
    [{ returnUrl: 'javascript:alert(1)' }, 'returnUrl'],
    [{ allowedOrigins: [SHOP], returnUrl: `${OTHER}/` }, 'returnUrl'],
    [{ allowedOrigins: [SHOP, 'https://evil.example'] }, 'allowedOrigins[1]'],
    [{ steps: ['FACE'] }, 'steps[0]'],
    [{ expiresInSeconds: 0 }, 'expiresInSeconds'],
    [{ locale: '<b>' }, 'locale'],
  ])('%j is refused with its field', async (body, field) => {
    const { status, body: problem } = await acme.rs.post(`${at}/user-agent-sessions`, body);
    expect([status, problem.errors[0]]).toEqual([400, expect.objectContaining({ code: '1006', field })]);
  });
});

describe('a session ends', () => {
  test('when its time is up', async () => {
    const { token } = await open({ expiresInSeconds: 60 });
    expect((await ask(token, at)).status).toBe(200);
    offsetMs = 61_000;
    expect((await ask(token, at)).status).toBe(401);
  });

  test('when the Relying Service deletes it', async () => {
    const { token, sessionId } = await open();
    const foreign = await created(acme.rs);
    expect((await acme.rs.delete(`${foreign.at}/user-agent-sessions/${sessionId}`)).status).toBe(404);
    expect((await ask(token, at)).status).toBe(200);
    expect((await ask(token, `${at}/user-agent-sessions/${sessionId}`, { method: 'DELETE' })).status).toBe(403);
    expect((await acme.rs.delete(`${at}/user-agent-sessions/${sessionId}`)).status).toBe(200);
    expect((await ask(token, at)).status).toBe(401);
    expect((await acme.rs.delete(`${at}/user-agent-sessions/${sessionId}`)).status).toBe(404);
  });

  test('when its identity closes, and a closed one gets none', async () => {
    const { token, sessionId } = await open();
    await acme.rs.delete(at);
    expect([401, 410]).toContain((await ask(token, at)).status);
    await waitFor('the session to be gone', async () => !(await rig.stores.userAgentSessions.find(sessionId)));
    expect((await ask(token, CURRENT)).status).toBe(401);
    expect((await acme.rs.post(`${at}/user-agent-sessions`)).status).toBe(410);
    expect((await acme.rs.delete(`${at}/user-agent-sessions/${sessionId}`)).status).toBe(410);
  });

  test.each(['asy_us_none', 'x'.repeat(600), ''])('an unknown token is 401', async (token) => {
    expect((await ask(token, at)).status).toBe(401);
  });
});

describe('one device', () => {
  test('the first to use the token is the only one; a page may name its device itself', async () => {
    const { token } = await open();
    expect((await ask(token, at)).status).toBe(200);
    const elsewhere = await ask(token, at, { device: 'a laptop' });
    expect([elsewhere.status, elsewhere.body.errors[0].code]).toEqual([410, '4101']);
    const named = (await open()).token;
    expect((await ask(named, at, { headers: { 'x-device-id': 'one' } })).status).toBe(200);
    expect((await ask(named, at, { headers: { 'x-device-id': 'one' }, device: 'renamed' })).status).toBe(200);
    expect((await ask(named, at, { headers: { 'x-device-id': 'two' } })).status).toBe(410);
    expect((await ask(named, at)).status).toBe(410);
  });

  test('of many devices that come at once, one is admitted', async () => {
    const { token } = await open();
    const devices = Array.from({ length: 8 }, (_, nth) => `device ${nth}`);
    const answers = await Promise.all(devices.map((device) => ask(token, at, { device })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(410)]);
  });

  test('hands over: the former is admitted until the other comes, and is informed then', async () => {
    const { token, sessionId } = await open();
    const handover = `${at}/user-agent-sessions/handover`;
    const given = (await ask(token, handover, { method: 'POST', device: 'a laptop' })).body;
    expect(given).toMatchObject({ sessionId, url: `${rig.baseUrl}/capture#${given.token}` });
    expect((await ask(token, CURRENT, { device: 'a laptop' })).status).toBe(200);
    expect((await ask(given.token, CURRENT)).status).toBe(200);
    const former = await ask(token, CURRENT, { device: 'a laptop' });
    expect([former.status, former.body.errors[0]]).toEqual([
      410,
      expect.objectContaining({ code: '4101', message: expect.stringContaining('handed over') }),
    ]);
    expect((await ask(given.token, CURRENT, { device: 'a laptop' })).status).toBe(410);
    expect((await acme.ua.post(handover)).status).toBe(404);
  });
});

test('a device hands over once more, or the other comes, but not both at once', async () => {
  const handover = `${at}/user-agent-sessions/handover`;
  const race = async () => {
    const { token } = await open();
    const laptop = { device: 'a laptop' };
    const given = (await ask(token, handover, { method: 'POST', ...laptop })).body;
    const both = [ask(token, handover, { method: 'POST', ...laptop }), ask(given.token, CURRENT)];
    return (await Promise.all(both)).map(({ status }) => status).sort();
  };
  expect(await Promise.all(Array.from({ length: 10 }, race))).toEqual(Array(10).fill([200, 410]));
});

describe('the device that handed over', () => {
  const HANDOVER = '/svc/v1/user-agent-sessions/handover';
  const DONE = '/svc/v1/user-agent-sessions/current/done';
  const laptop = { device: 'a laptop' };
  const stateFor = async (token: string, device = 'a laptop') => {
    const { status, body } = await ask(token, HANDOVER, { device });
    return status === 200 ? body.handover : status;
  };

  test('can follow the other until that is done, and may do nothing else', async () => {
    const { token } = await open();
    expect(await stateFor(token)).toBe('NONE');
    const given = (await ask(token, `${at}/user-agent-sessions/handover`, { method: 'POST', ...laptop })).body;
    expect(await stateFor(token)).toBe('WAITING');
    await ask(given.token, CURRENT);
    expect(await stateFor(token)).toBe('TAKEN');
    expect((await ask(token, at, laptop)).body.errors[0].code).toBe('4101');
    expect((await ask(token, DONE, { method: 'POST', ...laptop })).status).toBe(410);
    expect(await stateFor(token, 'a third one')).toBe(410);
    expect((await ask(given.token, DONE, { method: 'POST' })).status).toBe(200);
    expect(await stateFor(token)).toBe('DONE');
    offsetMs = 1_801_000;
    expect(await stateFor(token)).toBe(401);
  });

  test('can take the session back, once or again, and the other is refused from then on', async () => {
    const { token } = await open();
    const takeBack = async (by: string, device = 'a laptop') => {
      const headers = { authorization: `Bearer ${by}`, 'user-agent': device };
      const { status, body } = await apiWith(rig.baseUrl, '').delete(HANDOVER, headers);
      return status === 200 ? body.handover : status;
    };
    const handover = `${at}/user-agent-sessions/handover`;
    const unused = (await ask(token, handover, { method: 'POST', ...laptop })).body;
    expect([await takeBack(token), await takeBack(token)]).toEqual(['NONE', 'NONE']);
    expect((await ask(unused.token, CURRENT)).status).toBe(410);
    const given = (await ask(token, handover, { method: 'POST', ...laptop })).body;
    expect((await ask(given.token, CURRENT)).status).toBe(200);
    expect(await takeBack(token, 'a third one')).toBe(410);
    expect(await takeBack(token)).toBe('NONE');
    expect((await ask(token, CURRENT, laptop)).status).toBe(200);
    expect([(await ask(given.token, CURRENT)).status, await takeBack(given.token, 'a phone')]).toEqual([410, 410]);
    expect(await takeBack(token)).toBe('NONE');
    expect((await acme.ua.delete(HANDOVER)).status).toBe(404);
  });

  test('that takes it back after all steps are done learns that they are', async () => {
    const { token } = await open();
    const given = (await ask(token, `${at}/user-agent-sessions/handover`, { method: 'POST', ...laptop })).body;
    await ask(given.token, DONE, { method: 'POST' });
    expect((await ask(token, HANDOVER, { method: 'DELETE', ...laptop })).body).toEqual({ handover: 'DONE' });
    expect((await ask(given.token, CURRENT)).status).toBe(200);
  });

  test('can no longer follow once the other hands over itself', async () => {
    const { token } = await open();
    const first = (await ask(token, `${at}/user-agent-sessions/handover`, { method: 'POST', ...laptop })).body;
    const second = (await ask(first.token, `${at}/user-agent-sessions/handover`, { method: 'POST' })).body;
    await ask(second.token, CURRENT, { device: 'a tablet' });
    expect(await stateFor(token)).toBe(410);
    expect(await stateFor(first.token, 'a phone')).toBe('TAKEN');
  });
});

test('a session carries the settings of its tenant for the capture page', async () => {
  const capture = { name: 'Example Bank', colour: '#7a1f5c', embedders: [SHOP], finishText: { de: 'Danke!' } };
  const tenant = await rig.tenant({ capture });
  const { at: own } = await created(tenant.rs);
  const { token } = (await tenant.rs.post(`${own}/user-agent-sessions`)).body;
  expect((await ask(token, CURRENT)).body.page).toEqual(capture);
  for (const wrong of [{ colour: 'red' }, { logoUrl: 'http://logo.example' }, { chipReader: 'javascript:alert(1)' }]) {
    const answer = await rig.admin.patch(`/admin/v1/tenants/${tenant.tenantId}`, { settings: { capture: wrong } });
    expect(answer.body.errors[0].field).toBe(`settings.capture.${Object.keys(wrong)[0]}`);
  }
});

test('only pages that a tenant names can frame the capture page', async () => {
  await rig.tenant({ capture: { embedders: ['https://frames.example'] } });
  const framed = async (query: string) => {
    const { headers } = await fetch(`${rig.baseUrl}/capture${query}`, { redirect: 'manual' });
    return [
      /frame-ancestors ([^;]+)/.exec(headers.get('content-security-policy') ?? '')?.[1],
      headers.get('x-frame-options'),
    ];
  };
  expect(await framed('?in=https://frames.example')).toEqual(["'self' https://frames.example", null]);
  for (const other of ['', '?in=https://evil.example', '?in=*', '?in=https://frames.example&in=x'])
    expect(await framed(other)).toEqual(["'self'", 'SAMEORIGIN']);
});

describe('other origins', () => {
  const corsOf = ({ headers }: { headers: Headers }) => headers.get('access-control-allow-origin');
  const from = (origin: string) => ({ headers: { origin } });

  test('a preflight needs no key and names the origin if a tenant allows it', async () => {
    const preflight = (origin: string) =>
      fetch(`${rig.baseUrl}${at}/consents`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
    const allowed = await preflight(SHOP);
    expect([allowed.status, corsOf(allowed)]).toEqual([204, SHOP]);
    expect(allowed.headers.get('access-control-allow-headers')).toContain('authorization');
    expect(allowed.headers.get('access-control-allow-methods')).toContain('POST');
    expect(allowed.headers.get('access-control-allow-credentials')).toBeNull();
    expect(allowed.headers.get('vary')).toContain('Origin');
    expect(corsOf(await preflight('https://evil.example'))).toBeNull();
  });

  test('a reply is for the origins of the caller\u2019s own tenant, refusals too', async () => {
    const { token } = await open();
    expect(corsOf(await ask(token, at, from(SHOP)))).toBe(SHOP);
    expect(corsOf(await acme.ua.get(at, { origin: SHOP }))).toBe(SHOP);
    expect(corsOf(await ask('unknown', at, from(SHOP)))).toBe(SHOP);
    expect(corsOf(await ask(token, at, from('https://evil.example')))).toBeNull();
    const other = await rig.tenant();
    expect(corsOf(await other.ua.get(at, { origin: SHOP }))).toBeNull();
  });

  test('a session may be for some of them only', async () => {
    const { token } = await open({ allowedOrigins: [OTHER] });
    expect(corsOf(await ask(token, at, from(OTHER)))).toBe(OTHER);
    expect(corsOf(await ask(token, at, from(SHOP)))).toBeNull();
  });

  test('that a tenant allows no more are left out of its running sessions at once', async () => {
    const tenant = await rig.tenant({ allowedOrigins: [SHOP, OTHER] });
    const identity = await created(tenant.rs);
    const wish = { allowedOrigins: [SHOP, OTHER], returnUrl: `${OTHER}/done` };
    const { token } = (await tenant.rs.post(`${identity.at}/user-agent-sessions`, wish)).body;
    const current = (origin: string) => ask(token, CURRENT, from(origin));
    expect((await current(OTHER)).body.returnUrl).toBe(`${OTHER}/done`);
    await rig.admin.patch(`/admin/v1/tenants/${tenant.tenantId}`, { settings: { allowedOrigins: [SHOP] } });
    // Another tenant allows it still.
    const after = await current(OTHER);
    expect([corsOf(after), after.status, after.body.returnUrl]).toEqual([null, 200, undefined]);
    expect(corsOf(await current(SHOP))).toBe(SHOP);
  });

  test.each(['*', 'https://shop.example/', 'https://Shop.example', 'shop.example', 'https://a b'])(
    'a tenant cannot allow %s',
    async (origin) => {
      const settings = { allowedOrigins: [origin] };
      const answer = await rig.admin.patch(`/admin/v1/tenants/${acme.tenantId}`, { settings });
      expect(answer.body.errors[0].field).toBe('settings.allowedOrigins[0]');
    },
  );
});
