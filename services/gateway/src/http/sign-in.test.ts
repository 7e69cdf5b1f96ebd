import { formatDateTime, present } from '@assay/contracts';
import { newId } from '@assay/runtime';
import { apiWith, quietLog, waitFor } from '@assay/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openSignIn } from '../clients/sign-in-config.ts';
import { requestCase } from '../testing/cases.ts';
import { createJar, type Jar } from '../testing/jar.ts';
import { type Answers, startPlayedIssuer } from '../testing/played-issuer.ts';
import { created, type Rig, startRig } from '../testing/rig.ts';

let issuer: Awaited<ReturnType<typeof startPlayedIssuer>>;
let rig: Rig;
let offsetMs = 0;
const now = () => new Date(Date.now() + offsetMs);
const deps = { now, log: quietLog };
const [acmeId, umbrellaId] = [newId(), newId()];
const given = {
  desk: [
    { role: 'OPERATOR', tenantId: acmeId },
    { role: 'OPERATOR', tenantId: umbrellaId },
  ],
  acme: { role: 'TENANT_ADMINISTRATOR', tenantId: acmeId },
  suite: { role: 'ADMINISTRATOR' },
  closed: { role: 'OPERATOR', tenantId: 'no such tenant' },
};
const config = (url: string) => ({
  OIDC_ISSUER: url,
  OIDC_CLIENT_ID: 'assay',
  OIDC_CLIENT_SECRET: 'a secret of the suite',
  OIDC_CLIENT_AUTH: 'client_secret_basic',
  OIDC_SCOPES: 'openid profile',
  OIDC_GROUPS_CLAIM: 'groups',
  OIDC_GROUPS: JSON.stringify(given),
  OIDC_LABEL: 'Sign in',
  SESSION_SECONDS: 3600,
  SESSION_IDLE_SECONDS: 600,
});
beforeAll(async () => {
  issuer = await startPlayedIssuer();
  const signIn = openSignIn(config(issuer.url), false, deps);
  rig = await startRig({ now, more: { signIn } });
  const settings = { adjudication: { enabled: true, fourEyes: true } };
  for (const tenantId of [acmeId, umbrellaId]) await rig.stores.tenants.create(tenantId, 'a tenant', settings);
});
beforeEach(() => {
  offsetMs = 0;
  issuer.answers({});
});
afterAll(async () => {
  await rig.close();
  await issuer.close();
});

interface Person {
  sub: string;
  groups: string[];
  page?: 'console' | 'admin';
  query?: string;
}

/** Goes to the issuer and back. Returns where the browser was sent last. */
const comeBack = async (jar: Jar, { sub, groups, page = 'console', query = '' }: Person) => {
  const sent = await jar.send(`/sign-in/${page}${query}`);
  const way = issuer.signIn(sent.headers.get('location') ?? '', sub, groups);
  const back = await jar.send(`/sign-in/callback?${way}`);
  return { way, to: back.headers.get('location') ?? '' };
};
const signedIn = async (person: Person, baseUrl = rig.baseUrl): Promise<Jar> => {
  const jar = createJar(baseUrl);
  const { to } = await comeBack(jar, person);
  expect(to).toBe(`/${person.page ?? 'console'}/#/`);
  return jar;
};
const ann = { sub: 'ann', groups: ['desk'] };
const bob = { sub: 'bob', groups: ['desk'] };
const me = (jar: Jar) => jar.json('/operator/v1/me');

describe('a person who signs in', () => {
  test('is sent with PKCE, state and nonce, and comes back to the requested place', async () => {
    const jar = createJar(rig.baseUrl);
    const sent = await jar.send('/sign-in/console?returnTo=/cases/1');
    const { searchParams } = new URL(sent.headers.get('location') ?? '');
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'assay',
      code_challenge_method: 'S256',
      redirect_uri: `${rig.baseUrl}/sign-in/callback`,
    });
    expect(sent.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/);
    const way = issuer.signIn(sent.headers.get('location') ?? '', 'ann', ['desk']);
    const back = await jar.send(`/sign-in/callback?${way}`);
    expect(back.headers.get('location')).toBe('/console/#/cases/1');
    expect(back.headers.getSetCookie().join()).toMatch(
      /assay-console=asy_ss_[^;]+; Path=\/; HttpOnly; SameSite=Strict/,
    );
    const { status, body } = await me(jar);
    expect([status, body.name, body.session.idleSeconds]).toEqual([200, 'Name of ann', 600]);
    expect(body.operatorId).toMatch(/^person-[0-9a-f]{32}$/);
  });

  test.each([-600_000, 600_000])(
    'may do so while the machine is off by %i ms: the clock of the database counts',
    async (ms) => {
      offsetMs = ms;
      const right = Math.floor(now().getTime() / 1000);
      issuer.answers({ claims: { iat: right, nbf: right, exp: right + 60 } });
      // The first gateway's sign-ins of this minute are for the other tests.
      const other = await rig.another();
      expect((await me(await signedIn(ann, other.baseUrl))).status).toBe(200);
      await other.close();
    },
  );

  test('acts for the first tenant of the group, or the requested one', async () => {
    const first = await signedIn(ann);
    const second = await signedIn({ ...ann, query: `?tenantId=${umbrellaId}` });
    const listed = async (tenantId: string) =>
      (await rig.admin.get(`/admin/v1/tenants/${tenantId}/sessions`)).body.items.map(
        ({ personId }: { personId: string }) => personId,
      );
    const { operatorId } = (await me(first)).body;
    expect((await me(second)).body.operatorId).toBe(operatorId);
    expect([await listed(acmeId), await listed(umbrellaId)]).toEqual([
      expect.arrayContaining([operatorId]),
      [operatorId],
    ]);
  });

  test('is not kept from it by long sign-ins that another site began in the same browser', async () => {
    const other = await rig.another();
    const jar = createJar(other.baseUrl);
    const longest = `returnTo=/${'a'.repeat(300)}&tenantId=${'%01'.repeat(64)}`;
    for (let tab = 0; tab < 4; tab += 1) {
      const { status, headers } = await jar.send(`/sign-in/console?${longest}`);
      const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
      // Browsers take no longer one, and go on with the former.
      expect([status, cookie.length > 0 && cookie.length <= 4096]).toEqual([303, true]);
    }
    const longer = await jar.send(`/sign-in/console?${longest}t`);
    expect([longer.status, longer.headers.get('set-cookie')]).toEqual([400, null]);
    expect((await comeBack(jar, ann)).to).toBe('/console/#/');
    await other.close();
  });

  test('may do so in several tabs at once, each to its own place', async () => {
    const other = await rig.another();
    const jar = createJar(other.baseUrl);
    const begun = async (place: string) => {
      const sent = await jar.send(`/sign-in/console?returnTo=${place}`);
      return issuer.signIn(sent.headers.get('location') ?? '', 'ann', ['desk']);
    };
    const back = async (way: unknown) => (await jar.send(`/sign-in/callback?${way}`)).headers.get('location');
    const [first, second, third] = [await begun('/a'), await begun('/b'), await begun('/c')];
    expect(await back(second)).toBe('/console/#/b');
    expect(await back('code=made-up&state=made-up')).toBe('/console/?sign-in=refused#/c');
    expect(await back(first)).toBe('/console/#/a');
    expect(await back(first)).toBe('/console/?sign-in=refused#/c');
    expect(await back(third)).toBe('/console/#/c');
    expect([jar.cookies.has('assay-sign-in'), (await me(jar)).status]).toEqual([false, 200]);
    await other.close();
  });

  test('may abandon any number of sign-ins: the browser has only the latest, in one cookie', async () => {
    const other = await rig.another();
    const jar = createJar(other.baseUrl);
    const ways: string[] = [];
    for (let each = 0; each < 5; each += 1) {
      const sent = await jar.send(`/sign-in/console?returnTo=/${'x'.repeat(250)}`);
      ways.push(String(issuer.signIn(sent.headers.get('location') ?? '', 'ann', ['desk'])));
    }
    expect((jar.cookies.get('assay-sign-in') ?? '').length).toBeLessThan(4000);
    const back = async (way = '') => (await jar.send(`/sign-in/callback?${way}`)).headers.get('location');
    expect(await back(ways[0])).toMatch(/^\/console\/\?sign-in=refused/);
    for (const way of ways.slice(-4)) expect(await back(way)).toBe(`/console/#/${'x'.repeat(250)}`);
    await other.close();
  });

  test('is known to every gateway, and to none once signed out', async () => {
    const jar = await signedIn(bob);
    const other = await rig.another();
    const cookie = [...jar.cookies].map((pair) => pair.join('=')).join('; ');
    const there = async (): Promise<number> =>
      (await fetch(`${other.baseUrl}/operator/v1/me`, { headers: { cookie } })).status;
    expect(await there()).toBe(200);
    expect((await jar.send('/operator/v1/session', { method: 'DELETE' })).status).toBe(200);
    expect(jar.cookies.has('assay-console')).toBe(false);
    expect(await there()).toBe(401);
    await other.close();
  });

  test('administers the suite or one tenant, each on its own page alone', async () => {
    const root = await signedIn({ sub: 'root', groups: ['suite', 'desk'], page: 'admin' });
    expect((await root.json('/admin/v1/me')).body).toMatchObject({ role: 'ADMINISTRATOR', name: 'Name of root' });
    expect((await root.send('/admin/v1/tenants')).status).toBe(200);
    expect((await root.send('/operator/v1/me')).status).toBe(401);
    const own = await signedIn({ sub: 'own', groups: ['acme'], page: 'admin' });
    expect((await own.json('/admin/v1/me')).body).toMatchObject({ role: 'TENANT_ADMINISTRATOR', tenantId: acmeId });
    expect((await own.send(`/admin/v1/tenants/${acmeId}`)).status).toBe(200);
    expect((await own.send(`/admin/v1/tenants/${umbrellaId}`)).status).toBe(404);
    expect((await own.send('/admin/v1/tenants')).status).toBe(403);
  });
});

describe('no person is signed in', () => {
  const refusedFor = async (person: Person = ann): Promise<string> => {
    const jar = createJar(rig.baseUrl);
    const { to } = await comeBack(jar, person);
    expect(jar.cookies.has('assay-console')).toBe(false);
    expect((await me(jar)).status).toBe(401);
    return to;
  };
  const past = Math.floor(Date.now() / 1000) - 600;
  test.each([
    ['another issuer', { claims: { iss: 'https://evil.example' } }],
    ['another audience', { claims: { aud: 'another' } }],
    ['an expired token', { claims: { exp: past, iat: past - 60 } }],
    ['another nonce', { claims: { nonce: 'another' } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['no subject', { claims: { sub: undefined } }],
    ['no signature', { header: { alg: 'none' } }],
    ['an audience of several, meant for another of them', { claims: { aud: ['assay', 'another'], azp: 'another' } }],
    ['a token without an end', { claims: { exp: undefined } }],
    ['an extension that has to be understood', { header: { crit: ['b64'], b64: false } }],
    ['a signature by the published key, taken for a secret', { header: { alg: 'HS256' } }],
    ['a signature of a key that is not published', { foreignKey: true }],
    ['a key id that is not published', { header: { kid: 'unknown' } }],
  ])('by %s', async (_name, answers) => {
    issuer.answers(answers);
    expect(await refusedFor()).toBe('/console/?sign-in=refused#/');
  });
  test('without a group that gives a role on the page', async () => {
    for (const groups of [[], ['suite'], ['unknown'], ['closed']])
      expect(await refusedFor({ sub: 'x', groups })).toBe('/console/?sign-in=no-role#/');
    expect(await refusedFor({ ...ann, query: '?tenantId=another' })).toBe('/console/?sign-in=no-role#/');
  });
  test('by an ID token without a subject: all of its people would be one', async () => {
    // The first gateway begins 120 sign-ins a minute from this address: the other tests need them.
    const other = await rig.another();
    for (const sub of ['', ' ']) {
      const { to } = await comeBack(createJar(other.baseUrl), { sub, groups: ['desk'] });
      expect(to).toBe('/console/?sign-in=refused#/');
    }
    await other.close();
  });
  test.each<Answers>([{ away: true }, { huge: true }])('while the issuer is unavailable (%j)', async (trouble) => {
    // The first gateway's sign-ins of this minute are for the other tests.
    const other = await rig.another();
    const jar = createJar(other.baseUrl);
    const sent = await jar.send('/sign-in/console');
    const way = issuer.signIn(sent.headers.get('location') ?? '', 'ann', ['desk']);
    issuer.answers(trouble);
    expect((await jar.send(`/sign-in/callback?${way}`)).headers.get('location')).toBe('/console/?sign-in=away#/');
    await other.close();
  });
  test('by an answer that is sent again, even if the issuer accepts its code again', async () => {
    issuer.answers({ takesCodesAgain: true });
    const jar = createJar(rig.baseUrl);
    const sent = await jar.send('/sign-in/console');
    const thief = createJar(rig.baseUrl);
    for (const [name, value] of jar.cookies) thief.cookies.set(name, value);
    const way = issuer.signIn(sent.headers.get('location') ?? '', 'ann', ['desk']);
    expect((await jar.send(`/sign-in/callback?${way}`)).headers.get('location')).toBe('/console/#/');
    expect((await jar.send(`/sign-in/callback?${way}`)).headers.get('location')).toBe('/console/?sign-in=expired#/');
    expect((await thief.send(`/sign-in/callback?${way}`)).headers.get('location')).toBe('/console/?sign-in=expired#/');
    expect((await me(thief)).status).toBe(401);
  });
  test('by an answer to another browser, another state, or after ten minutes', async () => {
    const [jar, victim] = [createJar(rig.baseUrl), createJar(rig.baseUrl)];
    const sent = await jar.send('/sign-in/console');
    const way = issuer.signIn(sent.headers.get('location') ?? '', 'ann', ['desk']);
    const expired = '/console/?sign-in=expired#/';
    expect((await victim.send(`/sign-in/callback?${way}`)).headers.get('location')).toBe(expired);
    await victim.send('/sign-in/console');
    expect((await victim.send(`/sign-in/callback?${way}`)).headers.get('location')).toBe('/console/?sign-in=refused#/');
    offsetMs = 601_000;
    expect((await jar.send(`/sign-in/callback?${way}`)).headers.get('location')).toBe(expired);
  });
  test('by an answer that names another issuer (mix-up)', async () => {
    const jar = createJar(rig.baseUrl);
    const sent = await jar.send('/sign-in/console');
    const way = issuer.signIn(sent.headers.get('location') ?? '', 'ann', ['desk']);
    const back = await jar.send(`/sign-in/callback?${way}&iss=${encodeURIComponent('https://evil.example')}`);
    expect(back.headers.get('location')).toBe('/console/?sign-in=refused#/');
  });
  test('by an error of the issuer instead of a code', async () => {
    const jar = createJar(rig.baseUrl);
    const sent = await jar.send('/sign-in/console');
    const state = new URL(sent.headers.get('location') ?? '').searchParams.get('state') ?? '';
    const back = await jar.send(`/sign-in/callback?error=access_denied&state=${state}`);
    expect(back.headers.get('location')).toBe('/console/?sign-in=refused#/');
  });
});

test('an issuer that is unavailable, or has another name, is detected', async () => {
  const examined = (url: string) => openSignIn(config(url), false, deps)!.openId.examine(undefined);
  expect(await examined(issuer.url)).toBe('UNKNOWN');
  expect(await examined(issuer.url.replace('127.0.0.1', 'localhost'))).toBe('OTHER_ISSUER');
  issuer.answers({ away: true });
  expect(await examined(issuer.url)).toBe('AWAY');
});

test('new keys of the issuer are accepted at once', async () => {
  await signedIn(ann);
  issuer.rotate();
  await signedIn(ann);
});

test.each(['https://evil.example', '/\\evil.example', 'javascript:alert(1)', '/a\r\nset-cookie:b=c'])(
  'no browser is sent to %j',
  async (place) => {
    const { status, body } = await createJar(rig.baseUrl).json(
      `/sign-in/console?returnTo=${encodeURIComponent(place)}`,
    );
    expect([status, body.errors[0].field]).toEqual([400, 'returnTo']);
  },
);
test.each(['//evil.example', '/a%0d%0ab'])('%j is a place in the page like any other', async (place) => {
  const { to } = await comeBack(createJar(rig.baseUrl), { ...ann, query: `?returnTo=${encodeURIComponent(place)}` });
  expect(to).toBe(`/console/#${place}`);
});

describe('a session', () => {
  const claimAt = `/operator/v1/cases/${newId()}/claim`;
  test.each([
    ['another site', { origin: 'https://evil.example' }],
    ['a page without origin', { origin: 'null' }],
    ['a sibling', { 'sec-fetch-site': 'same-site' }],
    ['another site that hides its origin', { 'sec-fetch-site': 'cross-site' }],
  ])('changes nothing for %s', async (_name, headers) => {
    const jar = await signedIn(ann);
    const { status, body } = await jar.json(claimAt, { method: 'POST', headers });
    expect([status, body.errors[0].code]).toEqual([403, '4033']);
  });
  test('changes nothing without an origin, but does for its own page', async () => {
    const jar = await signedIn(ann);
    const cookie = [...jar.cookies].map((pair) => pair.join('=')).join('; ');
    const without = await fetch(`${rig.baseUrl}${claimAt}`, { method: 'POST', headers: { cookie } });
    expect(without.status).toBe(403);
    expect((await jar.send(claimAt, { method: 'POST' })).status).toBe(404);
  });

  test('is always new: a planted cookie is worthless', async () => {
    const jar = createJar(rig.baseUrl);
    jar.cookies.set('assay-console', 'asy_ss_planted');
    await comeBack(jar, ann);
    const first = jar.cookies.get('assay-console');
    expect(first).toMatch(/^asy_ss_(?!planted)/);
    await comeBack(jar, ann);
    const old = createJar(rig.baseUrl);
    old.cookies.set('assay-console', first ?? '');
    expect([(await me(jar)).status, (await me(old)).status]).toEqual([200, 401]);
  });

  test('ends when its person does nothing, whatever the page requests by itself', async () => {
    const jar = await signedIn(ann);
    const byItself = { headers: { 'assay-by-itself': 'true' } };
    offsetMs = 500_000;
    expect((await jar.send('/operator/v1/me', byItself)).status).toBe(200);
    offsetMs = 600_000;
    expect((await me(jar)).status).toBe(401);
    offsetMs = 0;
    const other = await signedIn(bob);
    const { sessionId } = (await rig.admin.get(`/admin/v1/tenants/${acmeId}/sessions?limit=200`)).body.items.find(
      ({ name, usedAt }: { name: string; usedAt: string }) =>
        name === 'Name of bob' && usedAt > formatDateTime(new Date(Date.now() - 5000)),
    );
    for (const seconds of [500, 1000, 1500]) {
      offsetMs = seconds * 1000;
      expect((await me(other)).status).toBe(200);
      const usedAt = async () =>
        (await rig.stores.staffSessions.model.findById(sessionId).lean<{ usedAt: Date }>())?.usedAt;
      await waitFor('the use', async () => ((await usedAt())?.getTime() ?? 0) > Date.now() + offsetMs - 60_000);
    }
    offsetMs = 3600_000;
    expect((await me(other)).status).toBe(401);
  });

  test('is ended by an administrator, with all other sessions of that person', async () => {
    const [one, two] = [
      await signedIn({ sub: 'eve', groups: ['desk'] }),
      await signedIn({ sub: 'eve', groups: ['desk'] }),
    ];
    const { operatorId } = (await me(one)).body;
    const { items } = (await rig.admin.get('/admin/v1/people?limit=200')).body;
    expect(items).toContainEqual(
      expect.objectContaining({ personId: operatorId, name: 'Name of eve', subject: 'eve' }),
    );
    const { body } = await rig.admin.delete(`/admin/v1/people/${operatorId}/sessions`);
    expect(body).toEqual({ ended: 2 });
    expect([(await me(one)).status, (await me(two)).status]).toEqual([401, 401]);
  });

  test('ends when its person is deleted, of whom only an id is left', async () => {
    const jar = await signedIn({ sub: 'zoe', groups: ['desk'] });
    const personId = (await me(jar)).body.operatorId;
    const person = { subject: 'zoe', name: 'Zoe' };
    const keysAt = `/admin/v1/tenants/${acmeId}/keys`;
    const { keyId } = (await rig.admin.post(keysAt, { role: 'OPERATOR', person })).body;
    const at = `/admin/v1/people/${personId}`;
    const early = await rig.admin.delete(at);
    expect([early.status, early.body.errors[0].message]).toEqual([409, expect.stringContaining(keyId)]);
    await rig.admin.delete(`${keysAt}/${keyId}`);
    expect((await rig.admin.delete(at)).body).toEqual({ ended: 1 });
    expect((await me(jar)).status).toBe(401);
    expect((await rig.admin.delete(at)).status).toBe(404);
    expect(JSON.stringify((await rig.admin.get('/admin/v1/people?limit=200')).body)).not.toContain('zoe');
    const lines = await rig.stores.audit.list('suite', 0, 1000);
    const line = lines.map(({ content }) => content).find((content) => content?.act === 'person.delete');
    expect(line).toMatchObject({ subject: { personId } });
    expect((await me(await signedIn({ sub: 'zoe', groups: ['desk'] }))).body.operatorId).toBe(personId);
  });

  test("of a person is not ended by another tenant's administrator", async () => {
    const jar = await signedIn({ sub: 'dan', groups: ['desk'], query: `?tenantId=${umbrellaId}` });
    const { operatorId } = (await me(jar)).body;
    const own = await signedIn({ sub: 'own', groups: ['acme'], page: 'admin' });
    const end = (tenantId: string) =>
      own.json(`/admin/v1/tenants/${tenantId}/people/${operatorId}/sessions`, { method: 'DELETE' });
    expect([(await end(umbrellaId)).status, (await end(acmeId)).body]).toEqual([404, { ended: 0 }]);
    expect((await me(jar)).status).toBe(200);
  });

  test('leaves audit entries with the id of the person, and nothing personal', async () => {
    const jar = await signedIn({ sub: 'fay@example.org', groups: ['desk'] });
    const { operatorId } = (await me(jar)).body;
    await jar.send('/operator/v1/session', { method: 'DELETE' });
    const lines = (await rig.stores.audit.list(acmeId, 0, 1000)).filter(
      ({ content }) => content?.actor.personId === operatorId,
    );
    expect(lines.map(({ content }) => content?.act)).toEqual(['session.begin', 'session.end']);
    expect(JSON.stringify(lines)).not.toContain('fay');
  });
});

describe('four eyes', () => {
  const waiting = async () => {
    const rs = apiWith(
      rig.baseUrl,
      (await rig.stores.apiKeys.create({ tenantId: acmeId, role: 'RELYING_SERVICE' })).apiKey,
    );
    const { id: identityId } = await created(rs);
    const { path } = await requestCase(rig, { tenantId: acmeId, identityId }, { fourEyes: true });
    return path;
  };
  const keyOf = async (person?: { subject: string; name: string }) => {
    const body = { role: 'OPERATOR', ...present({ person }) };
    const { apiKey } = (await rig.admin.post(`/admin/v1/tenants/${acmeId}/keys`, body)).body;
    return apiWith(rig.baseUrl, apiKey);
  };
  const accept = { decision: 'ACCEPT' };
  const posted = (jar: Jar) => (path: string, body?: unknown) =>
    jar.json(path, {
      method: 'POST',
      ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
    });

  // Signed in once: an address may only do so so often in a minute.
  let people: [ReturnType<typeof posted>, ReturnType<typeof posted>];
  beforeAll(async () => {
    people = [posted(await signedIn(ann)), posted(await signedIn(bob))];
  });

  test('are two people who signed in, named to each other', async () => {
    const at = await waiting();
    const [one, two] = people;
    await one(`${at}/claim`);
    expect((await one(`${at}/decision`, accept)).body.state).toBe('OPEN');
    const claimed = await two(`${at}/claim`);
    expect(claimed.body).toMatchObject({
      claimedByName: 'Name of bob',
      decisions: [{ operatorName: 'Name of ann', decision: 'ACCEPT' }],
    });
    expect((await two(`${at}/decision`, accept)).body).toMatchObject({ state: 'DECIDED', decision: 'ACCEPT' });
    const { body: figures } = await (await signedIn(ann)).json('/operator/v1/statistics');
    const names = figures.operators.map(({ operatorName }: { operatorName: string }) => operatorName);
    expect(names).toEqual(expect.arrayContaining(['Name of ann', 'Name of bob']));
  });

  test('are not one person twice, by session, by key, or by both', async () => {
    const at = await waiting();
    const key = await keyOf({ subject: 'ann', name: 'Ann' });
    await key.post(`${at}/claim`);
    await key.post(`${at}/decision`, accept);
    expect((await posted(await signedIn(ann))(`${at}/claim`)).status).toBe(409);
    expect((await (await keyOf({ subject: 'ann', name: 'Ann again' })).post(`${at}/claim`)).status).toBe(409);
    expect((await posted(await signedIn(bob))(`${at}/claim`)).status).toBe(200);
  });

  test('are not a person and a key without a person, which may be theirs', async () => {
    const at = await waiting();
    const one = posted(await signedIn(ann));
    await one(`${at}/claim`);
    await one(`${at}/decision`, accept);
    const { status, body } = await (await keyOf()).post(`${at}/claim`);
    expect([status, body.errors[0].message]).toEqual([409, expect.stringContaining('names nobody')]);
  });

  test('are two keys without a person, until the tenant requires people', async () => {
    const at = await waiting();
    const [one, two] = [await keyOf(), await keyOf()];
    await one.post(`${at}/claim`);
    await one.post(`${at}/decision`, accept);
    await rig.admin.patch(`/admin/v1/tenants/${acmeId}`, { settings: { adjudication: { peopleOnly: true } } });
    expect((await two.post(`${at}/claim`)).status).toBe(409);
    await rig.admin.patch(`/admin/v1/tenants/${acmeId}`, { settings: { adjudication: { peopleOnly: false } } });
    await two.post(`${at}/claim`);
    expect((await two.post(`${at}/decision`, accept)).body.state).toBe('DECIDED');
  });

  test('are two people also where a key without a person began, once the tenant requires people', async () => {
    const at = await waiting();
    const key = await keyOf();
    await key.post(`${at}/claim`);
    await key.post(`${at}/decision`, accept);
    const [one, two] = people;
    expect((await one(`${at}/claim`)).status).toBe(409);
    await rig.admin.patch(`/admin/v1/tenants/${acmeId}`, { settings: { adjudication: { peopleOnly: true } } });
    for (const [person, state] of [
      [one, 'OPEN'],
      [two, 'DECIDED'],
    ] as const) {
      await person(`${at}/claim`);
      expect((await person(`${at}/decision`, accept)).body.state).toBe(state);
    }
    await rig.admin.patch(`/admin/v1/tenants/${acmeId}`, { settings: { adjudication: { peopleOnly: false } } });
  });
});
