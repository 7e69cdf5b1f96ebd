import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { quietLog } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApp, jsonBody, type Listening, listen, ok, reply } from './index.ts';

/** Releases the handler that waits. */
let readNow: () => void;
let server: Listening;
const app = createApp({
  service: 'test',
  log: quietLog,
  routes: (routes) => {
    routes.post(
      '/json',
      jsonBody(),
      reply(() => ok({})),
    );
    routes.post(
      '/held',
      reply(async (request) => {
        request.pause();
        await new Promise<void>((resolve) => {
          readNow = resolve;
        });
        return ok({ bytes: (await buffer(request)).length });
      }),
    );
  },
});
beforeAll(async () => {
  server = await listen(app, { port: 0, slowest: { bytes: 40, inMs: 150 } });
});
afterAll(() => server.close());

/** Sends a head and a body. Returns the connection, and the status once it was closed. */
const sender = (path: string, length: number) => {
  const socket = connect(server.port, '127.0.0.1');
  let answer = '';
  socket
    .on('error', () => undefined)
    .on('data', (bytes: Buffer) => {
      answer += bytes;
    });
  const lines = ['Host: test', 'Connection: close', 'Content-Type: application/json', `Content-Length: ${length}`];
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  const ended = new Promise<string>((resolve) => {
    socket.once('close', () => resolve(answer));
  });
  return { socket, ended };
};
const status = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);

describe('a body', () => {
  test('that stops is answered with 408 and its code, and the connection is cut', async () => {
    const { socket, ended } = sender('/json', 100);
    socket.write('{"a":');
    const answer = await ended;
    expect(status(answer)).toBe(408);
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({ errors: [{ code: '4080' }] });
  });

  test('that never begins is answered so, too', async () => {
    expect(status(await sender('/json', 100).ended)).toBe(408);
  });

  test('that comes too slowly is answered so, too, however regularly', async () => {
    const { socket, ended } = sender('/json', 5000);
    const trickle = setInterval(() => socket.write(' '), 20);
    expect(status(await ended)).toBe(408);
    clearInterval(trickle);
  });

  test('that comes fast enough is accepted, however long it takes', async () => {
    const { socket, ended } = sender('/json', 2000);
    const text = JSON.stringify({ a: 'x'.repeat(1992) });
    let at = 0;
    const steady = setInterval(() => {
      socket.write(text.slice(at, at + 50));
      at += 50;
      if (at >= text.length) clearInterval(steady);
    }, 20);
    expect(status(await ended)).toBe(200);
  });

  test('that the server does not read does not count as slow', async () => {
    const { socket, ended } = sender('/held', 1_000_000);
    socket.write(Buffer.alloc(500_000));
    const early = await Promise.race([ended, new Promise<string>((resolve) => setTimeout(resolve, 800, 'held'))]);
    expect(early).toBe('held');
    readNow();
    socket.write(Buffer.alloc(500_000));
    expect(status(await ended)).toBe(200);
  });
});
