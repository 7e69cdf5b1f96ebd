import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { startEndlessPeer } from '@assay/testing';
import { afterEach, expect, test } from '@jest/globals';
import { parseCidrs } from '../domain/target.ts';
import { createReceiver } from './receiver.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A receiver of webhooks that also records its connections. */
const aReceiver = async (answer: RequestListener) => {
  const connections: Socket[] = [];
  const server = createServer(answer).on('connection', (socket: Socket) => connections.push(socket));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`), connections };
};
const client = () => createReceiver(parseCidrs(['127.0.0.0/8']));
const body = Buffer.from('{}');

test('webhooks to one receiver are sent one after the other over one connection', async () => {
  const { url, connections } = await aReceiver((request, response) => {
    request.resume().on('end', () => response.end('thank you'));
  });
  const { send } = client();
  for (let n = 0; n < 3; n += 1) expect(await send(url, {}, body)).toMatchObject({ statusCode: 200 });
  expect(connections).toHaveLength(1);
});

test('a connection that the receiver closed meanwhile is replaced within the attempt', async () => {
  const answered = new WeakSet<Socket>();
  const { url, connections } = await aReceiver((request, response) => {
    if (answered.has(request.socket)) return request.socket.destroy();
    answered.add(request.socket);
    return request.resume().on('end', () => response.end());
  });
  const { send } = client();
  for (let n = 0; n < 3; n += 1) expect(await send(url, {}, body)).toMatchObject({ statusCode: 200 });
  expect(connections.length).toBeGreaterThan(1);
});

test('a new connection that the receiver closes is a failed attempt', async () => {
  const { url, connections } = await aReceiver(({ socket }) => socket.destroy());
  expect(await client().send(url, {}, body)).toMatchObject({ error: 'ECONNRESET' });
  expect(connections).toHaveLength(1);
});

test('an attempt says for how long the receiver asks to be left alone', async () => {
  const { url } = await aReceiver((_request, response) => response.writeHead(429, { 'retry-after': '30' }).end());
  expect(await client().send(url, {}, body)).toMatchObject({ statusCode: 429, retryAfterSeconds: 30 });
});

test('a name that no server resolves costs an attempt no more than its time', async () => {
  const { send } = createReceiver([], 50, () => new Promise(() => undefined));
  expect(await send(new URL('https://client.example/hook'), {}, body)).toMatchObject({ error: 'TIMEOUT' });
});

test('a name that resolves to an inside address at the time of the attempt gets no connection', async () => {
  const { url, connections } = await aReceiver((_request, response) => void response.end());
  const { send } = createReceiver([], 1000, async () => [
    { address: '93.184.216.34', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ]);
  expect(await send(new URL(`http://client.example:${url.port}/hook`), {}, body)).toMatchObject({ error: 'BLOCKED' });
  expect(connections).toHaveLength(0);
});

const SWITCHES = 'HTTP/1.1 101 Switching Protocols\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\n\r\n';
const TWICE = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\nHTTP/1.1 500 no\r\n\r\n';
test.each([
  ['switches the protocol', `${SWITCHES}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`, { error: 'UPGRADE' }],
  ['switches to none', `${SWITCHES}\r\n`, { statusCode: 101 }],
  ['only announces an answer', 'HTTP/1.1 100 Continue\r\n\r\n', { error: 'TIMEOUT' }],
  ['announces an answer a thousand times', `${HINTS.repeat(1000)}HTTP/1.1 200 OK\r\n\r\n`, { error: 'INTERIM' }],
  ['announces an answer a few times', `${HINTS.repeat(16)}${TWICE}`, { statusCode: 200 }],
  ['answers with no HTTP', 'hello\r\n\r\n', { error: 'HPE_INVALID_CONSTANT' }],
  ['answers twice', TWICE, { statusCode: 200 }],
])('a receiver that %s costs an attempt no more than its time', async (_what, answer, outcome) => {
  const { send } = createReceiver(parseCidrs(['127.0.0.0/8']), 500);
  const { port, close } = await startEndlessPeer({ answer });
  expect(await send(new URL(`http://127.0.0.1:${port}/hook`), {}, body)).toMatchObject(outcome);
  close();
});

test('a reply in very many pieces is read no further: only its status matters', async () => {
  const { url, connections } = await aReceiver((request, response) => {
    response.writeHead(200).flushHeaders();
    // Chunks of a byte, and no end.
    request.socket.write('1\r\nx\r\n'.repeat(2000));
  });
  const { statusCode, durationMs } = await client().send(url, {}, body);
  expect(statusCode).toBe(200);
  expect(durationMs).toBeLessThan(8000);
  expect(connections).toHaveLength(1);
});
