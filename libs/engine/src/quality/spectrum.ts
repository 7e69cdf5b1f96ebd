import FFT from 'fft.js';
import type { Grey } from '../raster.ts';

export const SPECTRUM_SIZE = 256;

const SIZE = SPECTRUM_SIZE;
/**
 * The frequencies stored for each row: the input is real, so the other half of the spectrum mirrors
 * this one.
 */
const COLUMNS = SIZE / 2 + 1;
const FFT_256 = new FFT(SIZE);
const WINDOW = Float64Array.from({ length: SIZE }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (SIZE - 1)));

const meanOf = ({ width, data }: Grey, left: number, top: number): number => {
  let sum = 0;
  for (let y = 0; y < SIZE; y++) for (let x = 0; x < SIZE; x++) sum += data[(top + y) * width + left + x]!;
  return sum / (SIZE * SIZE);
};

/** Spectra of the windowed rows, interleaved, one row after the other. */
const rowSpectra = (image: Grey, left: number, top: number): Float64Array => {
  const mean = meanOf(image, left, top);
  const row = new Float64Array(SIZE);
  const spectrum = new Float64Array(2 * SIZE);
  const out = new Float64Array(SIZE * COLUMNS * 2);
  for (let y = 0; y < SIZE; y++) {
    const from = (top + y) * image.width + left;
    for (let x = 0; x < SIZE; x++) row[x] = (image.data[from + x]! - mean) * WINDOW[x]! * WINDOW[y]!;
    FFT_256.realTransform(spectrum, row);
    out.set(spectrum.subarray(0, 2 * COLUMNS), y * COLUMNS * 2);
  }
  return out;
};

/**
 * Log magnitudes of the windowed 256 x 256 patch at a place of the image. A row has 256 values, of
 * which the first 129 are filled, frequency 0 first.
 */
export const logSpectrum = (image: Grey, left: number, top: number): Float64Array => {
  const rows = rowSpectra(image, left, top);
  const column = new Float64Array(2 * SIZE);
  const spectrum = new Float64Array(2 * SIZE);
  const out = new Float64Array(SIZE * SIZE);
  for (let x = 0; x < COLUMNS; x++) {
    for (let y = 0; y < SIZE; y++) {
      column[2 * y] = rows[(y * COLUMNS + x) * 2]!;
      column[2 * y + 1] = rows[(y * COLUMNS + x) * 2 + 1]!;
    }
    FFT_256.transform(spectrum, column);
    for (let y = 0; y < SIZE; y++) {
      const [re, im] = [spectrum[2 * y]!, spectrum[2 * y + 1]!];
      out[y * SIZE + x] = Math.log1p(Math.sqrt(re * re + im * im));
    }
  }
  return out;
};
