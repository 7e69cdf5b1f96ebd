import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { formTypeOf } from './body.ts';
import { ApiError } from './errors.ts';

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
  ])('%s is read', (_what, type) => expect(said({ 'content-type': type })).toBe(type));

  test('in chunks, or with the identity encoding, is read', () =>
    expect(said({ 'content-type': FORM, 'transfer-encoding': 'chunked', 'content-encoding': 'identity' })).toBe(FORM));

  test('with a header for its encoding that says nothing is read', () =>
    expect(said({ 'content-type': FORM, 'content-encoding': '' })).toBe(FORM));

  test.each<[string, IncomingMessage['headers'], number]>([
    ['of no type', {}, 415],
    ['of another type', { 'content-type': 'multipart/mixed; boundary=B' }, 415],
    ['without a boundary', { 'content-type': 'multipart/form-data' }, 400],
    ['with an empty boundary', { 'content-type': 'multipart/form-data; boundary=""' }, 400],
    ['with a boundary too long', { 'content-type': `multipart/form-data; boundary=${'B'.repeat(71)}` }, 400],
    ['that is compressed', { 'content-type': FORM, 'content-encoding': 'gzip' }, 415],
    ['that is compressed on its way', { 'content-type': FORM, 'transfer-encoding': 'gzip, chunked' }, 415],
  ])('%s is refused', (_what, headers, status) => expect(said(headers)).toBe(status));
});
