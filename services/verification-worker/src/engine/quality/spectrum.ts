const SIZE = 256;
const BITS = 8;

const TWIDDLES = Array.from({ length: SIZE / 2 }, (_, k) => (-2 * Math.PI * k) / SIZE);
const COS = Float64Array.from(TWIDDLES, Math.cos);
const SIN = Float64Array.from(TWIDDLES, Math.sin);
const REVERSED = Uint16Array.from({ length: SIZE }, (_, i) => {
  let out = 0;
  for (let bit = 0; bit < BITS; bit++) out |= ((i >> bit) & 1) << (BITS - 1 - bit);
  return out;
});
const WINDOW = Float64Array.from({ length: SIZE }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (SIZE - 1)));

/** In place, 256 samples starting at `from`, `step` apart. */
const transform = (re: Float64Array, im: Float64Array, from: number, step: number): void => {
  for (let i = 0; i < SIZE; i++) {
    const j = REVERSED[i]!;
    if (i >= j) continue;
    const a = from + i * step;
    const b = from + j * step;
    [re[a], re[b]] = [re[b]!, re[a]!];
    [im[a], im[b]] = [im[b]!, im[a]!];
  }
  for (let length = 2; length <= SIZE; length <<= 1) {
    const stride = SIZE / length;
    for (let i = 0; i < SIZE; i += length)
      for (let k = 0; k < length / 2; k++) {
        const p = from + (i + k) * step;
        const q = p + (length / 2) * step;
        const c = COS[k * stride]!;
        const s = SIN[k * stride]!;
        const tr = re[q]! * c - im[q]! * s;
        const ti = re[q]! * s + im[q]! * c;
        re[q] = re[p]! - tr;
        im[q] = im[p]! - ti;
        re[p] = re[p]! + tr;
        im[p] = im[p]! + ti;
      }
  }
};

export const SPECTRUM_SIZE = SIZE;

/** Log magnitudes of a windowed 256 x 256 patch, row-major, frequency 0 first. `at(x, y)` gives its grey values. */
export const logSpectrum = (at: (x: number, y: number) => number): Float64Array => {
  const re = new Float64Array(SIZE * SIZE);
  const im = new Float64Array(SIZE * SIZE);
  let mean = 0;
  for (let y = 0; y < SIZE; y++)
    for (let x = 0; x < SIZE; x++) {
      const v = at(x, y);
      re[y * SIZE + x] = v;
      mean += v;
    }
  mean /= SIZE * SIZE;
  for (let y = 0; y < SIZE; y++) {
    for (let x = 0; x < SIZE; x++) re[y * SIZE + x] = (re[y * SIZE + x]! - mean) * WINDOW[x]! * WINDOW[y]!;
    transform(re, im, y * SIZE, 1);
  }
  // The input is real: the right half of the spectrum mirrors the left and is not needed.
  for (let x = 0; x <= SIZE / 2; x++) transform(re, im, x, SIZE);
  const out = new Float64Array(SIZE * SIZE);
  for (let y = 0; y < SIZE; y++)
    for (let x = 0; x <= SIZE / 2; x++)
      out[y * SIZE + x] = Math.log1p(Math.hypot(re[y * SIZE + x]!, im[y * SIZE + x]!));
  return out;
};
