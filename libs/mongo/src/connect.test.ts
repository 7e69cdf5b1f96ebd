import type { createConnection } from 'node:net';
import { quietLog, startProxy, testStack, waitFor } from '@assay/testing';
import { expect, test } from '@jest/globals';
import { connectMongo } from './index.ts';

const { mongoUrl, database: nameOf } = testStack();

/** The sockets of this process to a port. */
const socketsTo = (port: number) =>
  (process as unknown as { _getActiveHandles(): ReturnType<typeof createConnection>[] })
    ._getActiveHandles()
    .filter(({ remotePort }) => remotePort === port);

test('a command on a connection that is just closing fails, and the next ones find another', async () => {
  const proxy = await startProxy(mongoUrl);
  const database = await connectMongo(proxy.through(mongoUrl), nameOf('closing'), quietLog);
  const ping = () => database.connection.db!.command({ ping: 1 });
  await ping();
  const sockets = socketsTo(proxy.port);
  expect(sockets.length).toBeGreaterThan(1);
  // The sockets are closed, and the driver does not know it yet, as for a moment after a cut.
  for (const socket of sockets) socket.destroy();
  await expect(ping()).rejects.toThrow(/closed|cleared/);
  await waitFor('a connection', () => ping().then(Boolean, () => false), 15_000);
  await database.close();
  await proxy.close();
});

test('the wait for a silent server ends', async () => {
  const proxy = await startProxy(mongoUrl);
  const database = await connectMongo(proxy.through(mongoUrl), nameOf('silent'), quietLog, 300);
  const ping = () => database.connection.db!.command({ ping: 1 });
  await ping();
  proxy.swallow();
  await expect(ping()).rejects.toThrow('timed out');
  proxy.release();
  await waitFor('an answer', () => ping().then(Boolean, () => false), 15_000);
  await database.close();
  await proxy.close();
});

test.each([
  ['mongodb://', 'Protocol and host list are required'],
  ['mongodb://assay:pass/word@db:27017/', 'Password contains unescaped characters'],
  ['mongodb://db:port/', 'Unable to parse'],
  ['mongodb://db/?tls=maybe', 'tls'],
  ['mongodb://db/?replicaSet=', 'URI option "replicaSet"'],
])('the address %s is refused by its variable', async (url, why) => {
  const named = `configuration: MONGO_URL is no address of MongoDB: ${why}`;
  await expect(connectMongo(url, nameOf('address'), quietLog)).rejects.toThrow(named);
});
