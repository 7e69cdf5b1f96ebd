import { createSecretKey, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as soon } from 'node:timers/promises';
import { ConsentsRequestSchema, ERRORS } from '@assay/contracts';
import { metricsText } from '@assay/runtime';
import { ENDLESS_PEERS, quietLog, startEndlessPeer, testKeys, waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import jwt from 'jsonwebtoken';
import request from 'supertest';
import { Type } from 'typebox';
import {
  ApiError,
  claimsOf,
  createApp,
  createInternalClient,
  jsonBody,
  type Listening,
  listen,
  methodNotAllowed,
  ok,
  parseBody,
  problemOf,
  reply,
  requireToken,
  SERVICE_NAMES,
  securityHeaders,
  signToken,
} from './index.ts';

const keys = testKeys('evidence-intake');
const app = createApp({
  service: 'test',
  log: quietLog,
  routes: (routes) => {
    routes.post(
      '/consents',
      jsonBody({ limit: 1000 }),
      reply((req) => ok(parseBody(ConsentsRequestSchema, req.body))),
    );
    routes.all('/consents', methodNotAllowed('POST'));
    routes.get(
      '/broken',
      reply(() => Promise.reject(new Error('surname SPECIMEN'))),
    );
    routes.get(
      '/step-down',
      reply(() => Promise.reject(Object.assign(new Error('not primary'), { name: 'MongoServerError', code: 10107 }))),
    );
    routes.get(
      '/failed-storage',
      reply(() => Promise.reject(Object.assign(new Error('5: I/O error'), { name: 'MongoServerError', code: 8 }))),
    );
    routes.get(
      '/internal',
      requireToken(keys, ['gateway']),
      reply((req) => ok(claimsOf(req))),
    );
    routes.post(
      '/internal',
      requireToken(keys, ['gateway']),
      reply(() => Promise.reject(new ApiError('SIDE_MISSING', { field: 'DocumentFront' }))),
    );
    for (const error of ['IMAGE_TOO_LARGE', 'TOO_MANY_PIXELS'] as const)
      routes.post(
        `/${error}`,
        reply(() => Promise.reject(new ApiError(error, { field: 'DocumentBack' }))),
      );
    routes.post(
      '/half',
      reply(async (req) => {
        req.pipe(new PassThrough());
        throw new ApiError('UNAVAILABLE');
      }),
    );
    routes.get(
      '/stream',
      requireToken(keys, ['gateway']),
      reply(() => ({ status: 200, stream: Readable.from(['a', 'b']) })),
    );
  },
});
const post = (body: string | Buffer, type = 'application/json') =>
  request(app).post('/consents').set('content-type', type).send(body);

test('a body has only the members that its schema names, so that spreading it overwrites nothing', () => {
  const named = Type.Object({ decision: Type.String(), reasons: Type.Optional(Type.Array(Type.String())) });
  const sent = { decision: 'ACCEPT', operatorId: 'another', __proto__: { reasons: [] }, toString: 'x' };
  expect(parseBody(named, sent)).toEqual({ decision: 'ACCEPT' });
  const open = Type.Record(Type.String(), Type.String());
  expect(parseBody(open, { a: 'b' })).toEqual({ a: 'b' });
  expect(parseBody(Type.Array(named), [sent])).toHaveLength(1);
});

describe('an application', () => {
  test('answers every refusal as problem+json with a numeric code', async () => {
    const missing = await request(app).get('/nowhere');
    expect(missing.status).toBe(404);
    expect(missing.headers['content-type']).toBe('application/problem+json');
    expect(missing.body.errors[0].code).toBe('4040');
    const method = await request(app).put('/consents');
    expect([method.status, method.headers.allow]).toEqual([405, 'POST']);
  });

  test('measures a route under one name, however a client spells its mount point, and only a bounded number of routes', async () => {
    const files = createApp({
      service: 'test',
      log: quietLog,
      routes: (routes) => {
        routes.use('/Specimens', (_request, response) => void response.end());
        // A deliberate mistake: a mount point that includes text from the client.
        routes.use('/any/:name', (_request, response) => void response.end());
      },
    });
    const served = await listen(files, { port: 0 });
    const ask = (path: string) => fetch(`http://127.0.0.1:${served.port}${path}`).then((reply) => reply.text());
    for (const path of ['/specimens', '/SPECIMENS', '/sPeCiMeNs']) await ask(path);
    for (let nth = 0; nth < 1200; nth += 1) await ask(`/any/${nth}`);
    await served.close();
    const labels = new Set([...(await metricsText()).matchAll(/route="([^"]*)"/g)].map(([, route]) => route));
    expect([...labels].filter((label) => label?.toLowerCase() === '/specimens')).toEqual(['/specimens']);
    expect(labels.size).toBeLessThanOrEqual(1001);
    expect(labels).toContain('other');
  });

  test('reads the rest of a body that it refused, so that a client that writes first can read the answer', async () => {
    const served = await listen(app, { port: 0 });
    const size = 8 * 1024 * 1024;
    const socket = connect(served.port, '127.0.0.1');
    const head = `POST /half HTTP/1.1\r\nHost: test\r\nContent-Length: ${size}\r\n\r\n`;
    await new Promise<void>((written) =>
      socket.write(Buffer.concat([Buffer.from(head), Buffer.alloc(size)]), () => written()),
    );
    const [answer] = await once(socket, 'data');
    socket.destroy();
    await served.close();
    expect(String(answer)).toMatch(/^HTTP\/1.1 503 /);
  });

  test.each([
    ['no HTTP', 'GARBAGE\r\n\r\n', 400, '1006'],
    ['headers without end', `GET /broken HTTP/1.1\r\nHost: test\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`, 431, '1006'],
    [
      'a length and chunks',
      'POST /consents HTTP/1.1\r\nHost: test\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      '1006',
    ],
  ])('answers %s, which never becomes a request, as problem+json', async (_, bytes, status, code) => {
    const served = await listen(app, { port: 0 });
    const socket = connect(served.port, '127.0.0.1', () => socket.write(bytes));
    const answer = (await buffer(socket)).toString();
    await served.close();
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*\r\nContent-Type: application/problem\\+json\r\n`));
    expect(JSON.parse(body)).toMatchObject({ status, errors: [{ code }] });
  });

  test('cuts the connection of a client that stopped reading, and of no other', async () => {
    const cut: string[] = [];
    const large = createApp({
      service: 'test',
      log: quietLog,
      routes: (routes) => {
        routes.get('/large/:reader', (req, response) => {
          response.on('close', () => cut.push(`${req.params.reader} ${response.writableFinished}`));
          Readable.from(Array.from({ length: 400 }, () => Buffer.alloc(100_000))).pipe(response);
        });
      },
    });
    const served = await listen(large, { port: 0, stalledMs: 300 });
    const reads = (reader: string) => {
      const socket = connect(served.port, '127.0.0.1');
      socket.write(`GET /large/${reader} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      return socket.on('error', () => undefined);
    };
    const stalled = reads('stalled').pause();
    expect((await buffer(reads('steady'))).length).toBeGreaterThan(40_000_000);
    await waitFor('both', () => cut.length === 2);
    expect(cut).toEqual(expect.arrayContaining(['steady true', 'stalled false']));
    stalled.destroy();
    await served.close();
  });

  test('begins few of the pipelined requests on one connection, and cuts it', async () => {
    let begun = 0;
    const slow = createApp({
      service: 'test',
      log: quietLog,
      routes: (routes) => {
        routes.get('/slow', () => {
          begun += 1;
        });
        routes.get(
          '/quick',
          reply(() => ok({})),
        );
      },
    });
    const served = await listen(slow, { port: 0 });
    const answers = async (path: string, requests: number): Promise<number> => {
      const socket = connect(served.port, '127.0.0.1').on('error', () => undefined);
      const one = `GET ${path} HTTP/1.1\r\nHost: a\r\n`;
      socket.write(`${`${one}\r\n`.repeat(requests - 1)}${one}Connection: close\r\n\r\n`);
      return (String(await buffer(socket).catch(() => '')).match(/HTTP\/1.1 200/g) ?? []).length;
    };
    expect(await answers('/slow', 1500)).toBe(0);
    expect(begun).toBe(32);
    expect(await answers('/quick', 30)).toBe(30);
    // Any number of requests may come one after another on one connection.
    let connections = 0;
    served.server.on('connection', () => {
      connections += 1;
    });
    for (let sent = 0; sent < 50; sent += 1)
      await fetch(`http://127.0.0.1:${served.port}/quick`).then((answer) => answer.text());
    expect(connections).toBeLessThan(4);
    await served.close();
  });

  test.each([
    ['breaks', 'resetAndDestroy', 60_000],
    ['was ended by a client that may still read, and stays without an answer', 'end', 200],
  ] as const)('frees the places of pipelined requests when their connection %s', async (_, end, stalledMs) => {
    const closed: boolean[] = [];
    let begun = 0;
    const slow = createApp({
      service: 'test',
      log: quietLog,
      routes: (routes) => {
        routes.get('/slow', (_request, response) => {
          begun += 1;
          response.on('close', () => closed.push(response.closed));
        });
      },
    });
    const served = await listen(slow, { port: 0, stalledMs });
    const socket = connect(served.port, '127.0.0.1').on('error', () => undefined);
    socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20));
    await waitFor('all to begin', () => begun === 20);
    socket[end]();
    await waitFor('all to close', () => closed.length >= 20);
    await served.close();
    expect(closed).toEqual(Array(20).fill(true));
  });

  describe('checks the head of a request itself', () => {
    const answerTo = async (...lines: string[]): Promise<string> => {
      const served = await listen(app, { port: 0 });
      const socket = connect(served.port, '127.0.0.1');
      socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
      const answer = await buffer(socket);
      await served.close();
      return String(answer);
    };
    const thousands = Array.from({ length: 2000 }, () => 'a:');
    const refused = /^HTTP\/1.1 400 .*application\/problem\+json.*"field":"Host"/s;

    test.each([
      ['two hosts, of which a proxy may have looked at the other', ['Host: a', 'host: b'], refused],
      ['a second host behind thousands of headers', ['Host: a', ...thousands, 'host: b'], refused],
      ['no host', [], refused],
      ...[
        '[',
        '[::1',
        'a b',
        'a/b',
        'a@b',
        'a:99999',
        '%',
        'a\\b',
        '<script>',
        'ÿ',
        '',
        '[::1]:8:9',
        'a'.repeat(300),
      ].map((host): [string, string[], RegExp] => [
        `the host ${host.slice(0, 20)}, which is invalid`,
        [`Host: ${host}`],
        refused,
      ]),
      ...['a_b.example', '127.0.0.1:80', '[::1]:8080', 'xn--bcher-kva.example.'].map(
        (host): [string, string[], RegExp] => [`the host ${host}`, [`Host: ${host}`], /^HTTP\/1.1 405 /],
      ),
      ['an unknown expectation', ['Host: a', 'Expect: the-unexpected'], /^HTTP\/1.1 405 /],
    ])('%s', async (_what, lines, expected) =>
      expect(await answerTo('GET /consents HTTP/1.1', ...lines)).toMatch(expected),
    );

    test('CONNECT, which makes a proxy of a server', async () => {
      const answer = await answerTo('CONNECT example.org:443 HTTP/1.1', 'Host: example.org:443');
      expect(answer).toMatch(/^HTTP\/1.1 405 Method Not Allowed\r\n.*\nAllow: \r\n.*"code":"4050"/s);
    });

    test('no host, before HTTP/1.1', async () =>
      expect(await answerTo('GET /consents HTTP/1.0')).toMatch(/^HTTP\/1.1 405 /));
  });

  test.each([
    ['a request', 'Content-Length: 2\r\n\r\n[]', /^HTTP\/1.1 400 .*must not be empty/s],
    ['a part of one', 'Content-Length: 9\r\n\r\n[]', /^(?:HTTP\/1.1 400 .*)?$/s],
  ])('answers a client that ends its side of the connection behind %s', async (_, rest, expected) => {
    const served = await listen(app, { port: 0 });
    const socket = connect({ port: served.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.end(`POST /consents HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${rest}`);
    // It ends as soon as the reply was sent, although the client did not ask for that.
    expect(String(await buffer(socket))).toMatch(expected);
    await served.close();
  });

  test('counts no failure when a client leaves before its body was read', async () => {
    const lines: unknown[] = [];
    const note = (line: unknown): void => void lines.push(line);
    const left = createApp({
      service: 'test',
      log: { ...quietLog, error: note, info: note },
      routes: (routes) => {
        routes.post(
          '/slow',
          (req, _response, next) => void req.once('close', () => next()),
          jsonBody(),
          reply(() => ok({})),
        );
      },
    });
    const served = await listen(left, { port: 0 });
    const socket = connect(served.port, '127.0.0.1');
    socket.write('POST /slow HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{');
    await once(served.server, 'request');
    socket.destroy();
    await waitFor('its line', () => lines.length > 0);
    await served.close();
    expect(lines).toEqual([expect.objectContaining({ msg: 'request.handled', status: 499 })]);
  });

  test('closes despite an open connection without a request', async () => {
    const served = await listen(app, { port: 0 });
    const socket = connect(served.port, '127.0.0.1');
    await once(served.server, 'connection');
    await Promise.all([once(socket.resume(), 'close'), served.close()]);
  });

  test.each([
    ['http', false],
    ['https', true],
  ])('requested over %s, makes browsers use TLS: %s', async (proto, isSent) => {
    const behind = createApp({
      service: 'test',
      log: quietLog,
      trustProxy: ['loopback'],
      routes: (routes) => {
        routes.get(
          '/page',
          securityHeaders({ imgSrc: ["'self'", 'blob:'] }),
          reply(() => ok({})),
        );
      },
    });
    for (const path of ['/page', '/nowhere']) {
      const { headers } = await request(behind).get(path).set('x-forwarded-proto', proto);
      expect(headers['strict-transport-security'] !== undefined).toBe(isSent);
      expect(headers['content-security-policy']?.includes('upgrade-insecure-requests')).toBe(isSent);
      expect(headers['content-security-policy']).toContain("default-src 'self'");
    }
  });

  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:51234', '203.0.113.9'],
    ['198.51.100.1, 203.0.113.9:51234,10.0.0.5:4711', '203.0.113.9'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1:443', '2001:db8::1:443'],
    ['a word:80', 'a word:80'],
  ])('of a request forwarded for %s, the client is %s', async (named, client) => {
    const behind = createApp({
      service: 'test',
      log: quietLog,
      trustProxy: ['loopback', '10.0.0.0/8'],
      routes: (routes) => {
        routes.get(
          '/client',
          reply(({ ip }) => ok({ ip })),
        );
      },
    });
    const { body } = await request(behind).get('/client').set('x-forwarded-for', named);
    expect(body).toEqual({ ip: client });
  });

  test('answers on an open connection while it closes, and announces that the connection ends', async () => {
    const served = await listen(app, { port: 0 });
    const connection = connect(served.port);
    const ask = async (): Promise<string> => {
      connection.write('GET /nowhere HTTP/1.1\r\nhost: test\r\n\r\n');
      const [answer] = await Promise.race([once(connection, 'data'), once(connection, 'close')]);
      return String(answer);
    };
    expect(await ask()).toMatch(/^connection: keep-alive/im);
    const closing = served.close();
    expect(await ask()).toMatch(/^connection: close/im);
    await closing;
  });

  test('announces that a connection ends as soon as the process is to stop, and still takes others', async () => {
    const stopping = new AbortController();
    const served = await listen(app, { port: 0, stopping: stopping.signal });
    const answerOn = async (client: Socket): Promise<string> => {
      client.write('GET /nowhere HTTP/1.1\r\nhost: test\r\n\r\n');
      return String((await once(client, 'data'))[0]);
    };
    const connection = connect(served.port);
    expect(await answerOn(connection)).toMatch(/^connection: keep-alive/im);
    stopping.abort();
    expect(await answerOn(connection)).toMatch(/^connection: close/im);
    expect(await answerOn(connect(served.port))).toMatch(/^connection: close/im);
    await served.close();
  });

  test('answers a request that arrived just before it closes the connections left over', async () => {
    const served = await listen(app, { port: 0 });
    const connection = connect(served.port);
    connection.write('GET /nowhere HTTP/1.1\r\nhost: test\r\n\r\n');
    await once(connection, 'data');
    const closing = served.close();
    await soon();
    connection.write('GET /nowhere HTTP/1.1\r\nhost: test\r\n\r\n');
    const answer = Promise.race([once(connection, 'data'), once(connection, 'close')]);
    // So busy that the time to close them has come when the process looks again.
    const until = performance.now() + 400;
    while (performance.now() < until);
    expect(String((await answer)[0])).toMatch(/^connection: close/im);
    await closing;
  });

  test('never reveals internal errors', async () => {
    const broken = await request(app).get('/broken');
    expect(broken.status).toBe(500);
    expect(JSON.stringify(broken.body)).not.toContain('SPECIMEN');
  });

  test.each([
    ['a truncated body', '{"a":', 'application/json', 400],
    ['an empty body', '', 'application/json', 400],
    ['a scalar', '1', 'application/json', 400],
    ['another content type', '[]', 'text/plain', 415],
    ['another charset', '[]', 'application/json; charset=utf-16', 415],
    ['a body over the limit', `[${' '.repeat(2000)}]`, 'application/json', 413],
  ])('refuses %s', async (_what, body, type, status) => {
    expect((await post(body, type)).status).toBe(status);
  });

  test.each([
    'application/json;charset=UTF8',
    'application/json; charset="us-ascii"',
    'application/json; odata.metadata=minimal; charset=utf-8',
    'application/vnd.shop+json; version=2',
  ])('accepts JSON that a client calls %s', async (type) => {
    const body = JSON.stringify([{ type: 'GIV', approved: true }]);
    expect((await post(body, type)).status).toBe((await post(body, 'application/json')).status);
    expect((await post(body, type)).status).not.toBe(415);
  });

  test('says that the charset is refused', async () => {
    const { status, body } = await post('[]', 'application/json; charset=iso-8859-1');
    expect([status, body.detail]).toEqual([415, 'the charset must be UTF-8']);
  });

  test('refuses bytes that are not UTF-8 and very deeply nested bodies', async () => {
    expect((await post(Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]))).status).toBe(400);
    expect((await post(`${'['.repeat(400)}${']'.repeat(400)}`)).status).toBe(400);
  });

  test.each([
    ['within the bound is read to its end', 4, false],
    ['beyond the bound loses the connection', 40, true],
  ])('a refused body %s', async (_what, megabytes, isCut) => {
    const served = await listen(app, { port: 0 });
    const socket = connect(served.port, '127.0.0.1').on('error', () => undefined);
    let reply = '';
    socket.on('data', (chunk) => {
      reply += chunk;
    });
    const bytes = megabytes * 1024 * 1024;
    socket.write(
      `POST /consents HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`,
    );
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await waitFor('the reply', () => reply.includes(' 413 '));
    const mebibyte = Buffer.alloc(1024 * 1024, 0x20);
    for (let sent = 0; sent < megabytes && !socket.destroyed; sent += 1)
      if (!socket.write(mebibyte))
        await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
    if (!isCut) socket.write('GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await closed;
    expect(reply.includes(' 404 ')).toBe(!isCut);
    await served.close();
  });

  test('a client whose connection ends with the reply can write its refused body before that', async () => {
    const served = await listen(app, { port: 0 });
    const errors: Error[] = [];
    const socket = connect(served.port, '127.0.0.1').on('error', (error) => errors.push(error));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    let reply = '';
    socket.on('data', (chunk) => {
      reply += chunk;
    });
    const body = Buffer.alloc(1024 * 1024, 0x20);
    socket.write(
      `POST /consents HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    await waitFor('the reply', () => reply.includes('"errors"'));
    const written = new Promise((resolve) => socket.write(body, resolve));
    expect(await written).toBeFalsy();
    await closed;
    expect([errors, reply.slice(0, 12)]).toEqual([[], 'HTTP/1.1 413']);
    await served.close();
  });

  test('cuts the connection of a client that sends a refused body very slowly', async () => {
    const served = await listen(app, { port: 0 });
    const socket = connect(served.port, '127.0.0.1')
      .on('error', () => undefined)
      .resume();
    socket.write('POST /consents HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\n');
    const dribble = setInterval(() => socket.write(' '), 200);
    const startedAt = performance.now();
    // `once()` of node:events would reject on a reset that may come before.
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(dribble);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    await served.close();
  });

  test('answers OPTIONS of the whole server', async () => {
    const served = await listen(app, { port: 0 });
    const asked = httpRequest({ port: served.port, method: 'OPTIONS', path: '*', agent: false }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    expect(answer.resume().statusCode).toBe(204);
    await served.close();
  });

  test('answers OPTIONS with the methods of a path, and links the page that explains an error', async () => {
    const options = await request(app).options('/consents');
    expect([options.status, options.headers.allow]).toEqual([204, 'POST']);
    expect((await request(app).put('/consents')).body.type).toBe('/docs/errors/4050');
  });

  test('answers JSON whole to If-None-Match: *, because no reply has a validator', async () => {
    const body = Buffer.from('{"name":"Zoë"}');
    const whole = createApp({
      service: 'test',
      log: quietLog,
      routes: (routes) => {
        routes.get(
          '/',
          reply(() => ok({ name: 'Zoë' })),
        );
        routes.get(
          '/schema',
          reply(() => ok({}, { 'content-type': 'application/schema+json' })),
        );
      },
    });
    const got = await request(whole).get('/').set('if-none-match', '*');
    const type = 'application/json; charset=utf-8';
    expect([got.status, got.headers['content-type'], got.text]).toEqual([200, type, body.toString()]);
    const schema = (await request(whole).get('/schema')).headers['content-type'];
    expect(schema).toBe('application/schema+json; charset=utf-8');
    const head = await request(whole).head('/').set('if-none-match', '*');
    expect([head.status, head.headers['content-length'], head.text]).toEqual([200, String(body.length), undefined]);
  });

  test('says with every 401 how to be let in', async () => {
    const refused = await request(app).get('/internal');
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer realm="assay"']);
    expect((await request(app).get('/nowhere')).headers['www-authenticate']).toBeUndefined();
  });

  test('names the values of an enumeration', async () => {
    const [error] = (await post('[{"approved":true,"type":"NONE"}]')).body.errors;
    expect(error).toMatchObject({ field: '[0].type', message: expect.stringMatching(/^must be one of .*PORTRAIT/) });
  });

  test('names no field where the whole body is wrong', async () => {
    const [error] = (await post('{"approved":true}')).body.errors;
    expect(error).toEqual({ code: '1006', message: 'must be array' });
  });

  test('names the field', async () => {
    const answer = await post('[{"approved":"yes","type":"GIV"}]');
    expect(answer.body.errors[0]).toMatchObject({ code: '1006', field: '[0].approved' });
  });
});

test.each([
  ['a step-down of the database', '/step-down'],
  ['an error of the database without a reason', '/failed-storage'],
])('%s is 503 with Retry-After', async (_what, path) => {
  const response = await request(app).get(path);
  expect([response.status, response.headers['retry-after']]).toEqual([503, '1']);
});

describe('internal calls', () => {
  let server: Listening;
  beforeAll(async () => {
    server = await listen(app, { port: 0 });
  });
  afterAll(() => server.close());
  const claims = { tenantId: 't', identityId: 'i', requestId: 'r-12345678' };
  const client = (key = testKeys('gateway')) =>
    createInternalClient({
      baseUrl: `http://127.0.0.1:${server.port}`,
      keys: key,
      to: 'evidence-intake',
      log: quietLog,
    });

  test('end with 503 if the other side switches the protocol: Node reports neither reply nor error', async () => {
    const { port, close } = await startEndlessPeer(ENDLESS_PEERS['switches the protocol']);
    const baseUrl = `http://127.0.0.1:${port}`;
    const away = createInternalClient({ baseUrl, keys: testKeys('gateway'), to: 'evidence-intake', log: quietLog });
    await expect(away.getJson('/internal', claims)).rejects.toMatchObject({ status: 503 });
    close();
  });

  test('contain the grant', async () => {
    expect(await client().getJson('/internal', claims)).toEqual({ ...claims, service: 'gateway' });
    expect((await client().getBytes('/stream', claims)).bytes.toString()).toBe('ab');
  });

  test.each(['/internal/.', '/elsewhere/../internal', '/internal/.?a=b'])(
    'reach the path that they name or none: %s is 404',
    async (path) => {
      const refused = { error: 'NOT_FOUND' };
      await expect(client().getJson(path, claims)).rejects.toMatchObject(refused);
      await expect(client().getStream(path, claims)).rejects.toMatchObject(refused);
      await expect(client().delete(path, claims)).rejects.toMatchObject(refused);
    },
  );

  test('wait longer for the answer to an upload than to other calls', async () => {
    const slow = createServer((_request, response) => setTimeout(() => response.end('{}'), 400));
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const { port } = slow.address() as AddressInfo;
    const gateway = createInternalClient({
      ...{ baseUrl: `http://127.0.0.1:${port}`, keys: testKeys('gateway'), to: 'evidence-intake' as const },
      ...{ log: quietLog, timeoutMs: 100, uploadMs: 20_000 },
    });
    await expect(gateway.postJson('/evidences', claims, {})).rejects.toMatchObject({ status: 503 });
    expect(await gateway.postStream('/capture', claims, Readable.from(['image']), {})).toEqual({});
    slow.closeAllConnections();
    await new Promise((resolve) => slow.close(resolve));
  });

  test('end when the reply stops before it is complete', async () => {
    const silent = createServer((_request, response) => response.write('half'));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const gateway = createInternalClient({
      ...{ baseUrl: `http://127.0.0.1:${port}`, keys: testKeys('gateway'), to: 'evidence-intake' as const },
      ...{ log: quietLog, timeoutMs: 200 },
    });
    await expect(gateway.getBytes('/media', claims)).rejects.toMatchObject({ code: 'ECONNRESET' });
    const slowly = (await gateway.getStream('/media', claims)).stream;
    slowly.on('readable', () => undefined).on('error', () => undefined);
    await waitFor('the reader still has something to read', () => slowly.readableLength > 0);
    const brokenOff = expect(once(slowly, 'close')).rejects.toThrow('aborted');
    expect(slowly.read().toString()).toBe('half');
    await brokenOff;
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
  });

  test('do not reuse the connection of an upload that was refused before its end, because it waits for the rest of the body', async () => {
    const gateway = client();
    const upload = new PassThrough();
    upload.write('half');
    const refused = gateway.postStream('/internal', claims, upload, { 'content-length': '100000' });
    await expect(refused).rejects.toMatchObject({ errors: [{ code: '1508' }] });
    upload.end();
    await once(upload, 'close');
    await expect(gateway.postJson('/internal', claims, {})).rejects.toMatchObject({ errors: [{ code: '1508' }] });
  });

  test('of a body that was refused before they began fail with that refusal', async () => {
    const refused = new PassThrough();
    refused.on('error', () => undefined).destroy(new ApiError('UNAUTHENTICATED'));
    await once(refused, 'close').catch(() => undefined);
    await expect(client().postStream('/capture', claims, refused, {})).rejects.toMatchObject({ status: 401 });
    const brokenOff = new PassThrough();
    brokenOff.destroy();
    await expect(client().postStream('/capture', claims, brokenOff, {})).rejects.toMatchObject({ status: 400 });
  });

  describe('admit', () => {
    const gateway = testKeys('gateway');
    const status = async (token: string) =>
      (await request(app).get('/internal').set('authorization', `Bearer ${token}`)).status;
    const body = { claims };
    const signed = (options: jwt.SignOptions, key: KeyObject | string = gateway.privateKey) =>
      jwt.sign(body, key, {
        algorithm: 'ES256',
        issuer: 'gateway',
        audience: 'evidence-intake',
        expiresIn: 60,
        ...options,
      });

    test('a service that may call the route, and no other', async () => {
      expect(await status(signToken(gateway, 'evidence-intake', claims))).toBe(200);
      for (const service of SERVICE_NAMES.filter((name) => name !== 'gateway'))
        expect([service, await status(signToken(testKeys(service), 'evidence-intake', claims))]).toEqual([
          service,
          403,
        ]);
    });

    test('a service whose clock is ahead by less than a token lives', async () => {
      const soon = jwt.sign({ ...body, iat: Math.floor(Date.now() / 1000) + 50 }, gateway.privateKey, {
        algorithm: 'ES256',
        issuer: 'gateway',
        audience: 'evidence-intake',
        expiresIn: 60,
      });
      expect(await status(soon)).toBe(200);
    });

    test('no token for another service, of another issuer than its key, too old, without an end, or of another kind', async () => {
      const { exp: _, ...forEver } = jwt.decode(signed({})) as jwt.JwtPayload;
      const withoutEnd = jwt.sign(forEver, gateway.privateKey, { algorithm: 'ES256' });
      const longAgo = Math.floor(Date.now() / 1000) - 120;
      const old = jwt.sign({ ...body, iat: longAgo }, gateway.privateKey, {
        algorithm: 'ES256',
        issuer: 'gateway',
        audience: 'evidence-intake',
        expiresIn: 3600,
      });
      const publicPem = String(gateway.publicKeys.get('gateway')?.export({ type: 'spki', format: 'pem' }));
      const bad = {
        audience: signed({ audience: 'notifier' }),
        issuer: signed({}, testKeys('notifier').privateKey),
        unknown: signed({ issuer: 'nobody' }),
        datedAhead: jwt.sign({ ...body, iat: longAgo + 86_400 }, gateway.privateKey, {
          algorithm: 'ES256',
          issuer: 'gateway',
          audience: 'evidence-intake',
          expiresIn: 60,
        }),
        expired: signed({ expiresIn: -1 }),
        withoutEnd,
        old,
        none: jwt.sign(body, '', { algorithm: 'none', issuer: 'gateway', audience: 'evidence-intake', expiresIn: 60 }),
        publicKeyAsSecret: jwt.sign(
          { ...body, iss: 'gateway', aud: 'evidence-intake' },
          createSecretKey(publicPem, 'utf8'),
          {
            algorithm: 'HS256',
            expiresIn: 60,
          },
        ),
      };
      for (const [name, token] of Object.entries(bad)) expect([name, await status(token)]).toEqual([name, 401]);
    });

    test('no token whose grant names no tenant, identity or request by a text', async () => {
      const grants = [
        null,
        [],
        'claims',
        { ...claims, tenantId: { $ne: null } },
        { ...claims, identityId: { $gt: '' } },
        { ...claims, requestId: 1 },
      ];
      const options = { algorithm: 'ES256', issuer: 'gateway', audience: 'evidence-intake', expiresIn: 60 } as const;
      for (const grant of grants)
        expect([grant, await status(jwt.sign({ claims: grant }, gateway.privateKey, options))]).toEqual([grant, 401]);
    });
  });

  test('check the reply of the other service: another shape is 503, and no value of it is logged', async () => {
    const lines: unknown[] = [];
    const log = { ...quietLog, error: (line: object) => lines.push(line) };
    const careful = createInternalClient({
      baseUrl: `http://127.0.0.1:${server.port}`,
      keys: testKeys('gateway'),
      to: 'evidence-intake',
      log,
    });
    const Expected = Type.Object({ tenantId: Type.String() });
    expect((await careful.getJson('/internal', claims, Expected)).tenantId).toBe('t');
    const Another = Type.Object({ tenantId: Type.Integer() });
    await expect(careful.getJson('/internal', claims, Another)).rejects.toMatchObject({ status: 503 });
    expect(lines).toEqual([
      {
        msg: 'internal-call.bad-reply',
        path: '/internal',
        requestId: claims.requestId,
        violations: [{ field: 'tenantId', message: 'must be integer' }],
      },
    ]);
  });

  test('are repeated once when the connection breaks, except calls that change something', async () => {
    let broken = 0;
    const breaking = createServer((incoming, outgoing) => {
      broken += 1;
      const isAnswered = incoming.method === 'GET' || incoming.url === '/named';
      if (broken % 2 === 1 || !isAnswered) incoming.socket.resetAndDestroy();
      else outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{"answered":true}');
    });
    await new Promise<void>((resolve) => breaking.listen(0, '127.0.0.1', resolve));
    const { port } = breaking.address() as AddressInfo;
    const asking = createInternalClient({
      baseUrl: `http://127.0.0.1:${port}`,
      keys: testKeys('gateway'),
      to: 'evidence-intake',
      log: quietLog,
    });
    expect(await asking.getJson('/', claims)).toEqual({ answered: true });
    expect(broken).toBe(2);
    expect(await asking.postRepeatable('/named', claims, { id: 'one' })).toEqual({ answered: true });
    expect(broken).toBe(4);
    await expect(asking.postJson('/named', claims, {})).rejects.toMatchObject({ status: 503 });
    expect(broken).toBe(5);
    breaking.closeAllConnections();
    await new Promise((resolve) => breaking.close(resolve));
  });

  test('pass a refusal on unchanged, and turn a failure into 503', async () => {
    await expect(client().postJson('/internal', claims, {})).rejects.toMatchObject({
      status: 400,
      errors: [{ code: '1508', field: 'DocumentFront' }],
    });
    const closedClient = createInternalClient({
      baseUrl: 'http://127.0.0.1:1',
      keys: testKeys('gateway'),
      to: 'evidence-intake',
      log: quietLog,
    });
    await expect(closedClient.getJson('/internal', claims)).rejects.toMatchObject({
      status: 503,
      headers: { 'Retry-After': '1' },
    });
  });

  test('turn a refusal of their token into 503: because the caller of this service has a valid key', async () => {
    const lines: object[] = [];
    const stranger = createInternalClient({
      baseUrl: `http://127.0.0.1:${server.port}`,
      keys: { ...testKeys('gateway'), privateKey: testKeys('notifier').privateKey },
      to: 'evidence-intake',
      log: { ...quietLog, error: (line: object) => lines.push(line) },
    });
    const { requestId } = claims;
    await expect(stranger.getJson('/internal', claims)).rejects.toMatchObject({ status: 503 });
    await expect(stranger.getBytes('/stream', claims)).rejects.toMatchObject({ status: 503 });
    const line = { msg: 'internal-call.token-refused', method: 'GET', to: 'evidence-intake', requestId };
    expect(lines).toEqual([line, line]);
  });

  test.each([
    ['IMAGE_TOO_LARGE', 413],
    ['TOO_MANY_PIXELS', 400],
  ] as const)('pass %s on under its own name, though its code is shared', async (error, status) => {
    const refusal = await client()
      .postJson(`/${error}`, claims, {})
      .catch((thrown: ApiError) => thrown);
    expect(refusal).toMatchObject({ error, status, errors: [{ code: '1505', field: 'DocumentBack' }] });
    expect(problemOf(refusal as ApiError, undefined)).toMatchObject({ title: ERRORS[error].title, status });
  });
});
