import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as soon } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import express, { type Response } from 'express';
import { flushed } from './flushed.ts';

const PIECE = Buffer.alloc(8192);
/** A process that is kept busy looks in each of its turns. */
const TURNS = 2000;

let end: () => void = () => undefined;
afterEach(() => end());

/** An answer to a client that reads nothing, some bytes of which its connection did not take. */
const stalled = async (): Promise<{ response: Response; client: Socket; looks: () => number }> => {
  const app = express();
  const answering = new Promise<Response>((resolve) => app.get('/', (_request, response) => resolve(response)));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  end = () => {
    client.destroy();
    server.close();
  };
  client.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n');
  const response = await answering;
  const socket = response.socket!;
  let looked = 0;
  while (socket.writableLength === 0) {
    response.write(PIECE);
    await soon();
  }
  const length = Object.getOwnPropertyDescriptor(
    Object.getPrototypeOf(Object.getPrototypeOf(socket)),
    'writableLength',
  );
  Object.defineProperty(socket, 'writableLength', {
    get: () => {
      looked += 1;
      return length?.get?.call(socket) ?? 0;
    },
  });
  return { response, client, looks: () => looked };
};

test('waits for a client that stopped reading without keeping the process busy', async () => {
  const { response, client, looks } = await stalled();
  const waiting = flushed(response);
  for (let turn = 0; turn < TURNS; turn += 1) await soon();
  expect(looks()).toBeGreaterThan(0);
  expect(looks()).toBeLessThan(TURNS / 10);
  client.resume();
  await waiting;
});

test('rejects where the client goes away instead', async () => {
  const { response, client } = await stalled();
  const waiting = flushed(response);
  client.destroy();
  await expect(waiting).rejects.toThrow('the client went away');
});
