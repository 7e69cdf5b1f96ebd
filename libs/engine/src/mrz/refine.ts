import type { Grey } from '../raster.ts';
import { heightAt, middleOf, stripOf } from '../strip.ts';
import type { Candidate } from './locate.ts';

/**
 * A line of print with its vertical extent, measured at right angles to the line from its offset.
 */
export interface PrintLine extends Candidate {
  top: number;
  bottom: number;
  /** Height of the letters. */
  height: number;
}

export const scaled = (line: PrintLine, by: number): PrintLine => ({
  ...line,
  left: line.left * by,
  right: line.right * by,
  offset: line.offset * by,
  thickness: line.thickness * by,
  length: line.length * by,
  top: line.top * by,
  bottom: line.bottom * by,
  height: line.height * by,
});

export const asPrint = (line: Candidate): PrintLine => ({ ...line, top: 0, bottom: 0, height: 0 });

/**
 * Moves the offset to the middle of the letters, so that two candidates on the same print become
 * equal.
 */
export const centred = (line: PrintLine, top: number, bottom: number): PrintLine => {
  const shift = (top + bottom) / 2;
  const cos = Math.sqrt(1 + line.slope * line.slope);
  const along = (shift * line.slope) / cos;
  return {
    ...line,
    offset: line.offset + shift * cos,
    left: line.left - along,
    right: line.right - along,
    top: top - shift,
    bottom: bottom - shift,
    height: bottom - top,
  };
};

const ROWS = 44;
const BLOCKS = 16;
const SHIFTS = 8;
const SHIFT_STEP = 0.85;

/** Horizontal contrast of each row, for each of sixteen blocks along the line. */
const blockProfiles = (image: Grey, line: Candidate, span: number): Float32Array => {
  const width = Math.max(96, Math.min(640, Math.round(line.length)));
  const strip = stripOf(image, line, -span, span, { width, height: ROWS, oversample: 1 });
  const profiles = new Float32Array(BLOCKS * ROWS);
  const block = width / BLOCKS;
  for (let y = 0; y < ROWS; y++)
    for (let b = 0; b < BLOCKS; b++) {
      const end = Math.min(width - 1, Math.round((b + 1) * block));
      let sum = 0;
      for (let x = Math.max(1, Math.round(b * block)); x < end; x++)
        sum += Math.abs(strip.data[y * width + x + 1]! - strip.data[y * width + x - 1]!);
      profiles[b * ROWS + y] = sum;
    }
  return profiles;
};

const clampRow = (y: number): number => (y < 0 ? 0 : y >= ROWS ? ROWS - 1 : y);

/**
 * The row profile after shifting the blocks against each other, as a slope of `shift` rows per half
 * line requires.
 */
const tiltedProfile = (profiles: Float32Array, shift: number): Float32Array => {
  const out = new Float32Array(ROWS);
  for (let b = 0; b < BLOCKS; b++) {
    const by = (shift * SHIFT_STEP * (b - (BLOCKS - 1) / 2)) / ((BLOCKS - 1) / 2);
    const whole = Math.floor(by);
    const part = by - whole;
    for (let y = 0; y < ROWS; y++) {
      const a = profiles[b * ROWS + clampRow(y + whole)]!;
      const c = profiles[b * ROWS + clampRow(y + whole + 1)]!;
      out[y] = out[y]! + a * (1 - part) + c * part;
    }
  }
  return out;
};

const edgeEnergy = (profile: Float32Array): number => {
  let energy = 0;
  for (let y = 1; y < profile.length; y++) energy += (profile[y]! - profile[y - 1]!) ** 2;
  return energy;
};

const bestTilt = (profiles: Float32Array): { shift: number; profile: Float32Array } => {
  let best = { shift: 0, profile: tiltedProfile(profiles, 0), energy: -1 };
  for (let shift = -SHIFTS; shift <= SHIFTS; shift++) {
    const profile = tiltedProfile(profiles, shift);
    const energy = edgeEnergy(profile) * (1 - 0.0004 * Math.abs(shift));
    if (energy > best.energy) best = { shift, profile, energy };
  }
  return best;
};

/** First and last row of the letters at 38 % of the peak, with sub-row crossings. */
const extentOf = (profile: Float32Array): { first: number; last: number } => {
  let peak = ROWS >> 1;
  for (let y = ROWS >> 2; y < ROWS * 0.75; y++) if (profile[y]! > profile[peak]!) peak = y;
  const floor = Math.min(...profile);
  const level = floor + 0.38 * (profile[peak]! - floor);
  let top = peak;
  let bottom = peak;
  while (top > 0 && profile[top - 1]! > level) top--;
  while (bottom < ROWS - 1 && profile[bottom + 1]! > level) bottom++;
  const above = top > 0 ? (profile[top]! - level) / (profile[top]! - profile[top - 1]! || 1) : 0;
  const below = bottom < ROWS - 1 ? (profile[bottom]! - level) / (profile[bottom]! - profile[bottom + 1]! || 1) : 0;
  return { first: top + 0.5 - Math.min(1, above), last: bottom + 0.5 + Math.min(1, below) };
};

/**
 * The slope and vertical extent of the letters, from one sampled strip, in coordinates of `image`.
 */
export const refine = (image: Grey, line: Candidate): PrintLine => {
  const span = line.thickness * 2.2;
  const { shift, profile } = bestTilt(blockProfiles(image, line, span));
  const { first, last } = extentOf(profile);
  const row = (2 * span) / ROWS;
  const slope = line.slope + (shift * SHIFT_STEP * row) / ((line.length * (BLOCKS - 1)) / BLOCKS / 2);
  const x = middleOf(line);
  const tilted = asPrint({ ...line, slope, offset: heightAt(line, x) - slope * x });
  return centred(tilted, -span + first * row, -span + last * row);
};
