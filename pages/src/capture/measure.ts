/**
 * What the page measures in the picture of the camera, in grey values of a small copy, to help
 * before a photo is taken.
 */

export interface Grey {
  width: number;
  height: number;
  values: Uint8Array;
}

export interface Reading {
  /** Mean grey value, 0 to 255. */
  brightness: number;
  /** Mean size of the Laplacian where there is structure: low when out of focus. */
  sharpness: number;
  /** Mean difference from the picture before, 0 to 255. */
  motion: number;
  /** Share of the blocks that show structure: low when the subject is far away. */
  fill: number;
}

export const HINTS = ['dark', 'bright', 'closer', 'still', 'blurry', 'ready'] as const;
export type Hint = (typeof HINTS)[number];
export type Subject = 'document' | 'face';

const BLOCKS = 8;
/** Standard deviation of grey values from which a block shows structure. */
const STRUCTURE = 9;

/** Grey values of RGBA pixels (ITU-R BT.601). */
export const greyOf = ({ width, height, data }: { width: number; height: number; data: ArrayLike<number> }): Grey => ({
  width,
  height,
  values: Uint8Array.from(
    { length: width * height },
    (_, at) => 0.299 * data[at * 4]! + 0.587 * data[at * 4 + 1]! + 0.114 * data[at * 4 + 2]!,
  ),
});

const mean = (values: ArrayLike<number>): number => {
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += values[at]!;
  return sum / values.length;
};

const deviation = (values: number[]): number => {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
};

const block = ({ width, height, values }: Grey, column: number, row: number): number[] => {
  const found: number[] = [];
  for (let y = Math.floor((row * height) / BLOCKS); y < Math.floor(((row + 1) * height) / BLOCKS); y++)
    for (let x = Math.floor((column * width) / BLOCKS); x < Math.floor(((column + 1) * width) / BLOCKS); x++)
      found.push(values[y * width + x]!);
  return found;
};

const fillOf = (grey: Grey): number => {
  let structured = 0;
  for (let row = 0; row < BLOCKS; row++)
    for (let column = 0; column < BLOCKS; column++) if (deviation(block(grey, column, row)) >= STRUCTURE) structured++;
  return structured / BLOCKS ** 2;
};

/** The steepest tenth of all places decides: a plain background says nothing about focus. */
const sharpnessOf = ({ width, height, values }: Grey): number => {
  const sizes: number[] = [];
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      const around = values[at - 1]! + values[at + 1]! + values[at - width]! + values[at + width]!;
      sizes.push(Math.abs(4 * values[at]! - around));
    }
  sizes.sort((a, b) => b - a);
  return mean(sizes.slice(0, Math.max(1, Math.floor(sizes.length / 10))));
};

const motionBetween = (now: Grey, before: Grey): number =>
  mean(now.values.map((value, at) => Math.abs(value - before.values[at]!)));

export const readingOf = (now: Grey, before: Grey | undefined): Reading => ({
  brightness: mean(now.values),
  sharpness: sharpnessOf(now),
  motion: before && before.values.length === now.values.length ? motionBetween(now, before) : 255,
  fill: fillOf(now),
});

const LEAST_FILL: Record<Subject, number> = { document: 0.55, face: 0.3 };
const LEAST_SHARPNESS: Record<Subject, number> = { document: 22, face: 12 };

/** The one thing that helps most now. */
export const hintOf = ({ brightness, sharpness, motion, fill }: Reading, subject: Subject): Hint => {
  if (brightness < 50) return 'dark';
  if (brightness > 235) return 'bright';
  if (fill < LEAST_FILL[subject]) return 'closer';
  if (motion > 8) return 'still';
  if (sharpness < LEAST_SHARPNESS[subject]) return 'blurry';
  return 'ready';
};

/** Readings that must all be ready before the photo is taken by itself. */
export const READY_READINGS = 5;

/** True once the last readings were all ready. */
export const isSteady = (hints: readonly Hint[]): boolean =>
  hints.length >= READY_READINGS && hints.slice(-READY_READINGS).every((hint) => hint === 'ready');
