import { describe, expect, test } from '@jest/globals';
import { changedGrant, mergePatch } from './settings.ts';

describe('a merge patch (RFC 7396)', () => {
  test.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('%j with %j', (target, patch, expected) => expect(mergePatch(target, patch)).toEqual(expected));
});

describe('what the suite grants to a tenant', () => {
  test.each([
    ['limits', { limits: { requestsPerMinute: 1 } }],
    ['issuingSources', { issuingSources: { enabled: true } }],
    ['acceptSpecimens', { acceptSpecimens: true }],
  ])('%s differs', (name, after) => expect(changedGrant({}, after)).toBe(name));
  test('is told apart from what the tenant decides', () => {
    const limits = { requestsPerMinute: 1 };
    const before = { limits, policy: 'default', adjudication: { enabled: true } };
    expect(changedGrant(before, { limits: { ...limits }, policy: 'strict', webhook: null })).toBeUndefined();
  });
});
