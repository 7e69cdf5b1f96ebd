import { expect, test } from '@jest/globals';
import { blockMeans } from './block-means.ts';

test.each([2, 3])('a block of %i pixels a side becomes its rounded mean', (factor) => {
  const [width, height] = [13, 11];
  const data = Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * 71 + ((i * i) % 97)) % 256);
  const part = { left: 1, top: 2, width: Math.floor(12 / factor), height: Math.floor(9 / factor) };
  const mean = (x: number, y: number, channel: number): number => {
    let sum = 0;
    for (let line = 0; line < factor; line++)
      for (let step = 0; step < factor; step++)
        sum += data[((part.top + y * factor + line) * width + part.left + x * factor + step) * 3 + channel]!;
    return Math.round(sum / factor ** 2);
  };
  const means = blockMeans({ width, height, data }, part, factor);
  const wanted = Array.from({ length: part.width * part.height * 3 }, (_, i) => {
    const pixel = Math.floor(i / 3);
    return mean(pixel % part.width, Math.floor(pixel / part.width), i % 3);
  });
  expect([...means.data].every((value, i) => Math.abs(value - wanted[i]!) <= 1)).toBe(true);
  expect(means).toMatchObject({ width: part.width, height: part.height });
});
