import quickselect from 'quickselect';
import type { Grey } from '../raster.ts';
import { logSpectrum, SPECTRUM_SIZE } from './spectrum.ts';

export interface Moire {
  /**
   * The strongest isolated peak in the upper frequencies, in robust deviations from its ring: the
   * median over the patches.
   */
  peak: number;
  /** Peaks above five deviations, all patches together. */
  peaks: number;
}

const PLACES = [
  [0.25, 0.3],
  [0.5, 0.5],
  [0.75, 0.7],
  [0.7, 0.3],
  [0.3, 0.7],
] as const;
const HALF = SPECTRUM_SIZE / 2;
const LOWEST = 40;
const HIGHEST = 124;

/**
 * The places in the half spectrum by their distance from frequency zero, and those away from the
 * axes, where edges have no energy.
 */
const RINGS: readonly { all: Int32Array; offAxis: Int32Array }[] = (() => {
  const all: number[][] = Array.from({ length: HIGHEST + 1 }, () => []);
  const offAxis: number[][] = Array.from({ length: HIGHEST + 1 }, () => []);
  for (let y = 0; y < SPECTRUM_SIZE; y++)
    for (let x = 0; x <= HALF; x++) {
      const v = y < HALF ? y : y - SPECTRUM_SIZE;
      const ring = Math.round(Math.hypot(x, v));
      if (ring < LOWEST || ring > HIGHEST) continue;
      all[ring]!.push(y * SPECTRUM_SIZE + x);
      if (x > 2 && Math.abs(v) > 2) offAxis[ring]!.push(y * SPECTRUM_SIZE + x);
    }
  return all.map((positions, i) => ({ all: Int32Array.from(positions), offAxis: Int32Array.from(offAxis[i]!) }));
})();

/** Reorders the values. */
const median = (values: Float64Array | number[]): number => {
  const middle = values.length >> 1;
  quickselect(values as number[], middle);
  return values[middle] ?? 0;
};

const patchPeaks = (spectrum: Float64Array): { best: number; count: number } => {
  let best = 0;
  let count = 0;
  for (const { all, offAxis } of RINGS.slice(LOWEST)) {
    const values = new Float64Array(all.length);
    for (let i = 0; i < all.length; i++) values[i] = spectrum[all[i]!]!;
    const middle = median(values);
    for (let i = 0; i < values.length; i++) values[i] = Math.abs(values[i]! - middle);
    const spread = Math.max(0.25, 1.48 * median(values));
    for (let i = 0; i < offAxis.length; i++) {
      const score = (spectrum[offAxis[i]!]! - middle) / spread;
      if (score > best) best = score;
      if (score > 5) count++;
    }
  }
  return { best, count };
};

/**
 * Traces of a pixel raster: the spectrum of a photographed screen has sharp peaks, which print and
 * texture lack.
 */
export const moireOf = (image: Grey): Moire | undefined => {
  const { width, height } = image;
  if (width < SPECTRUM_SIZE || height < SPECTRUM_SIZE) return undefined;
  const patches = PLACES.map(([fx, fy]) => {
    const x0 = Math.round((width - SPECTRUM_SIZE) * fx);
    const y0 = Math.round((height - SPECTRUM_SIZE) * fy);
    return patchPeaks(logSpectrum(image, x0, y0));
  });
  return {
    peak: median(patches.map(({ best }) => best)),
    peaks: patches.reduce((sum, { count }) => sum + count, 0),
  };
};
