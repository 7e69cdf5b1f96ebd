import { expect, test } from '@jest/globals';
import { present } from './present.ts';

test('a field without a value is absent, every other value stays as it is', () => {
  const result = present({ a: undefined, b: null, c: '', d: 0, e: false, f: { g: undefined } });
  expect(Object.keys(result)).toEqual(['b', 'c', 'd', 'e', 'f']);
  expect(result.f).toHaveProperty('g');
});
