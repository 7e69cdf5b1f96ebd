import { expect, test } from '@jest/globals';
import { stripsAround } from './beside.ts';

const page = { width: 2000, height: 1500 };

test('a strip as wide as a fifth of the document may contain another one', () => {
  const beside = stripsAround({ left: 100, top: 60, right: 1000, bottom: 700 }, page, 2);
  expect(beside).toEqual([
    { left: 1000, top: 0, width: 1000, height: 1500, reduction: 2 },
    { left: 100, top: 700, width: 900, height: 800, reduction: 2 },
  ]);
});

test('a document that fills its picture leaves no room, nor does one that reaches beyond it', () => {
  expect(stripsAround({ left: 100, top: 60, right: 1900, bottom: 1400 }, page, 1)).toEqual([]);
  expect(stripsAround({ left: -300, top: -90, right: 2300, bottom: 1700 }, page, 1)).toEqual([]);
});

test('strips do not overlap', () => {
  const areas = stripsAround({ left: 600, top: 500, right: 1400, bottom: 1000 }, page, 1);
  const covered = areas.reduce((sum, { width, height }) => sum + width * height, 0);
  expect([areas.length, covered]).toEqual([4, 2000 * 1500 - 800 * 500]);
});
