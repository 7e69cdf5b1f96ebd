import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createAssayClient } from './client.ts';

interface Heard {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  bytes: number;
}
type Answer = { status: number; body?: unknown; headers?: Record<string, string> } | 'HANG' | 'RESET';

let server: Server;
let heard: Heard[];
let answers: Answer[];
const client = (more: object = {}) => {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return createAssayClient({ baseUrl, apiKey: 'a key', ...more });
};
beforeEach(async () => {
  heard = [];
  answers = [];
  server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    heard.push({ method, url, headers, bytes: (await buffer(request)).length });
    const answer = answers.shift() ?? { status: 200, body: { id: 'i' } };
    if (answer === 'HANG') return;
    if (answer === 'RESET') return request.socket.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(JSON.stringify(answer.body === undefined ? {} : answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const busy = { status: 503, headers: { 'retry-after': '0' } };

describe('a call', () => {
  test('is repeated after a passing failure, a POST under one Idempotency-Key', async () => {
    answers = [busy, 'RESET', { status: 409, body: { errors: [{ code: '4091' }] }, headers: { 'retry-after': '0' } }];
    expect(await client().createIdentity()).toEqual({ id: 'i' });
    expect(heard).toHaveLength(4);
    expect(new Set(heard.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(heard[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('is not repeated after a refusal, nor beyond its retries', async () => {
    const errors = [{ code: '4040', message: 'Not found' }];
    answers = [{ status: 404, body: { errors, requestId: 'r-1' } }];
    await expect(client().identity('x')).rejects.toMatchObject({ status: 404, errors, requestId: 'r-1' });
    answers = [busy, busy, busy];
    await expect(client({ retries: 1 }).identity('x')).rejects.toMatchObject({ status: 503, retryAfterSeconds: 0 });
    expect(heard).toHaveLength(3);
  });

  test('that deletes is not repeated when its answer is lost', async () => {
    answers = ['RESET'];
    await expect(client().deleteIdentity('x')).rejects.toMatchObject({ name: 'AssayUnreachable', code: 'ECONNRESET' });
    expect(heard).toHaveLength(1);
  });

  test('ends after its time limit and by an abort', async () => {
    answers = ['HANG'];
    const short = { retries: 0, timeoutMs: 50 };
    await expect(client().identity('x', short)).rejects.toMatchObject({ code: 'ECONNABORTED' });
    answers = ['HANG'];
    const abort = new AbortController();
    const call = client().identity('x', { signal: abort.signal });
    abort.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
  });

  test('fills in its path, and reports the progress of an upload', async () => {
    const sent: number[] = [];
    const front = new Uint8Array(300_000);
    await client().submitDocument('a/b', { front }, { onUploadProgress: ({ sent: bytes }) => sent.push(bytes) });
    expect(heard[0]).toMatchObject({ method: 'POST', url: '/svc/v1/identities/a%2Fb/id-documents/capture' });
    expect(sent.at(-1)).toBe(heard[0]?.bytes);
  });

  test.each(['', '.', '..'])('is not made with the id "%s", which would lead to another path', async (id) => {
    await expect(client().deleteEvidence('identity', id)).rejects.toThrow('must be an id');
    expect(heard).toEqual([]);
  });
});

test.each(['', '   ', 'assay.example', '/svc', 'ftp://assay.example', 'https://'])(
  'a client with the address %j is refused at once, and the error names the address',
  (baseUrl) => {
    expect(() => client({ baseUrl })).toThrow('baseUrl must be an address');
    expect(heard).toEqual([]);
  },
);

test.each([[['a']], ['away'], [null], [{ errors: 'none' }], [{ errors: [null, 'x'], requestId: 7 }]])(
  'a refusal in the form of a proxy is a refusal all the same: %j',
  async (body) => {
    answers = [
      { status: 400, body },
      { status: 403, body },
    ];
    await expect(client().identity('x')).rejects.toMatchObject({ name: 'AssayRefusal', status: 400, errors: [] });
    await expect(client().proof('x')).rejects.toMatchObject({ name: 'AssayRefusal', status: 403, errors: [] });
  },
);

test.each([[{}], [[]], [null], ['a page'], [{ globalStatus: null, singleStatuses: null }]])(
  'an answer of another program is no answer, and is asked for once: %j',
  async (body) => {
    answers = [{ status: 200, body }];
    const noSuite = { name: 'AssayUnreachable', code: 'NO_SUITE' };
    await expect(client().identityStatus('x')).rejects.toMatchObject(noSuite);
    expect(heard).toHaveLength(1);
    answers = [{ status: 200, body: { consents: [] } }];
    await expect(client().submitConsents('x', [])).rejects.toMatchObject(noSuite);
  },
);

test('a wait that ends by its time limit reports the last state', async () => {
  answers = Array.from({ length: 50 }, () => ({ status: 200, body: { status: 'PROCESSING' } }));
  const waiting = client().waitForEvidence('i', 'e', { patienceMs: 60 });
  await expect(waiting).rejects.toMatchObject({ name: 'AssayTimeout', last: { status: 'PROCESSING' } });
});
