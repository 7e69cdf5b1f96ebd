import type { createConnection } from 'node:net';
import { quietLog, startProxy, testStack, waitFor } from '@assay/testing';
import { expect, test } from '@jest/globals';
import { connectMongo } from './index.ts';

const { mongoUrl, database: nameOf } = testStack();

/** This process's sockets to a port. */
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
  // Gone already, and not yet known to be: what a cut leaves for a moment.
  for (const socket of sockets) socket.destroy();
  await expect(ping()).rejects.toThrow(/closed|cleared/);
  await waitFor('a connection', () => ping().then(Boolean, () => false), 15_000);
  await database.close();
  await proxy.close();
});

test('a server that goes silent is not waited for without end', async () => {
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
