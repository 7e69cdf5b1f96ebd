import type { IncomingMessage } from 'node:http';
import { quietLog } from '@assay/testing';
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { formTypeOf } from './body.ts';
import { ApiError } from './errors.ts';
import { createApp, jsonBody, ok, reply } from './index.ts';

const FORM = 'multipart/form-data; boundary=B';

/** The result for a form with these headers: its content type, or the status of the refusal. */
const said = (headers: IncomingMessage['headers']): unknown => {
  try {
    return formTypeOf({ headers } as IncomingMessage);
  } catch (error) {
    return error instanceof ApiError ? error.status : error;
  }
};

describe('a form', () => {
  test.each([
    ['as clients send it', FORM],
    ['with the longest boundary', `multipart/form-data; boundary=${'B'.repeat(70)}`],
    ['with a boundary in quotes', 'Multipart/Form-Data; charset=utf-8; boundary="a b"'],
    ['with a boundary that another parameter has in quotes', 'multipart/form-data; x="; boundary=A"; boundary=B'],
  ])('%s is read', (_what, type) => expect(said({ 'content-type': type })).toBe(type));

  test('in chunks, or with the identity encoding, is read', () =>
    expect(said({ 'content-type': FORM, 'transfer-encoding': 'chunked', 'content-encoding': 'identity' })).toBe(FORM));

  test('with a header for its encoding that says nothing is read', () =>
    expect(said({ 'content-type': FORM, 'content-encoding': '' })).toBe(FORM));

  test.each<[string, IncomingMessage['headers'], number]>([
    ['of no type', {}, 415],
    ['of another type', { 'content-type': 'multipart/mixed; boundary=B' }, 415],
    ['without a boundary', { 'content-type': 'multipart/form-data' }, 400],
    ['with a boundary in another parameter only', { 'content-type': 'multipart/form-data; x="a; boundary=B"' }, 400],
    ['with an empty boundary', { 'content-type': 'multipart/form-data; boundary=""' }, 400],
    ['with a boundary too long', { 'content-type': `multipart/form-data; boundary=${'B'.repeat(71)}` }, 400],
    ['that is compressed', { 'content-type': FORM, 'content-encoding': 'gzip' }, 415],
    ['that is compressed on its way', { 'content-type': FORM, 'transfer-encoding': 'gzip, chunked' }, 415],
  ])('%s is refused', (_what, headers, status) => expect(said(headers)).toBe(status));
});

describe('a JSON body', () => {
  const app = createApp({
    service: 'test',
    log: quietLog,
    routes: (routes) => {
      routes.post(
        '/',
        jsonBody({ limit: 1024 * 1024 }),
        reply((sent) => ok({ length: (sent.body as unknown[]).length })),
      );
      routes.post(
        '/optional',
        jsonBody({ mayBeAbsent: true }),
        reply((sent) => ok({ sent: sent.body })),
      );
    },
  });
  const post = (text: string) => request(app).post('/').set('content-type', 'application/json').send(text);
  const numbers = (count: number): string => `[${Array(count).fill('12').join(',')}]`;

  test.each<[string, Record<string, string>, string, unknown]>([
    ['', {}, '', {}],
    [', in no chunk', { 'transfer-encoding': 'chunked' }, '', {}],
    [', in no chunk, with a type', { 'transfer-encoding': 'chunked', 'content-type': 'application/json' }, '', {}],
    [', or is there', { 'content-type': 'application/json' }, '{"a":1}', { a: 1 }],
    [', or is there without a type', { 'content-type': '' }, '{"a":1}', undefined],
  ])('may be absent where the route needs none%s', async (_how, headers, text, body) => {
    const { status, body: answer } = await request(app)
      .post('/optional')
      .set(headers)
      .send(text || undefined);
    expect([status, answer.sent]).toEqual([body ? 200 : 415, body]);
  });

  test('is read whatever another parameter has in quotes', async () => {
    const type = 'application/json; profile="a; charset=latin1"; charset="UTF-8"';
    expect((await request(app).post('/').set('content-type', type).send('[1]')).body).toEqual({ length: 1 });
  });

  test('of many values is read', async () => {
    expect((await post(numbers(99_000))).body).toEqual({ length: 99_000 });
    expect((await post(JSON.stringify(['[{,'.repeat(200_000)]))).body).toEqual({ length: 1 });
  });

  test('of more values than any has that means something is refused before it is parsed', async () => {
    const { status, body } = await post(numbers(100_001));
    expect(status).toBe(400);
    expect(body.errors).toEqual([{ code: '1006', message: 'the body has more than 100000 values' }]);
  });
});
