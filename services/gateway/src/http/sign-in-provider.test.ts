import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { newId } from '@assay/runtime';
import { quietLog } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openSignIn } from '../clients/sign-in-config.ts';
import { createJar, type Jar } from '../testing/jar.ts';
import { type Rig, startRig } from '../testing/rig.ts';

/* The whole sign-in with a real issuer (oidc-provider) in a process of its own, over plain HTTP. */

const root = join(import.meta.dirname, '../../../..');
const tenantId = newId();
let provider: ChildProcess;
let issuer: string;
let rig: Rig;

const deps = { now: () => new Date(), log: quietLog };

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
};

const config = () => ({
  ...{ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'assay', OIDC_CLIENT_SECRET: 'a secret of the suite' },
  ...{ OIDC_CLIENT_AUTH: 'client_secret_basic', OIDC_SCOPES: 'openid profile', OIDC_GROUPS_CLAIM: 'groups' },
  OIDC_GROUPS: JSON.stringify({ desk: { role: 'OPERATOR', tenantId } }),
  ...{ OIDC_LABEL: 'Sign in', SESSION_SECONDS: 3600, SESSION_IDLE_SECONDS: 600 },
});

beforeAll(async () => {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  provider = spawn(process.execPath, [join(root, 'tests/setup/issuer.mjs'), `${publicUrl}/sign-in/callback`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = (await once(provider.stdout!, 'data')) as [Buffer];
  issuer = line.toString().trim().split('\n').at(-1)!;
  const signIn = openSignIn(config(), false, deps);
  rig = await startRig({ more: { signIn, publicUrl } });
  await rig.stores.tenants.create(tenantId, 'a tenant', {});
});
afterAll(async () => {
  await rig?.close();
  provider?.kill();
});

/**
 * Follows the issuer's own pages until it redirects back, and fills in the forms that they show.
 */
const through = async (browser: Jar, from: string, login: string): Promise<string> => {
  let at = from;
  for (let step = 0; step < 12; step += 1) {
    if (!at.startsWith(issuer)) return at;
    const response = await browser.send(at);
    const location = response.headers.get('location');
    if (location) {
      at = new URL(location, at).href;
      continue;
    }
    const page = await response.text();
    const action = /action="([^"]+)"/.exec(page)?.[1] ?? at;
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? '';
    const body = new URLSearchParams({ prompt, login, password: 'x' });
    const sent = await browser.send(new URL(action, at).href, { method: 'POST', body });
    at = new URL(sent.headers.get('location') ?? '', at).href;
  }
  throw new Error('the issuer leads nowhere');
};

const signIn = async (login: string) => {
  const [here, there] = [createJar(rig.baseUrl), createJar(issuer)];
  const sent = await here.send('/sign-in/console?returnTo=/cases/1');
  const back = new URL(await through(there, sent.headers.get('location') ?? '', login));
  const query = back.search;
  const done = await here.send(`/sign-in/callback${query}`);
  return { here, query, to: done.headers.get('location') };
};

test('a person signs in and has a name, and the same code works once only', async () => {
  const { here, query, to } = await signIn('desk.ann');
  expect(to).toBe('/console/#/cases/1');
  const { status, body } = await here.json('/operator/v1/me');
  expect([status, body.name]).toEqual([200, 'Name of desk.ann']);
  expect((await here.send(`/sign-in/callback${query}`)).headers.get('location')).toBe('/console/?sign-in=expired#/');
  expect((await here.json('/operator/v1/me')).status).toBe(200);
});

test('a person without a role is not signed in', async () => {
  const { here, to } = await signIn('guest.bob');
  expect(to).toBe('/console/?sign-in=no-role#/cases/1');
  expect((await here.json('/operator/v1/me')).status).toBe(401);
});

test('the doctor reports that the issuer accepts this service and its redirect address', async () => {
  const { at, findings } = (await rig.admin.get('/admin/v1/doctor')).body;
  expect(at).toMatch(/T\d\d:\d\d:\d\d\.\d{3}$/);
  const found = (check: string) => findings.filter((each: { check: string }) => each.check === check);
  expect([...found('sign-in-issuer'), ...found('sign-in-redirect')]).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ check: 'sign-in-issuer', status: 'OK', message: 'it answers' }),
      expect.objectContaining({ check: 'sign-in-redirect', status: 'OK', message: 'the issuer takes it' }),
    ]),
  );
  const { openId } = openSignIn(config(), false, deps)!;
  expect(await openId.examine('https://elsewhere.example/sign-in/callback')).toBe('REFUSES_REDIRECT');
  const unknown = openSignIn({ ...config(), OIDC_CLIENT_ID: 'another' }, false, deps)!;
  expect(await unknown.openId.examine('https://elsewhere.example/sign-in/callback')).toBe('REFUSES_REDIRECT');
});
