import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createAdmin } from './admin.ts';

let server: Server;
beforeAll(async () => {
  server = await createAdmin().listen(0, '127.0.0.1');
});
afterAll(async () => {
  server.closeAllConnections();
  await once(server.close(), 'close');
});

const send = (text: string) => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined).write(text);
  return socket;
};
const get = (path: string, lines = 'Connection: close\r\n') =>
  buffer(send(`GET ${path} HTTP/1.1\r\nHost: a\r\n${lines}\r\n`)).then(String);

test.each(['//', '///x', 'http://[', 'http://a:99999/', '*', '/%', '//health/live', '/\\'])(
  'the address %s is not found, and ends no process',
  async (path) => {
    expect(await get(path)).toMatch(/^HTTP\/1.1 404 /);
    expect(await get('/health/live?a=b')).toMatch(/^HTTP\/1.1 200 .*UP/s);
  },
);

test('this port refuses requests that would change something', async () => {
  const answer = await buffer(send('POST /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'));
  expect(String(answer)).toMatch(/^HTTP\/1.1 405 .*allow: GET, HEAD/s);
});

test('an unfinished body or head does not hold a connection', async () => {
  expect(await get('/health/live', 'Content-Length: 100000\r\n')).toMatch(/^HTTP\/1.1 200 /);
  expect(await get('/health/live', 'Transfer-Encoding: chunked\r\n')).toMatch(/^HTTP\/1.1 200 /);
  expect([server.headersTimeout, server.requestTimeout]).toEqual([10_000, 10_000]);
});
