import { once } from 'node:events';
import { connect } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { ConsentsRequestSchema, ERRORS } from '@assay/contracts';
import { quietLog } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
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
} from './index.ts';

const secret = 'a secret of the suite';
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
      '/internal',
      requireToken(secret),
      reply((req) => ok(claimsOf(req))),
    );
    routes.post(
      '/internal',
      requireToken(secret),
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
      requireToken(secret),
      reply(() => ({ status: 200, stream: Readable.from(['a', 'b']) })),
    );
  },
});
const post = (body: string | Buffer, type = 'application/json') =>
  request(app).post('/consents').set('content-type', type).send(body);

describe('an application', () => {
  test('answers every refusal as problem+json with a numeric code', async () => {
    const missing = await request(app).get('/nowhere');
    expect(missing.status).toBe(404);
    expect(missing.headers['content-type']).toBe('application/problem+json');
    expect(missing.body.errors[0].code).toBe('4040');
    const method = await request(app).put('/consents');
    expect([method.status, method.headers.allow]).toEqual([405, 'POST']);
  });

  test('reads past a body that it began and then refused, so that a client which writes first comes to listen', async () => {
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

  test('never tells what went wrong inside', async () => {
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

  test('refuses bytes that are not UTF-8 and bodies nested without end', async () => {
    expect((await post(Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]))).status).toBe(400);
    expect((await post(`${'['.repeat(400)}${']'.repeat(400)}`)).status).toBe(400);
  });

  test('names the field', async () => {
    const answer = await post('[{"approved":"yes","type":"GIV"}]');
    expect(answer.body.errors[0]).toMatchObject({ code: '1006', field: '[0].approved' });
  });
});

describe('internal calls', () => {
  let server: Listening;
  beforeAll(async () => {
    server = await listen(app, { port: 0 });
  });
  afterAll(() => server.close());
  const claims = { tenantId: 't', identityId: 'i', requestId: 'r-12345678' };
  const client = (key = secret) =>
    createInternalClient({
      baseUrl: `http://127.0.0.1:${server.port}`,
      secret: key,
      service: 'gateway',
      log: quietLog,
    });

  test('carry what was granted', async () => {
    expect(await client().getJson('/internal', claims)).toEqual({ ...claims, service: 'gateway' });
    expect((await client().getBytes('/stream', claims)).bytes.toString()).toBe('ab');
  });

  test('pass a refusal on unchanged, and turn a failure into 503', async () => {
    await expect(client().postJson('/internal', claims, {})).rejects.toMatchObject({
      status: 400,
      errors: [{ code: '1508', field: 'DocumentFront' }],
    });
    await expect(client('another').getJson('/internal', claims)).rejects.toMatchObject({ status: 401 });
    const gone = createInternalClient({ baseUrl: 'http://127.0.0.1:1', secret, service: 'gateway', log: quietLog });
    await expect(gone.getJson('/internal', claims)).rejects.toMatchObject({
      status: 503,
      headers: { 'Retry-After': '1' },
    });
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
