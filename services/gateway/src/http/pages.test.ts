import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Rig, startRig } from '../testing/rig.ts';

const folder = mkdtempSync(join(tmpdir(), 'pages-'));
const stackFile = join(folder, 'stack.json');
writeFileSync(
  stackFile,
  JSON.stringify({ mailcatcher: 'http://mail', keys: { admin: 'secret' }, amqpUrl: 'secret too' }),
);
writeFileSync(join(folder, 'passport.jpg'), '');
for (const page of ['console', 'capture', 'admin']) mkdirSync(join(folder, page));

let local: Rig;
let rig: Rig;
beforeAll(async () => {
  const more = { localStack: { stackFile, specimens: folder }, pages: folder };
  [rig, local] = await Promise.all([startRig(), startRig({ more })]);
});
afterAll(() => Promise.all([rig.close(), local.close()]));

/** fetch() does not permit another Host header. */
const asHost = (host: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const call = request(`${local.baseUrl}/pages-config.json`, { headers: { host } }, async (response) => {
      let body = '';
      for await (const chunk of response) body += chunk;
      resolve(body);
    });
    call.on('error', reject);
    call.end();
  });

describe('the start page', () => {
  test('is JSON for those who ask for JSON', async () => {
    const response = await fetch(`${rig.baseUrl}/`, { headers: { accept: 'application/json' } });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ name: 'Assay', links: { documentation: '/docs' } });
  });

  test('serves nothing but GET', async () => {
    expect((await fetch(`${rig.baseUrl}/`, { method: 'POST' })).status).toBe(405);
  });
});

describe('the configuration of the pages before sign-in', () => {
  test('names the first prefix, and nothing local outside a development stack', async () => {
    const config = (await (await fetch(`${rig.baseUrl}/pages-config.json`)).json()) as object;
    expect(config).toEqual({ prefix: 'svc', version: '0.0.0', pages: [] });
  });

  test('shows the keys of a development stack to a browser on the same machine', async () => {
    const { local } = JSON.parse(await asHost('localhost:1234'));
    expect(local).toEqual({ mailcatcher: 'http://mail', specimens: ['passport.jpg'], keys: { admin: 'secret' } });
  });

  test('shows no key to a page that reaches it under another name', async () => {
    const body = await asHost('rebound.example');
    expect(body).toContain('http://mail');
    expect(body).not.toContain('secret');
  });
});

test('no page tells a browser to upgrade to TLS: the service may be reached by plain HTTP', async () => {
  for (const path of ['/docs', '/svc/healthcheck']) {
    const policy = (await fetch(rig.baseUrl + path)).headers.get('content-security-policy');
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toContain('upgrade-insecure-requests');
  }
});

test.each(['/', '/console', '/admin', '/capture', '/favicon.ico', '/docs'])('%s is for reading only', async (path) => {
  const answer = await fetch(local.baseUrl + path, { method: 'POST' });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

describe('an address of nothing', () => {
  const asked = (path: string, accept: string): Promise<Response> =>
    fetch(rig.baseUrl + path, { headers: { accept, apikey: 'no such key' } });

  test.each(['/nothing', '/docs/nothing', '/docs/errors/9999', '/capture/nothing'])(
    '%s is a page with the way on for a browser, and a problem for programs',
    async (path) => {
      const page = await asked(path, 'text/html,application/xhtml+xml,*/*;q=0.8');
      expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(await page.text()).toContain('<a href="/">Start page</a>');
      for (const accept of ['*/*', 'application/json']) {
        const problem = await asked(path, accept);
        expect([problem.status, problem.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
      }
    },
  );
});
