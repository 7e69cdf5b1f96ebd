import type { Grey } from '../raster.ts';
import { logSpectrum, SPECTRUM_SIZE } from './spectrum.ts';

export interface Moire {
  /** Strongest isolated peak in the upper frequencies, in robust deviations from its ring: median over the patches. */
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

const median = (sorted: readonly number[]): number => sorted[sorted.length >> 1] ?? 0;
const ascending = (a: number, b: number) => a - b;

interface Bin {
  ring: number;
  value: number;
  /** On an axis: edges of the page and of the print itself put their energy there. */
  onAxis: boolean;
}

const binsOf = (spectrum: Float64Array): Bin[] => {
  const bins: Bin[] = [];
  for (let y = 0; y < SPECTRUM_SIZE; y++)
    for (let x = 0; x <= HALF; x++) {
      const v = y < HALF ? y : y - SPECTRUM_SIZE;
      const ring = Math.round(Math.hypot(x, v));
      if (ring < LOWEST || ring > HIGHEST) continue;
      bins.push({ ring, value: spectrum[y * SPECTRUM_SIZE + x]!, onAxis: x <= 2 || Math.abs(v) <= 2 });
    }
  return bins;
};

const patchPeaks = (spectrum: Float64Array): { best: number; count: number } => {
  const bins = binsOf(spectrum);
  const rings: number[][] = Array.from({ length: HIGHEST + 1 }, () => []);
  for (const { ring, value } of bins) rings[ring]!.push(value);
  const middles = rings.map((ring) => median(ring.sort(ascending)));
  const spreads = rings.map((ring, i) => {
    const off = ring.map((v) => Math.abs(v - middles[i]!)).sort(ascending);
    return Math.max(0.25, median(off) * 1.48);
  });
  const scores = bins
    .filter(({ onAxis }) => !onAxis)
    .map(({ ring, value }) => (value - middles[ring]!) / spreads[ring]!);
  return { best: scores.reduce((most, z) => Math.max(most, z), 0), count: scores.filter((z) => z > 5).length };
};

/** Traces of a pixel raster: a photographed screen has sharp peaks in its spectrum that print and texture have not. */
export const moireOf = ({ width, height, data }: Grey): Moire | undefined => {
  if (width < SPECTRUM_SIZE || height < SPECTRUM_SIZE) return undefined;
  const patches = PLACES.map(([fx, fy]) => {
    const x0 = Math.round((width - SPECTRUM_SIZE) * fx);
    const y0 = Math.round((height - SPECTRUM_SIZE) * fy);
    return patchPeaks(logSpectrum((x, y) => data[(y0 + y) * width + x0 + x]!));
  });
  return {
    peak: median(patches.map(({ best }) => best).sort(ascending)),
    peaks: patches.reduce((sum, { count }) => sum + count, 0),
  };
};
