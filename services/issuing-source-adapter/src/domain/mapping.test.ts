import { describe, expect, test } from '@jest/globals';
import { fillBody, fillText, type MappedSource, readMapped, valueAt } from './mapping.ts';

describe('filling a template', () => {
  test('a property that is one placeholder without a value is left out, text around a placeholder stays', () => {
    const template = {
      a: '{{surname}}',
      b: '{{middleName}}',
      c: ['{{middleName}}', 'x {{surname}}'],
      d: 1,
      e: { f: '{{number}}' },
    };
    expect(fillBody(template, { surname: 'KELLER', number: '1' })).toEqual({
      a: 'KELLER',
      c: ['x KELLER'],
      d: 1,
      e: { f: '1' },
    });
  });
  test('values are encoded where they go into an address, and are never templates themselves', () => {
    expect(fillText('/x/{{number}}', { number: 'A/B {{surname}}', surname: 'S' }, encodeURIComponent)).toBe(
      '/x/A%2FB%20%7B%7Bsurname%7D%7D',
    );
  });
});

describe('a JSON pointer', () => {
  const reply = { a: { 'b/c': [true, { '~d': 0 }] }, empty: null };
  test.each([
    ['/a/b~1c/0', 'true'],
    ['/a/b~1c/1/~0d', '0'],
    ['/a', undefined],
    ['/empty', undefined],
    ['/none/at/all', undefined],
    ['/__proto__/x', undefined],
  ])('%s is %p', (pointer, value) => expect(valueAt(reply, pointer)).toBe(value));
});

describe('a reply', () => {
  const source = {
    request: { method: 'GET', url: 'https://source.example' },
    reply: { result: { pointer: '/result', values: { Y: 'VERIFIED' } } },
  } as unknown as MappedSource;
  const read = (result: string) => readMapped(source, 200, { result }, { checkId: 'c', values: {} });
  test('is interpreted by the words of the mapping', () =>
    expect(read('Y')).toMatchObject({ kind: 'ANSWER', answer: { result: 'VERIFIED' } }));
  test('also names what was asked if it compares by field', () => {
    const byField = {
      request: { method: 'POST', url: 'https://source.example', body: { name: '{{surname}}', street: '{{street1}}' } },
      reply: {
        ...source.reply,
        comparisons: { ADDRESS_STREET_COMPARE: { pointer: '/street', ok: ['same'], failed: ['other'] } },
      },
    } as unknown as MappedSource;
    const values = { surname: 'KELLER', middleName: 'ANNA', street1: '1 HIGH ST', street2: 'APT 9' };
    expect(readMapped(byField, 200, { result: 'Y', street: 'same' }, { checkId: 'c', values })).toMatchObject({
      answer: { raised: ['ADDRESS_STREET_COMPARE_OK'], asked: ['surname', 'street1'] },
    });
  });
  test.each(['N', '__proto__', 'constructor', 'toString'])('of %p is unreadable', (word) =>
    expect(read(word)).toEqual({ kind: 'OUTAGE', outage: 'UNREADABLE' }),
  );
});
