import { expect, test } from '@jest/globals';
import { eyeColorCode, heightOf } from './measures.ts';

test.each(['507', '5\'07"', '5-07', '5-7"', '5 ft 7 in', '67 in', '067', '67'])(
  'a height of 67 inches is written as %s',
  (text) => expect(heightOf(text)).toEqual({ inches: 67, isMetric: false }),
);

test.each(['170 cm', '170', '1.70 m', '1,7'])('a height of 170 cm is written as %s', (text) => {
  expect(heightOf(text)).toEqual({ inches: expect.closeTo(66.93, 2), isMetric: true });
});

test.each(['tall', '', '5.7', '5 07', '999', '12', '00 in', `67${' '.repeat(40)}in`])('%s is no height', (text) =>
  expect(heightOf(text)).toBeUndefined(),
);

test('a colour without a code has none', () => {
  expect(['Hazel', 'two different colors', 'turquoise', ''].map(eyeColorCode)).toEqual([
    'HAZ',
    'DIC',
    undefined,
    undefined,
  ]);
});
