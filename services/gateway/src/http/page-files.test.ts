import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '@assay/http';
import { quietLog } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pageFiles } from './page-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'page-files-'));
const TEXT = 'a page '.repeat(500);
mkdirSync(join(folder, 'page'));
for (const file of ['index.html', 'guide.html', 'main.js', '.hidden.js'])
  writeFileSync(join(folder, 'page', file), TEXT);
writeFileSync(join(folder, 'page/photo.jpg'), Buffer.alloc(4000));
writeFileSync(join(folder, 'secret.html'), TEXT);

const app = createApp({
  service: 'test',
  log: quietLog,
  routes: (routes) => routes.use('/page', pageFiles(join(folder, 'page'), true)),
});
const server = createServer(app);
let base: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/page`;
});
afterAll(() => {
  server.close();
});
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(base + path, {
    headers: { 'accept-encoding': 'gzip, br', 'cache-control': 'max-age=0', ...headers },
    redirect: 'manual',
  });

test.each([
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['gzip;q=0, identity', null],
])('a browser that accepts %s gets %s', async (accepted, coding) => {
  const response = await get('/main.js', { 'accept-encoding': accepted });
  expect([response.status, response.headers.get('content-encoding')]).toEqual([200, coding]);
  expect(response.headers.get('vary')).toContain('Accept-Encoding');
  expect(response.headers.get('content-type')).toMatch(/javascript/);
  if (coding) expect(Number(response.headers.get('content-length'))).toBeLessThan(200);
  expect(await response.text()).toBe(TEXT);
});

test('the document has its own address and the addresses without its ending', async () => {
  for (const path of ['', '/', '/guide', '/guide.html']) {
    const response = await get(path);
    expect([path, response.status, await response.text()]).toEqual([path, 200, TEXT]);
    expect(response.headers.get('content-type')).toMatch(/html/);
  }
});

test('a file may be read and nothing else, and what is no file is left to others', async () => {
  const ask = (path: string, method: string) => fetch(base + path, { method, redirect: 'manual' });
  for (const path of ['/', '/index.html', '/guide', '/main.js', '/photo.jpg']) {
    expect((await ask(path, 'HEAD')).status).toBe(200);
    const options = await ask(path, 'OPTIONS');
    expect([path, options.status, options.headers.get('allow')]).toEqual([path, 204, 'GET, HEAD']);
    expect((await ask(path, 'POST')).headers.get('allow')).toBe('GET, HEAD');
  }
  for (const path of ['/none.js', '/.hidden.js', '/..%2fsecret.html', '/%2e%2e/secret.html'])
    expect([path, (await ask(path, 'OPTIONS')).status]).toEqual([path, 404]);
});

test('an unchanged file is not sent again, and a changed one is', async () => {
  const etag = (await get('/main.js')).headers.get('etag') ?? '';
  expect((await get('/main.js', { 'if-none-match': etag })).status).toBe(304);
  writeFileSync(join(folder, 'page/main.js'), `${TEXT} changed`);
  const response = await get('/main.js', { 'if-none-match': etag });
  expect([response.status, await response.text()]).toEqual([200, `${TEXT} changed`]);
});

test('each coding of a file has a validator of its own, and a picture has one too', async () => {
  const etagOf = async (path: string, coding: string) =>
    (await get(path, { 'accept-encoding': coding })).headers.get('etag');
  const etags = await Promise.all(['br', 'gzip', 'identity'].map((coding) => etagOf('/main.js', coding)));
  expect(etags).not.toContain(null);
  expect(new Set(etags).size).toBe(3);
  const etag = (await etagOf('/photo.jpg', 'identity')) ?? '';
  expect((await get('/photo.jpg', { 'if-none-match': etag })).status).toBe(304);
});

test('pictures are sent uncompressed; hidden files and other folders are not served', async () => {
  expect((await get('/photo.jpg')).headers.get('content-encoding')).toBeNull();
  for (const path of ['/.hidden.js', '/..%2fsecret.html', '/%2e%2e/secret.html', '/none.js', '/none'])
    expect([path, (await get(path)).status]).toEqual([path, 404]);
});

test.each([
  ['Range', 'bytes=4000-', 416],
  ['If-Match', '"another"', 412],
  ['If-Unmodified-Since', 'Mon, 01 Jan 1990 00:00:00 GMT', 412],
])('a file of which %s cannot be met is refused by its name', async (field, value, status) => {
  const response = await get('/photo.jpg', { [field]: value });
  expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/problem+json']);
  const { errors } = (await response.json()) as { errors: object[] };
  expect(errors).toEqual([{ code: '1006', field, message: expect.any(String) }]);
  expect(response.headers.get('content-range')).toBe(status === 416 ? 'bytes */4000' : null);
  expect((await get('/photo.jpg', { range: 'bytes=1-3' })).status).toBe(206);
});
