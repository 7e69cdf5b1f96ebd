import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Affine, apply, compose, invert, type Point, similarity } from './geometry.ts';
import { sample } from './sample.ts';
import { viewOf } from './view.ts';

const number = (from: number, to: number) => fc.double({ min: from, max: to, noNaN: true });

test('a similarity transform is recovered from the points that it moved', () => {
  const points: Point[] = [
    [0, 0],
    [10, 2],
    [4, 9],
    [-3, 5],
  ];
  fc.assert(
    fc.property(number(-3, 3), number(0.2, 8), number(-500, 500), number(-500, 500), (angle, scale, x, y) => {
      const [a, b] = [Math.cos(angle) * scale, Math.sin(angle) * scale];
      const moved = points.map((point) => apply([a, -b, x, b, a, y], point));
      const found = similarity(points, moved);
      for (const [index, expected] of [a, -b, x, b, a, y].entries()) expect(found[index]).toBeCloseTo(expected, 6);
    }),
  );
});

test('a transform and its inverse undo each other', () => {
  const transform: Affine = [2, -0.5, 30, 0.4, 1.8, -7];
  const [x, y] = apply(compose(invert(transform), transform), [12, 34]);
  expect(x).toBeCloseTo(12);
  expect(y).toBeCloseTo(34);
});

test.each([0, 90, 180, 270] as const)('a view turned by %d shows the picture turned clockwise', (turn) => {
  const image = {
    width: 3,
    height: 2,
    data: Uint8Array.from({ length: 18 }, (_, index) => Math.floor(index / 3) * 10),
  };
  const view = viewOf(image, turn);
  const seen = sample(image, view.toImage, view.width, view.height);
  const grey = Array.from({ length: 6 }, (_, pixel) => seen.data[pixel * 3]);
  const expected = {
    0: [0, 10, 20, 30, 40, 50],
    90: [30, 0, 40, 10, 50, 20],
    180: [50, 40, 30, 20, 10, 0],
    270: [20, 50, 10, 40, 0, 30],
  };
  expect(grey).toEqual(expected[turn]);
});

test('shrinking does not change the mean, whatever the size and position', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 40 }),
      number(1, 9),
      (width, height, zoom) => {
        const image = { width, height, data: new Uint8Array(width * height * 3).fill(137) };
        const small = sample(image, [zoom, 0, -3, 0, zoom, 5], 8, 8);
        expect(small.data.every((value) => value === 137)).toBe(true);
      },
    ),
  );
});
