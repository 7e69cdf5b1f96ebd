import type { Grey } from '../raster.ts';
import { stripOf } from '../strip.ts';
import { centred, type PrintLine } from './refine.ts';

const REACH = 6;
const ROWS = 132;
const BLOCKS = 8;

/**
 * The row contrast around the line: the median over blocks, so that a stamp on part of the line
 * does not matter.
 */
const profileAround = (image: Grey, line: PrintLine): Float32Array => {
  const span = REACH * line.height;
  const width = Math.max(96, Math.min(480, Math.round(line.length)));
  const middle = (line.top + line.bottom) / 2;
  const strip = stripOf(image, line, middle - span, middle + span, { width, height: ROWS, oversample: 1 });
  const out = new Float32Array(ROWS);
  const sums = new Float32Array(BLOCKS);
  for (let y = 0; y < ROWS; y++) {
    for (let b = 0; b < BLOCKS; b++) {
      const end = Math.min(width - 1, (((b + 1) * width) / BLOCKS) | 0);
      let sum = 0;
      for (let x = Math.max(1, ((b * width) / BLOCKS) | 0); x < end; x++)
        sum += Math.abs(strip.data[y * width + x + 1]! - strip.data[y * width + x - 1]!);
      sums[b] = sum / (width / BLOCKS);
    }
    sums.sort();
    out[y] = (sums[3]! + sums[4]!) / 2;
  }
  return out;
};

const bandsAbove = (profile: Float32Array, level: number): { from: number; to: number }[] => {
  const bands: { from: number; to: number }[] = [];
  for (let y = 0; y < ROWS; y++) {
    if (profile[y]! <= level) continue;
    const from = y;
    while (y < ROWS && profile[y]! > level) y++;
    bands.push({ from, to: y });
  }
  return bands;
};

/**
 * Lines of the same slope and width above and below a good one: they find lines under stamps or
 * signatures, and faint print.
 */
export const siblingsOf = (image: Grey, line: PrintLine): PrintLine[] => {
  const profile = profileAround(image, line);
  const rowsPerLetter = ROWS / (2 * REACH);
  const centre = ROWS >> 1;
  const half = rowsPerLetter >> 1;
  const peak = Math.max(...profile.subarray(centre - half, centre + half + 1));
  const floor = [...profile].sort((a, b) => a - b)[ROWS >> 3]!;
  const start = (line.top + line.bottom) / 2 - REACH * line.height;
  const row = (2 * REACH * line.height) / ROWS;
  return bandsAbove(profile, floor + 0.34 * (peak - floor)).flatMap(({ from, to }) => {
    const tall = to - from;
    const distance = Math.abs((from + to) / 2 - centre) / rowsPerLetter;
    const plausible = tall >= 0.5 * rowsPerLetter && tall <= 1.8 * rowsPerLetter && from !== 0 && to !== ROWS;
    if (!plausible || distance < 1.1 || distance > 5) return [];
    return [centred(line, start + from * row, start + to * row)];
  });
};
