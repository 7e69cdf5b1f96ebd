import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { parseCidrs } from '../domain/target.ts';
import { createReceiver } from './receiver.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A receiver of webhooks that also tells by which connections they came. */
const aReceiver = async (answer: RequestListener) => {
  const connections: Socket[] = [];
  const server = createServer(answer).on('connection', (socket: Socket) => connections.push(socket));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`), connections };
};
const client = () => createReceiver(parseCidrs(['127.0.0.0/8']));
const body = Buffer.from('{}');

test('webhooks to one receiver go one after the other over one connection', async () => {
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
