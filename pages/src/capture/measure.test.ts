import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Grey, greyOf, HINTS, hintOf, isSteady, READY_READINGS, readingOf } from './measure.ts';

const WIDTH = 80;
const HEIGHT = 60;
const picture = (value: (x: number, y: number) => number): Grey => ({
  width: WIDTH,
  height: HEIGHT,
  values: Uint8Array.from({ length: WIDTH * HEIGHT }, (_, at) => value(at % WIDTH, Math.floor(at / WIDTH))),
});
const hint = (now: Grey, before = now) => hintOf(readingOf(now, before), 'document');

/** Lines of text that fill the picture. */
const sharp = picture((x, y) => (x % 4 < 2 && y % 4 < 2 ? 40 : 190));
const softened = picture((x, y) => 130 + 30 * Math.sin(x / 4) * Math.sin(y / 4));
const small = picture((x, y) => (x > 30 && x < 50 && y > 20 && y < 40 ? sharp.values[y * WIDTH + x]! : 150));

describe('the hints before a photo is taken', () => {
  test('a dark room asks for light', () => expect(hint(picture(() => 20))).toBe('dark'));
  test('a lamp in the picture asks for less of it', () => expect(hint(picture(() => 250))).toBe('bright'));
  test('a small document asks to move closer', () => expect(hint(small)).toBe('closer'));
  test('a moving document asks to hold still', () =>
    expect(
      hint(
        sharp,
        picture((x, y) => sharp.values[y * WIDTH + ((x + 2) % WIDTH)]!),
      ),
    ).toBe('still'));
  test('a picture out of focus is reported', () => expect(hint(softened)).toBe('blurry'));
  test('a sharp, still, bright document is ready', () => expect(hint(sharp)).toBe('ready'));
  test('the first picture is never ready: nothing is known of motion', () =>
    expect(hintOf(readingOf(sharp, undefined), 'document')).toBe('still'));
});

test('the photo is taken after enough ready measurements in a row, and no earlier', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...HINTS), { maxLength: 20 }), (hints) => {
      const inARow = [...hints].reverse().findIndex((each) => each !== 'ready');
      expect(isSteady(hints)).toBe((inARow < 0 ? hints.length : inARow) >= READY_READINGS);
    }),
  );
});

test('grey values weight the colours as the eye does', () => {
  const data = [255, 255, 255, 255, 0, 255, 0, 255, 0, 0, 255, 255];
  expect([...greyOf({ width: 3, height: 1, data }).values]).toEqual([255, 149, 29]);
});
