import { expect, test } from '@jest/globals';
import { isReadDifferently } from './colour-profile.ts';

/** The head of a profile and its table of tags. */
const profileOf = (...tags: readonly string[]): Buffer => {
  const head = Buffer.alloc(132);
  head.writeUInt32BE(tags.length, 128);
  return Buffer.concat([head, ...tags.map((tag) => Buffer.from(tag.padEnd(12, '\0'), 'latin1'))]);
};

const CURVES = ['rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC'];

test.each([
  [false, CURVES],
  [false, ['A2B0', 'B2A0']],
  [false, ['A2B0', 'A2B1', 'A2B2', 'B2A0']],
  [true, [...CURVES, 'A2B1']],
  [true, [...CURVES, 'A2B2']],
  [true, [...CURVES, 'D2B0']],
  [true, ['A2B0', 'D2B1']],
])('whether browsers read a profile differently: %s of %j', (differently, tags) => {
  expect(isReadDifferently(profileOf(...tags))).toBe(differently);
});

test('a profile that is cut off, or says that it has any number of tags, is looked at in no time', () => {
  const endless = profileOf(...CURVES);
  endless.writeUInt32BE(0xffffffff, 128);
  expect([isReadDifferently(endless), isReadDifferently(Buffer.alloc(100))]).toEqual([false, false]);
});
