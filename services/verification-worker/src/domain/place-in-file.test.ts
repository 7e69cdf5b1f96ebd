import { expect, test } from '@jest/globals';
import { placeIn } from './place-in-file.ts';

const memory = Uint8Array.from({ length: 100 }, (_, index) => index);
const file = memory.subarray(20, 60);

test.each([
  ['at its beginning', file.subarray(0, 5), 0],
  ['inside', file.subarray(7, 40), 7],
  ['a copy', file.slice(7, 40), undefined],
  ['in front of it', memory.subarray(10, 25), undefined],
  ['beyond its end', memory.subarray(50, 61), undefined],
])('a part %s', (_name, part, at) => {
  expect(placeIn(file, part)).toBe(at);
});

test('a file that is not there has no part', () => {
  expect(placeIn(undefined, file)).toBeUndefined();
});
