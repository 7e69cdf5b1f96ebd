import { expect, test } from '@jest/globals';
import { compareEyeColors, compareHeights, isSameHeight } from './measures.ts';

const FIVE_SEVEN = [
  '507',
  '5\'07"',
  '5-07',
  '5-7',
  "5'7",
  '5’7”',
  "5'7''",
  '5 ft 7 in',
  '5 FEET 7 INCHES',
  '67"',
  '67 in',
  '067 in',
  '067',
  '67',
];
const METRIC = ['170 cm', '170cm', '170', '1.70 m', '1,70', '1.7 m'];

test.each([...FIVE_SEVEN, ...METRIC])('a height of 5 feet 7 inches is written as %s', (height) => {
  for (const other of [...FIVE_SEVEN, ...METRIC]) {
    expect(compareHeights(height, other)).toBe('AGREE');
    expect(isSameHeight(height, other)).toBe(true);
  }
  for (const other of ['607', '6\'7"', '79"', '79', '201 cm']) {
    expect(compareHeights(height, other)).toBe('DISAGREE');
    expect(isSameHeight(height, other)).toBe(false);
  }
});

test.each(['tall', '', '5.7', '999', '12'])('%s is no height, and decides nothing', (text) => {
  expect(compareHeights(text, '507')).toBe('UNKNOWN');
  expect(isSameHeight(text, text)).toBe(false);
});

test.each([
  ['BRO', 'Brown', 'BRN'],
  ['GRY', 'grey', 'Gray', 'GRA'],
  ['HAZ', 'HAZEL', 'HZL'],
  ['DIC', 'Dichromatic', 'two different colors'],
])('an eye colour is the same in all its ways to write it: %s', (...all) => {
  for (const one of all) for (const other of all) expect(compareEyeColors(one, other)).toBe('AGREE');
  expect(compareEyeColors(all[0], 'BLU')).toBe('DISAGREE');
});
