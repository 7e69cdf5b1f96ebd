import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { boundedFetch } from './bounded-fetch.ts';

let server: Server;
let url: string;
let sent = 0;
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/nothing') return void response.writeHead(204).end();
    if (request.url === '/small') return void response.setHeader('x-kind', 'small').end('{"a":1}');
    const piece = Buffer.alloc(64 * 1024, 0x20);
    const more = (): void => {
      while (!response.destroyed && response.write(piece)) sent += piece.length;
    };
    response.on('drain', more).on('error', () => undefined);
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close().closeAllConnections();
});

test('an answer has the bytes that were sent, and may have no body', async () => {
  const small = await boundedFetch(`${url}/small`, {});
  expect([small.status, small.headers.get('x-kind'), await small.json()]).toEqual([200, 'small', { a: 1 }]);
  expect((await boundedFetch(`${url}/nothing`, {})).status).toBe(204);
});

test('an endless answer is abandoned after a megabyte', async () => {
  await expect(boundedFetch(`${url}/endless`, {})).rejects.toMatchObject({ code: 'ANSWER_TOO_LARGE' });
  expect(sent).toBeLessThan(64 * 1024 * 1024);
});
