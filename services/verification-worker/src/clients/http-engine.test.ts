import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { todayAt } from '@assay/contracts';
import type { Engine } from '@assay/engine';
import { isDependencyDown } from '@assay/runtime';
import { startStutteringPeer } from '@assay/testing';
import { afterEach, expect, test } from '@jest/globals';
import { createHttpEngine } from './http-engine.ts';

let server: Server;
let engine: Engine;

afterEach(async () => {
  await engine.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

interface Asked {
  path: string;
  body: Record<string, unknown>;
  authorization: string | undefined;
}

/**
 * An engine that gives these answers in turn; `null` never answers. Returns the requests that it
 * received.
 */
async function answering(answers: ({ status: number; body: string } | null)[], timeoutMs = 20_000): Promise<Asked[]> {
  const asked: Asked[] = [];
  server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    asked.push({ path: request.url ?? '', body: JSON.parse(body), authorization: request.headers.authorization });
    const answer = answers[Math.min(asked.length, answers.length) - 1];
    if (answer) response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  engine = createHttpEngine({
    url: `http://127.0.0.1:${port}`,
    token: 'secret',
    reader: { name: 'r', version: '1' },
    capacity: 1,
    timeoutMs,
  });
  return asked;
}

const job = {
  front: Buffer.from('front'),
  details: { documentType: 'PASSPORT' },
  today: todayAt(new Date('2026-01-01')),
};
const crop = Buffer.from('crop').toString('base64');
/** The answer of an engine that read this from a document. */
const answerOf = (data: object) => ({
  status: 200,
  body: JSON.stringify({
    ...{ reading: { data, visual: {} }, indicators: ['PORTRAIT_OK'], errors: [], timings: {}, portrait: { crop } },
  }),
});
const good = answerOf({ givenNames: [], gender: { value: 'M', source: 'BARCODE', confirmed: true } });

test('a job is sent as JSON with base64 pictures, and its result is returned as bytes', async () => {
  const asked = await answering([good]);
  const result = await engine.document(job);
  expect(asked).toEqual([
    {
      path: '/v1/document',
      authorization: 'Bearer secret',
      body: { ...job, front: Buffer.from('front').toString('base64') },
    },
  ]);
  expect('portrait' in result && Buffer.from(result.portrait?.crop ?? []).toString()).toBe('crop');
});

test('an unreadable picture is a result', async () => {
  await answering([{ status: 200, body: '{"error":{"code":"1500","field":"Portrait"}}' }]);
  await expect(engine.portrait({ image: Buffer.alloc(3) })).resolves.toEqual({
    error: { code: '1500', field: 'Portrait' },
  });
});

test('an engine that fails is asked once more', async () => {
  const asked = await answering([{ status: 503, body: '{}' }, good]);
  await expect(engine.document(job)).resolves.toHaveProperty('indicators');
  expect(asked).toHaveLength(2);
});

test.each([500, 504])('one that fails twice has crashed: status %s', async (status) => {
  const asked = await answering([{ status, body: '{}' }]);
  await expect(engine.document(job)).rejects.toMatchObject({ name: 'EngineCrashed' });
  expect(asked).toHaveLength(2);
});

test.each([
  ['has no engine behind it', 502],
  ['does not know our token', 401],
  ['forbids it', 403],
  ['does not know the path', 404],
  ['is asked too often', 429],
  ['sends us elsewhere', 307],
])('one that %s twice gives no result for the job', async (_name, status) => {
  const asked = await answering([{ status, body: '{}' }]);
  await expect(engine.document(job)).rejects.toMatchObject({ name: 'EngineUnavailable' });
  expect(asked).toHaveLength(2);
});

test('one that cannot be reached gives no result for the job', async () => {
  await answering([good]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  const error = await engine.document(job).catch((failure: unknown) => failure);
  expect(error).toMatchObject({ name: 'EngineUnavailable' });
  expect(isDependencyDown(error)).toBe(true);
});

test('one that does not answer is abandoned after the time limit, without a retry', async () => {
  const asked = await answering([null], 200);
  await expect(engine.document(job)).rejects.toMatchObject({ name: 'EngineTimeout' });
  expect(asked).toHaveLength(1);
});

test.each([
  ['a refusal', { status: 422, body: '{}' }],
  ['no JSON', { status: 200, body: '<html>' }],
  ['something else', { status: 200, body: '{"hello":"world"}' }],
  ['a value that is no text', answerOf({ givenNames: [], gender: { value: {} } })],
  ['a name that is no value', answerOf({ givenNames: [null] })],
  ['an address without lines', answerOf({ givenNames: [], address: { city: 'X' } })],
])('%s is a fault that no retry would repair', async (_name, answer) => {
  const asked = await answering([answer]);
  await expect(engine.document(job)).rejects.toMatchObject({ name: 'EngineFault' });
  expect(asked).toHaveLength(1);
});

test('an answer without end is a fault, and is not read to the end of its time', async () => {
  await answering([null], 8_000);
  server.removeAllListeners('request').on('request', (request, response) => {
    request.resume();
    const piece = Buffer.alloc(1024 * 1024, ' ');
    const more = (): void => {
      while (response.write(piece));
      response.once('drain', more);
    };
    more();
  });
  await expect(engine.document(job)).rejects.toMatchObject({ name: 'EngineFault' });
}, 10_000);

test('jobs beyond the capacity wait their turn, and closing refuses them', async () => {
  await answering([null], 30_000);
  const jobs = [engine.document(job), engine.document(job)];
  const settled = Promise.allSettled(jobs);
  expect(engine.pending()).toBe(2);
  await engine.close();
  expect((await settled).map((one) => one.status === 'rejected' && one.reason.name)).toEqual([
    'EngineClosed',
    'EngineClosed',
  ]);
});

const templateOf = (faceWidth: number) => ({ recipe: 'r', descriptor: '', embedding: '', faceWidth });

test('an answer that is sent twice counts for its own job alone', async () => {
  const { url, close } = await startStutteringPeer((question) => {
    const { faceWidth: distance } = JSON.parse(question.slice(question.indexOf('{'))).a;
    return { body: { distance, model: 'faces' } };
  });
  const stuttering = createHttpEngine({ url, reader: { name: 'r', version: '1' }, capacity: 1, timeoutMs: 5000 });
  for (const distance of [1, 2, 3])
    expect(await stuttering.compare(templateOf(distance), templateOf(0))).toMatchObject({ distance });
  await stuttering.close();
  close();
});
