import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nearness } from './near.ts';

const isNear = (a: string, b: string) => Object.values(nearness(a, b)).includes(true);

test.each([
  ['JON', 'JOHN', true],
  ['STEVEN', 'STEPHEN', true],
  ['HARTWEL', 'HARTWELL', true],
  ["O'Neil", 'ONEIL', true],
  ['BORIS', 'AMELIA', false],
  ['MARIA', 'MARTA', false],
  ['山田', 'YAMADA', false],
  ['', '', false],
])('%s and %s: %p', (a, b, near) => {
  expect(isNear(a, b)).toBe(near);
  expect(isNear(b, a)).toBe(near);
});

test('every name with a plain letter is similar to itself in any spelling', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Z]{1,12}$/), fc.constantFrom('-', "'", ' ', '.'), (name, sign) => {
      expect(isNear(name.toLowerCase(), [...name].join(sign))).toBe(true);
    }),
  );
});
