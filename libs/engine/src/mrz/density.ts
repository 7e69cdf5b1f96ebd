import type { Grey } from '../raster.ts';

/** How much fine dark structure with vertical edges (print) is around each pixel, 0..255. */
interface Density {
  map: Uint8Array;
  histogram: Int32Array;
}

interface DensityOptions {
  /** Width of the black-hat closing, in pixels, odd. */
  kernel: number;
  /** Half width of the horizontal mean. */
  reach: number;
  /** The rows per column by which the page is sheared, so that tilted lines become level. */
  shear: number;
}

/**
 * row[i] becomes the larger of row[i] and row[i + by]. It uses the sign of the difference: on
 * noise, the processor mispredicts half of all branches.
 */
const raise = (row: Uint8Array, by: number): void => {
  for (let i = 0, end = row.length - by; i < end; i++) {
    const v = row[i + by]!;
    const difference = row[i]! - v;
    row[i] = v + (difference & ~(difference >> 31));
  }
};

/** row[i] becomes the smaller of row[i] and row[i + by]. */
const lower = (row: Uint8Array, by: number): void => {
  for (let i = 0, end = row.length - by; i < end; i++) {
    const v = row[i + by]!;
    const difference = row[i]! - v;
    row[i] = v + (difference & (difference >> 31));
  }
};

/** out[i] = max (or min) of row[i .. i + size - 1], by doubling. */
const slide = (row: Uint8Array, out: Uint8Array, size: number, step: (row: Uint8Array, by: number) => void): void => {
  out.set(row);
  const power = 1 << Math.floor(Math.log2(size));
  for (let by = 1; by < power; by <<= 1) step(out, by);
  if (size > power) step(out, size - power);
};

const shifts = (width: number, shear: number): Int32Array =>
  Int32Array.from({ length: width }, (_, x) => Math.round(shear * (x - width / 2)));

const copyRow = (image: Grey, y: number, offsets: Int32Array | undefined, row: Uint8Array, kernel: number): void => {
  const { width, height, data } = image;
  if (offsets)
    for (let x = 0; x < width; x++) {
      const at = Math.max(0, Math.min(height - 1, y + offsets[x]!));
      row[kernel + x] = data[at * width + x]!;
    }
  else row.set(data.subarray(y * width, (y + 1) * width), kernel);
  row.fill(row[kernel]!, 0, kernel);
  row.fill(row[kernel + width - 1]!, kernel + width);
};

/** Horizontal mean of |d/dx (closing - grey)| of one row, unnormalised. */
const rowEnergy = (
  row: Uint8Array,
  closed: Uint8Array,
  sums: Int32Array,
  { kernel, reach }: DensityOptions,
  out: Uint16Array,
): void => {
  const width = out.length;
  let previous = 0;
  let current = closed[1]! - row[kernel]!;
  let sum = 0;
  for (let x = 0; x < width; x++) {
    const next = x + 1 < width ? closed[x + 2]! - row[kernel + x + 1]! : current;
    if (x) sum += Math.abs(next - previous);
    sums[x + 1] = sum;
    previous = current;
    current = next;
  }
  for (let x = 0; x < width; x++) {
    const from = x - reach;
    const to = x + reach + 1;
    out[x] = sums[to > width ? width : to]! - sums[from < 0 ? 0 : from]!;
  }
};

/**
 * Row by row, so that all working memory stays in the first-level cache: 1-D black-hat, |dx|, box
 * mean, three-row sum.
 */
export const densityOf = (image: Grey, options: DensityOptions): Density => {
  const { kernel, reach, shear } = options;
  const { width, height } = image;
  const padded = width + 2 * kernel;
  const row = new Uint8Array(padded);
  const widest = new Uint8Array(padded);
  const closed = new Uint8Array(padded);
  const sums = new Int32Array(width + 1);
  const rows = [new Uint16Array(width), new Uint16Array(width), new Uint16Array(width)] as const;
  const offsets = shear ? shifts(width, shear) : undefined;
  const share = Math.round((2 * 65536) / (3 * (2 * reach + 1)));
  const map = new Uint8Array(width * height);
  const histogram = new Int32Array(256);
  for (let y = 0; y <= height; y++) {
    const here = rows[(y % 3) as 0 | 1 | 2];
    if (y < height) {
      copyRow(image, y, offsets, row, kernel);
      slide(row, widest, kernel, raise);
      slide(widest, closed, kernel, lower);
      rowEnergy(row, closed, sums, options, here);
    } else here.fill(0);
    if (y === 0) continue;
    const middle = rows[((y - 1) % 3) as 0 | 1 | 2];
    const above = y > 1 ? rows[((y - 2) % 3) as 0 | 1 | 2] : middle;
    for (let x = 0, q = (y - 1) * width; x < width; x++, q++) {
      const v = Math.min(255, ((middle[x]! + above[x]! + here[x]!) * share) >> 16);
      map[q] = v;
      histogram[v] = histogram[v]! + 1;
    }
  }
  return { map, histogram };
};

/** The threshold that separates a histogram best into two classes. */
export const otsu = (histogram: Int32Array, total: number): number => {
  let all = 0;
  for (let i = 0; i < 256; i++) all += i * histogram[i]!;
  let count = 0;
  let sum = 0;
  let best = 0;
  let threshold = 0;
  for (let i = 0; i < 256; i++) {
    count += histogram[i]!;
    if (!count) continue;
    if (count === total) break;
    sum += i * histogram[i]!;
    const between = count * (total - count) * (sum / count - (all - sum) / (total - count)) ** 2;
    if (between > best) {
      best = between;
      threshold = i;
    }
  }
  return threshold;
};
