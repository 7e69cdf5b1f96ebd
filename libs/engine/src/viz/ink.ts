import type { Strip } from '../strip.ts';

/** Rows of a strip of 48 without accents, descenders and the edges of other lines. */
const MIDDLE = 38;
/** With the foot of an L. */
export const WITH_FEET = 44;
const FIRST = 10;

/** Which columns of a strip hold ink as dark as its letters. */
export const inkOf = ({ width, data }: Strip, end = MIDDLE): boolean[] => {
  const darkest = Float32Array.from({ length: width }, () => 255);
  for (let y = FIRST; y < end; y++)
    for (let x = 0; x < width; x++) darkest[x] = Math.min(darkest[x]!, data[y * width + x]!);
  const sorted = [...darkest].sort((a, b) => a - b);
  const level = (sorted[Math.floor(width * 0.1)]! + sorted[Math.floor(width * 0.9)]!) / 2;
  return Array.from(darkest, (dark) => dark < level);
};
