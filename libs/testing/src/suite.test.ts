import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { apiWith, newIdentity } from './suite.ts';

/* What a story says that waits for an evidence in vain. */
let server: Server;
let baseUrl: string;
beforeAll(async () => {
  server = createServer(({ url = '', method }, response) => {
    const isRefused = url.endsWith('/id-documents');
    response.writeHead(isRefused ? 503 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isRefused ? { code: 1503 } : { id: 'one', status: 'PROCESSING', method }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('a submission that was refused is named at once, by what it was answered', async () => {
  const identity = await newIdentity(apiWith(baseUrl, 'any'));
  const { body } = await identity.text({});
  await expect(identity.becomes(body.id, 'VERIFIED')).rejects.toThrow('no evidence to wait for: 503 {"code":1503}');
});

test('a status that does not come is told by the last answer', async () => {
  const identity = await newIdentity(apiWith(baseUrl, 'any'));
  await expect(identity.stable('two', 20)).rejects.toThrow(
    /waited 20 ms for evidence two to be stable; the last answer: 200 .*PROCESSING/,
  );
});
