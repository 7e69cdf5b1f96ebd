/**
 * Plain 8-bit images and the few operations that every reader needs, without dependencies and
 * needless copies.
 */
export interface Grey {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Interleaved red, green, blue. */
export interface Rgb extends Grey {
  readonly channels?: 3;
}

/** Quarter turns clockwise. */
export type Quarter = 0 | 1 | 2 | 3;

export const greyOf = ({ width, height, data }: Rgb): Grey => {
  const pixels = width * height;
  const out = new Uint8Array(pixels);
  for (let i = 0, p = 0; i < pixels; i++, p += 3)
    out[i] = (data[p]! * 77 + data[p + 1]! * 150 + data[p + 2]! * 29 + 128) >> 8;
  return { width, height, data: out };
};

/** 2x2 box mean: half the size. */
const half = ({ width: from, data, ...image }: Grey): Grey => {
  const width = from >> 1;
  const height = image.height >> 1;
  const out = new Uint8Array(width * height);
  for (let y = 0, o = 0; y < height; y++) {
    let p = 2 * y * from;
    for (let x = 0; x < width; x++, p += 2)
      out[o++] = (data[p]! + data[p + 1]! + data[p + from]! + data[p + from + 1]! + 2) >> 2;
  }
  return { width, height, data: out };
};

/** The image and its halves, down to a longest side of about 700. */
export const pyramid = (image: Grey): Grey[] => {
  const levels = [image];
  for (let last = image; Math.max(last.width, last.height) > 700; levels.push(last)) last = half(last);
  return levels;
};

/**
 * The index of the smallest level on which something `size` pixels high at level 0 is still
 * `target` pixels high.
 */
export const levelFor = (levels: readonly Grey[], size: number, target: number): number => {
  let i = 0;
  while (i + 1 < levels.length && size / (2 << i) >= target) i++;
  return i;
};

interface Taps {
  start: Int32Array;
  weights: Int32Array;
  count: number;
}

const tap = (i: number, step: number, from: number): { start: number; weights: number[] } => {
  if (step < 1) {
    const at = Math.max(0, (i + 0.5) * step - 0.5);
    const start = Math.min(at | 0, Math.max(0, from - 2));
    const second = Math.min(256, Math.round((at - start) * 256));
    return { start, weights: from > 1 ? [256 - second, second] : [256] };
  }
  const a = i * step;
  const b = Math.min(from, (i + 1) * step);
  const start = a | 0;
  const weights: number[] = [];
  for (let j = start; j < Math.min(from, Math.ceil(b - 1e-9)); j++)
    weights.push(Math.round(((Math.min(b, j + 1) - Math.max(a, j)) / (b - a)) * 256));
  weights[0] = weights[0]! + 256 - weights.reduce((sum, w) => sum + w, 0);
  return { start, weights };
};

/**
 * Area weights to reduce, linear weights to enlarge. The weights of one output sample add up to
 * 256.
 */
const tapsFor = (from: number, to: number): Taps => {
  const all = Array.from({ length: to }, (_, i) => tap(i, from / to, from));
  const count = Math.max(...all.map(({ weights }) => weights.length));
  const start = new Int32Array(to);
  const weights = new Int32Array(to * count);
  all.forEach((t, i) => {
    const shift = Math.max(0, t.start + count - from);
    start[i] = t.start - shift;
    t.weights.forEach((w, j) => {
      weights[i * count + j + shift] = w;
    });
  });
  return { start, weights, count };
};

/**
 * One row, resampled. Two and three taps are written out: they are the common cases, down to a
 * third of the size.
 */
const weighRow = (data: Uint8Array, from: number, { start, weights, count }: Taps, out: Uint8Array, to: number) => {
  const width = start.length;
  if (count === 2)
    for (let x = 0; x < width; x++) {
      const p = from + start[x]!;
      out[to + x] = (128 + data[p]! * weights[2 * x]! + data[p + 1]! * weights[2 * x + 1]!) >> 8;
    }
  else if (count === 3)
    for (let x = 0, w = 0; x < width; x++, w += 3) {
      const p = from + start[x]!;
      out[to + x] =
        (128 + data[p]! * weights[w]! + data[p + 1]! * weights[w + 1]! + data[p + 2]! * weights[w + 2]!) >> 8;
    }
  else
    for (let x = 0; x < width; x++) {
      const p = from + start[x]!;
      let sum = 128;
      for (let j = 0; j < count; j++) sum += data[p + j]! * weights[x * count + j]!;
      out[to + x] = sum >> 8;
    }
};

/** Row `y` of the result, from the rows in `sums`, which is working memory. */
const weighRows = (rows: Uint8Array, y: number, { start, weights, count }: Taps, sums: Int32Array, out: Uint8Array) => {
  const width = sums.length;
  const to = y * width;
  const w = y * count;
  const p = start[y]! * width;
  if (count === 2 || count === 3) {
    const [a, b, c] = [weights[w]!, weights[w + 1]!, count === 3 ? weights[w + 2]! : 0];
    // If there is no third row, the second one is used with weight zero.
    const [q, r] = [p + width, p + (count - 1) * width];
    for (let x = 0; x < width; x++) out[to + x] = (128 + a * rows[p + x]! + b * rows[q + x]! + c * rows[r + x]!) >> 8;
    return;
  }
  sums.fill(128);
  for (let j = 0; j < count; j++) {
    const weight = weights[w + j]!;
    const from = p + j * width;
    if (weight) for (let x = 0; x < width; x++) sums[x] = sums[x]! + weight * rows[from + x]!;
  }
  for (let x = 0; x < width; x++) out[to + x] = sums[x]! >> 8;
};

/** Separable resampling with 8-bit weights. */
export const resample = (image: Grey, width: number, height: number): Grey => {
  if (image.width === width && image.height === height) return image;
  const across = tapsFor(image.width, width);
  const down = tapsFor(image.height, height);
  const rows = new Uint8Array(width * image.height);
  for (let y = 0; y < image.height; y++) weighRow(image.data, y * image.width, across, rows, y * width);
  const out = new Uint8Array(width * height);
  const sums = new Int32Array(width);
  for (let y = 0; y < height; y++) weighRows(rows, y, down, sums, out);
  return { width, height, data: out };
};

const BLOCK = 32;

const transposed = (image: Grey, clockwise: boolean): Grey => {
  const { width: from, height: to, data } = image;
  const out = new Uint8Array(data.length);
  for (let y0 = 0; y0 < to; y0 += BLOCK)
    for (let x0 = 0; x0 < from; x0 += BLOCK)
      for (let y = y0; y < Math.min(to, y0 + BLOCK); y++)
        for (let x = x0; x < Math.min(from, x0 + BLOCK); x++)
          out[clockwise ? x * to + (to - 1 - y) : (from - 1 - x) * to + y] = data[y * from + x]!;
  return { width: to, height: from, data: out };
};

/** Turned clockwise by quarters. */
export const turned = (image: Grey, quarters: Quarter): Grey => {
  if (quarters === 0) return image;
  if (quarters === 2) return { ...image, data: image.data.slice().reverse() };
  return transposed(image, quarters === 1);
};

const turnedRgbAt = ({ width, height }: Grey, quarters: Quarter, x: number, y: number): number => {
  if (quarters === 1) return x * height + (height - 1 - y);
  if (quarters === 2) return (height - 1 - y) * width + (width - 1 - x);
  return (width - 1 - x) * height + y;
};

/** A colour image turned clockwise by quarters. */
export const turnedRgb = (image: Rgb, quarters: Quarter): Rgb => {
  if (quarters === 0) return image;
  const out = new Uint8Array(image.data.length);
  for (let y = 0, p = 0; y < image.height; y++)
    for (let x = 0; x < image.width; x++, p += 3) {
      const q = turnedRgbAt(image, quarters, x, y) * 3;
      out[q] = image.data[p]!;
      out[q + 1] = image.data[p + 1]!;
      out[q + 2] = image.data[p + 2]!;
    }
  const [width, height] = quarters === 2 ? [image.width, image.height] : [image.height, image.width];
  return { width, height, data: out };
};

/** A colour image with left and right exchanged. */
export const mirroredRgb = ({ width, height, data }: Rgb): Rgb => {
  const out = new Uint8Array(data.length);
  for (let y = 0, p = 0; y < height; y++)
    for (let x = width - 1; x >= 0; x--, p += 3) {
      const q = (y * width + x) * 3;
      out[p] = data[q]!;
      out[p + 1] = data[q + 1]!;
      out[p + 2] = data[q + 2]!;
    }
  return { width, height, data: out };
};
