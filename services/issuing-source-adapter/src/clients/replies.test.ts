import { type Listening, listen } from '@assay/http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import express from 'express';
import type { Asking, Connector } from './connector.ts';
import { openSources } from './connectors.ts';
import { readSoap } from './dldv/replies.ts';
import { readJson } from './json.ts';
import { createSourceLimiter } from './source-limiter.ts';

let says = '';
let status = 200;
let source: Listening;
let connectors: ReadonlyMap<string, Connector>;
beforeAll(async () => {
  const app = express().use((_request, response) => void response.status(status).type('text/plain').send(says));
  source = await listen(app, { port: 0 });
  const url = `http://127.0.0.1:${source.port}`;
  const mapped = {
    name: 'MAPPED',
    request: { method: 'GET', url },
    reply: { result: { pointer: '/outcome', values: { Y: 'VERIFIED' } } },
  };
  ({ connectors } = openSources({
    dvsUrl: url,
    aamvaUrl: url,
    mapped: [mapped] as unknown as NonNullable<Parameters<typeof openSources>[0]['mapped']>,
    credentials: { default: { DVS: {}, AAMVA_DLDV: {}, MAPPED: {} } },
    now: () => new Date(),
  }));
});
afterAll(async () => {
  const closed = source.close();
  source.server.closeAllConnections();
  await closed;
});

const ask = (name: string, text: string) => {
  says = text;
  const question = { type: 'PASSPORT', country: 'AUS', values: { number: 'N1' } };
  const asking = { checkId: 'check-1', tenantId: 'acme', timeoutMs: 5000, question } as unknown as Asking;
  return connectors.get(name)?.ask(asking);
};
const outcome = (more: string) => `{"verificationRequestNumber":"check-1","verificationResultCode":"Y"${more}}`;

describe('the length of an answer', () => {
  test('of a source that speaks SOAP is bounded before it is parsed, which could take seconds', async () => {
    const attributes = Array.from({ length: 90_000 }, (_, i) => `a${i.toString(36)}=""`).join(' ');
    const envelope = `<s:Envelope><s:Body ${attributes}>x</s:Body></s:Envelope>`;
    expect(envelope.length).toBeLessThan(1024 * 1024);
    const startedAt = performance.now();
    expect(readSoap(envelope.slice(0, 1000)).kind).toBe('UNREADABLE');
    expect(await ask('AAMVA_DLDV', envelope)).toMatchObject({ outage: 'UNREADABLE', code: 'ERR_BAD_RESPONSE' });
    expect(performance.now() - startedAt).toBeLessThan(1500);
  });
  test('of a source that speaks JSON is, too, with room for what an honest one adds', async () => {
    const padding = (bytes: number) => `,"note":"${'x'.repeat(bytes)}"`;
    expect(await ask('DVS', outcome(padding(32_768)))).toMatchObject({ kind: 'ANSWER' });
    expect(await ask('DVS', outcome(padding(65_536)))).toMatchObject({ outage: 'UNREADABLE' });
    const mapped = (bytes: number) => `{"outcome":"Y"${padding(bytes)}}`;
    expect(await ask('MAPPED', mapped(131_072))).toMatchObject({ kind: 'ANSWER' });
    expect(await ask('MAPPED', mapped(262_144))).toMatchObject({ outage: 'UNREADABLE' });
  });
});

describe('a member that is named twice', () => {
  test.each([
    ['DVS', outcome(',"verificationResultCode":"N"')],
    ['DVS', outcome(',"verification\\u0052esultCode" : "N"')],
    ['MAPPED', '{"outcome":"N","outcome":"Y"}'],
  ])('makes the reply of %s no answer: %s', async (name, text) => {
    expect(await ask(name, text)).toMatchObject({ kind: 'OUTAGE', outage: 'UNREADABLE' });
  });
  test.each(['{"a":{"a":1},"b":[{"a":1},{"a":"x\\":"}],"c":":","d":"\\\\"}', '[]', '"a"', '{"__proto__":{"a":1}}'])(
    'is told from one that stands in two objects, or in a text: %s',
    (text) => {
      expect(readJson(text)).toEqual(JSON.parse(text));
    },
  );
  test('deeper than can be read is no answer', () => {
    expect(readJson('['.repeat(100_000) + ']'.repeat(100_000))).toBeUndefined();
  });
});

describe('an answer of the Australian source', () => {
  test.each([
    ['null', undefined],
    ['1207', '1207'],
    ['"A-1207"', 'A-1207'],
    ['{"id":1}', undefined],
  ])('counts whatever it is called: %s', async (name, reference) => {
    const reply = await ask('DVS', outcome(`,"activityId":${name}`));
    expect(reply).toMatchObject({ kind: 'ANSWER', answer: { result: 'VERIFIED' } });
    expect(reply?.reference).toBe(reference);
  });
});

describe('a status that is no answer', () => {
  afterEach(() => {
    status = 200;
  });
  test.each([
    [400, 'REFUSED'],
    [403, 'REFUSED'],
    [422, 'REFUSED'],
    [429, 'FAULT'],
    [500, 'FAULT'],
    [302, 'UNREADABLE'],
    [404, 'UNREADABLE'],
    [204, 'UNREADABLE'],
  ])('%i is %s', async (code, outage) => {
    status = code;
    for (const name of ['DVS', 'AAMVA_DLDV', 'MAPPED'])
      expect(await ask(name, outcome(''))).toMatchObject({ kind: 'OUTAGE', outage });
  });

  test('does not keep other questions from being asked where it refuses one of them', async () => {
    const limiter = createSourceLimiter();
    const limits = { concurrent: 1, concurrentTotal: 1, perSecond: 1000 };
    const run = async () =>
      limiter.run({
        source: 'DVS',
        jurisdiction: 'NSW',
        limits,
        mayAsk: async () => true,
        ask: async () => (await ask('DVS', outcome('')))!,
      });
    status = 400;
    for (let asked = 0; asked < 6; asked += 1) await run();
    status = 200;
    expect(await run()).toMatchObject({ kind: 'REPLY', reply: { kind: 'ANSWER' } });
  });
});

test('what a source says in place of a code of its fault is not kept in clear', () => {
  const fault = (id: string) =>
    readSoap(`<Envelope><Body><Fault><ExceptionId>${id}</ExceptionId></Fault></Body></Envelope>`);
  expect(fault('0047')).toEqual({ kind: 'FAULT', fault: { code: '0047' } });
  expect(fault('KELLER, MARIA: unknown')).toEqual({ kind: 'FAULT', fault: { code: 'SOAP' } });
});
