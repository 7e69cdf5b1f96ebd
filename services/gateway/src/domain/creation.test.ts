import { isPrintable } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { boundaryOf, creationDetails, creationJson } from './creation.ts';

/** Text that is stored unchanged: of an allowed length, and printable. */
const anyText = fc
  .string({ minLength: 1, maxLength: 256, unit: 'grapheme' })
  .filter((text) => text.trim() !== '' && text.length <= 256 && isPrintable(text));
const KEYS = ['BUSINESS_ID', 'CORRELATION_ID', 'PREVIOUS_PROOF_ID'] as const;
const FIELDS = { BUSINESS_ID: 'businessId', CORRELATION_ID: 'correlationId', PREVIOUS_PROOF_ID: 'previousProofId' };

describe('the content of a creation request', () => {
  test('is the same as a list, as JSON with a context, and as a form whose context is text', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom(...KEYS)), anyText, (keys, value) => {
        // Given the same entries in the three forms that clients send
        const list = keys.map((key) => ({ key, value }));
        const expected = { ...Object.fromEntries(keys.map((key) => [FIELDS[key], value])), contact: {} };
        // Then each form has the same content
        expect(creationDetails(list)).toEqual(expected);
        expect(creationDetails({ context: list })).toEqual(expected);
        expect(creationDetails({ context: JSON.stringify(list) })).toEqual(expected);
        expect(creationDetails(creationJson(` ${JSON.stringify(list)}\n`))).toEqual(expected);
      }),
    );
  });

  test('is never refused, whatever the body is, and is short text throughout', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (body) => {
        const { contact, ...others } = creationDetails(body);
        for (const value of [...Object.values(contact), ...Object.values(others)]) {
          expect(typeof value).toBe('string');
          expect(value.length).toBeLessThanOrEqual(256);
        }
      }),
    );
  });

  test('prefers the entry of the context to the plain field, and the last of two entries', () => {
    const context = [
      { key: 'BUSINESS_ID', value: 'first' },
      { key: 'BUSINESS_ID', value: 'last' },
    ];
    expect(creationDetails({ businessId: 'plain', context })).toEqual({ businessId: 'last', contact: {} });
    expect(creationDetails({ businessId: 'plain' })).toEqual({ businessId: 'plain', contact: {} });
  });

  test.each([
    ['nothing', undefined],
    ['a key that objects have by themselves', [{ key: 'constructor', value: 'x' }]],
    ['an entry that is no object', ['BUSINESS_ID', null, ['BUSINESS_ID', 'x']]],
    ['an empty value', [{ key: 'BUSINESS_ID', value: '  ' }]],
    ['a value with a control character', [{ key: 'BUSINESS_ID', value: 'a\u0000b' }]],
    ['half of a character', [{ key: 'BUSINESS_ID', value: '\ud800' }]],
    ['what turns the direction of a text', [{ key: 'BUSINESS_ID', value: 'a\u202etxt.exe' }]],
    ['a value longer than 256', [{ key: 'BUSINESS_ID', value: 'x'.repeat(257) }]],
    ['a context that is broken JSON', { context: '[{"key":' }],
    ['a context nested deeper than anything the service takes', { context: '['.repeat(40) + ']'.repeat(40) }],
    ['an entry behind the first hundred', [...Array(100).fill({}), { key: 'BUSINESS_ID', value: 'x' }]],
  ])('ignores %s', (_what, body) => {
    expect(creationDetails(body)).toEqual({ contact: {} });
  });

  test('reads numbers as text', () => {
    expect(creationDetails({ mobile: 491700000, email: true })).toEqual({ contact: { mobile: '491700000' } });
  });

  test('ignores a number that is not the one the client wrote: two customers would have one id', () => {
    for (const number of ['12345678901234567890', '9007199254740993', '1e400'])
      expect(creationDetails(creationJson(`{"businessId": ${number}}`))).toEqual({ contact: {} });
    const largest = String(Number.MAX_SAFE_INTEGER);
    expect(creationDetails(creationJson(`{"businessId": ${largest}}`)).businessId).toBe(largest);
  });
});

describe('the boundary of a form whose content type names none', () => {
  test('is read from its first line, whatever the boundary is', () => {
    const anyBoundary = fc.stringMatching(/^[A-Za-z0-9'()+_,./:=?][A-Za-z0-9'()+_,./:=?-]{0,60}[A-Za-z0-9]$/);
    fc.assert(
      fc.property(anyBoundary, fc.constantFrom('', '\r\n', '\n\r\n'), (boundary, before) => {
        const body = Buffer.from(`${before}--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n`);
        expect(boundaryOf(body)).toBe(boundary);
        expect(boundaryOf(Buffer.from(`${before}--${boundary}--\r\n`))).toBe(boundary);
      }),
    );
  });

  test.each(['', '{}', '--', '--\r\n', `--${'x'.repeat(71)}\r\n`, 'x\r\n--b\r\n'])('is not found in %j', (text) => {
    expect(boundaryOf(Buffer.from(text))).toBeUndefined();
  });
});
