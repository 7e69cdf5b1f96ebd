import type { Grey } from '../raster.ts';

/** In pixels of the page as it was decoded. */
export interface Rect {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Where the first whole block of the file is: not at 0 on a page that was turned. */
export interface Grid {
  x: number;
  y: number;
}

/** Low frequencies of a block, as column and row: those that JPEG seldom rounds to zero. */
const FREQUENCIES: readonly (readonly [number, number])[] = [
  [1, 0],
  [0, 1],
  [2, 0],
  [1, 1],
  [0, 2],
  [3, 0],
  [2, 1],
  [1, 2],
  [0, 3],
  [2, 2],
  [3, 1],
  [1, 3],
];
const SIDE = 8;
const BASIS = Array.from({ length: 4 }, (_, u) =>
  Float64Array.from(
    { length: SIDE },
    (_unused, x) => Math.cos(((2 * x + 1) * u * Math.PI) / 16) * (u === 0 ? Math.SQRT1_2 / 2 : 0.5),
  ),
);

/** Coefficients by size, two bins for each step. */
const BINS = 240;
type Histogram = Float64Array;

/** How many blocks are examined, spread evenly. */
const MOST = { inside: 700, outside: 1600 };
const STEPS = { from: 3, to: 40 };
/** The least coefficients on each side of a comparison. */
const ENOUGH = 60;

const histograms = (): Histogram[] => FREQUENCIES.map(() => new Float64Array(BINS));

/** Working memory of `addBlock`. */
const rows = new Float64Array(4 * SIDE);

const addBlock = ({ data, width }: Grey, left: number, top: number, into: readonly Histogram[]): void => {
  for (let y = 0; y < SIDE; y++) {
    const p = (top + y) * width + left;
    for (let u = 0; u < 4; u++) {
      const basis = BASIS[u]!;
      let sum = 0;
      for (let x = 0; x < SIDE; x++) sum += data[p + x]! * basis[x]!;
      rows[u * SIDE + y] = sum;
    }
  }
  for (let k = 0; k < FREQUENCIES.length; k++) {
    const u = FREQUENCIES[k]![0];
    const basis = BASIS[FREQUENCIES[k]![1]]!;
    let value = 0;
    for (let y = 0; y < SIDE; y++) value += rows[u * SIDE + y]! * basis[y]!;
    const bin = Math.round(2 * Math.abs(value));
    if (bin < BINS) into[k]![bin]!++;
  }
};

/** Histograms on the file's grid, and half a block beside it. */
interface Blocks {
  onGrid: Histogram[];
  between: Histogram[];
}

const blocksWhere = (page: Grey, grid: Grid, most: number, wanted: (x: number, y: number) => boolean): Blocks => {
  const places: number[] = [];
  for (let y = grid.y; y + 12 <= page.height; y += SIDE)
    for (let x = grid.x; x + 12 <= page.width; x += SIDE) if (wanted(x, y)) places.push(y * page.width + x);
  const blocks = { onGrid: histograms(), between: histograms() };
  const stride = Math.max(1, places.length / most);
  for (let i = 0; i < places.length; i += stride) {
    const place = places[Math.floor(i)]!;
    const x = place % page.width;
    const y = (place - x) / page.width;
    addBlock(page, x, y, blocks.onGrid);
    addBlock(page, x + 4, y + 4, blocks.between);
  }
  return blocks;
};

/** Cosines of a coefficient's place between two multiples of a step, in bins. */
const COMBS = Array.from({ length: STEPS.to + 1 }, (_, step) =>
  Float64Array.from({ length: BINS }, (_unused, bin) => (step === 0 ? 0 : Math.cos((Math.PI * bin) / step))),
);

interface Fit {
  /** 1: all coefficients lie on multiples of the step; 0: anywhere. */
  value: number;
  /** The value that chance gives for so few coefficients. */
  variance: number;
}

/** How well the coefficients fit multiples of a step; undefined if there are too few. */
const fit = (histogram: Histogram, step: number): Fit | undefined => {
  const comb = COMBS[step]!;
  let sum = 0;
  let count = 0;
  for (let bin = step + 1; bin < BINS; bin++) {
    sum += histogram[bin]! * comb[bin]!;
    count += histogram[bin]!;
  }
  return count < ENOUGH ? undefined : { value: sum / count, variance: 0.5 / count };
};

/** The fit beyond what the sizes of the coefficients alone explain. */
const excess = ({ onGrid, between }: Blocks, frequency: number, step: number): Fit | undefined => {
  const here = fit(onGrid[frequency]!, step);
  const there = fit(between[frequency]!, step);
  return here && there && { value: here.value - there.value, variance: here.variance + there.variance };
};

/** The widest gap at one frequency, minus two standard deviations of chance. */
const widestGap = (outside: Blocks, inside: Blocks, frequency: number): number | undefined => {
  let widest: number | undefined;
  for (let step = STEPS.from; step <= STEPS.to; step++) {
    const out = excess(outside, frequency, step);
    const own = excess(inside, frequency, step);
    if (!out || !own) continue;
    const gap = out.value - own.value - 2 * Math.sqrt(out.variance + own.variance);
    if (widest === undefined || gap > widest) widest = gap;
  }
  return widest;
};

/**
 * How much better the page around the portrait fits a quantisation that the portrait did not go
 * through: the median over the frequencies. Undefined if too little can be compared. If page and
 * portrait were saved together, however often, they hardly differ.
 */
export const historyGap = (page: Grey, grid: Grid, portrait: Rect, around: Rect): number | undefined => {
  const inside = blocksWhere(
    page,
    grid,
    MOST.inside,
    (x, y) => x >= portrait.left && y >= portrait.top && x + 12 <= portrait.right && y + 12 <= portrait.bottom,
  );
  const outside = blocksWhere(
    page,
    grid,
    MOST.outside,
    (x, y) => x + 12 <= around.left || y + 12 <= around.top || x >= around.right || y >= around.bottom,
  );
  const gaps = FREQUENCIES.map((_, frequency) => widestGap(outside, inside, frequency)).filter(
    (gap) => gap !== undefined,
  );
  return gaps.length < FREQUENCIES.length / 2 ? undefined : gaps.sort((a, b) => a - b)[gaps.length >> 1];
};
