import { once } from 'node:events';
import { connect } from 'node:net';
import { quietLog } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApp, jsonBody, type Listening, listen, ok, reply } from './index.ts';

/** Pieces in which the latest body came. */
let pieces: Buffer[] = [];
let server: Listening;
const app = createApp({
  service: 'test',
  log: quietLog,
  routes: (routes) => {
    routes.post(
      '/json',
      jsonBody(),
      reply((request) => ok(request.body)),
    );
    routes.post(
      '/pieces',
      reply(async (request) => {
        pieces = [];
        for await (const piece of request) pieces.push(piece as Buffer);
        return ok({});
      }),
    );
  },
});
beforeAll(async () => {
  server = await listen(app, { port: 0 });
});
afterAll(() => server.close());

const HEAD = 'Host: test\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked';

/** The body in chunks of so many bytes. */
const inChunks = (body: Buffer, size: number): Buffer => {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) {
    const part = body.subarray(at, at + size);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
};

const send = async (path: string, body: Buffer): Promise<{ status: number; content: string }> => {
  const socket = connect(server.port, '127.0.0.1');
  let answer = '';
  socket.on('error', () => undefined).on('data', (bytes: Buffer) => (answer += bytes.toString()));
  socket.write(Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${HEAD}\r\n\r\n`), body]));
  await once(socket, 'close');
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]), content: answer.split('\r\n\r\n')[1] ?? '' };
};

describe('a body in small chunks', () => {
  test('is read as it was sent, in few pieces', async () => {
    const body = Buffer.from(Array.from({ length: 4000 }, (_, at) => at % 251));
    expect(await send('/pieces', inChunks(body, 1))).toMatchObject({ status: 200 });
    expect(Buffer.concat(pieces)).toEqual(body);
    expect(pieces.length).toBeLessThan(50);
  });

  test('is JSON as any other', async () => {
    const said = { name: 'ŻÓŁĆ', numbers: Array.from({ length: 300 }, (_, at) => at) };
    const { status, content } = await send('/json', inChunks(Buffer.from(JSON.stringify(said)), 1));
    expect({ status, said: JSON.parse(content) }).toEqual({ status: 200, said });
  });

  test('keeps its order between small chunks and large ones', async () => {
    const parts = [10, 5000, 1, 1, 70_000, 3, 20_000, 2].map((size, at) => Buffer.alloc(size, 65 + at));
    const body = Buffer.concat(parts.map((part) => inChunks(part, part.length).subarray(0, -5)));
    await send('/pieces', Buffer.concat([body, Buffer.from('0\r\n\r\n')]));
    expect(Buffer.concat(pieces)).toEqual(Buffer.concat(parts));
  });

  test('is refused where there are too many of them, and the connection is cut', async () => {
    const { status, content } = await send('/json', inChunks(Buffer.alloc(60_000, 32), 1));
    expect(status).toBe(400);
    expect(JSON.parse(content)).toMatchObject({
      errors: [{ code: '1006', message: 'the body is sent in too many small chunks' }],
    });
  });

  test('may have any number that are not that small', async () => {
    const body = Buffer.alloc(400_000, 97);
    expect(await send('/pieces', inChunks(body, 40))).toMatchObject({ status: 200 });
    expect(Buffer.concat(pieces)).toHaveLength(400_000);
  });
});
