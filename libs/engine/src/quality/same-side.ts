import type { Grey } from '../raster.ts';

const COLUMNS = 48;
const ROWS = 32;

/** Mean brightness of the cells of a grid over a picture. */
const cellsOf = ({ width, height, data }: Grey): number[] => {
  const sums = new Float64Array(COLUMNS * ROWS);
  const counts = new Uint32Array(COLUMNS * ROWS);
  for (let y = 0; y < height; y += 2)
    for (let x = 0; x < width; x += 2) {
      const cell = Math.floor((y * ROWS) / height) * COLUMNS + Math.floor((x * COLUMNS) / width);
      sums[cell]! += data[y * width + x]!;
      counts[cell]! += 1;
    }
  return Array.from(sums, (sum, at) => sum / Math.max(1, counts[at]!));
};

/** Differences of neighbouring cells: they depend on the print, not on the light. */
const edgesOf = (page: Grey): number[] => {
  const cells = cellsOf(page);
  return cells.map((cell, at) => (at % COLUMNS === 0 ? 0 : cell - cells[at - 1]!));
};

const correlation = (a: readonly number[], b: readonly number[]): number => {
  const dot = (x: readonly number[], y: readonly number[]) => x.reduce((sum, one, at) => sum + one * y[at]!, 0);
  const length = Math.sqrt(dot(a, a) * dot(b, b));
  // A picture without any edge shows no side at all.
  return length === 0 ? 0 : dot(a, b) / length;
};

/**
 * Two pictures with a correlation above the first value show the same side; above the second, they
 * are the same file, or one saved again.
 */
const SAME = { ALIKE: 0.8, VERY_SAME: 0.95 } as const;

/**
 * Whether two pictures show the same side at the same place: the same file twice, or the same scan
 * saved again.
 */
export const isSamePicture = (one: Grey, other: Grey, likeness: keyof typeof SAME): boolean =>
  correlation(edgesOf(one), edgesOf(other)) > SAME[likeness];
