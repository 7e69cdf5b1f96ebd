import { type Patch, patchesOf } from '../components.ts';
import type { Grey } from '../raster.ts';
import { heightAt, middleOf } from '../strip.ts';
import { densityOf, otsu } from './density.ts';

/**
 * A candidate line of machine-readable print before refinement, in pixels of the image searched.
 */
export type Candidate = Patch;

const LEVELS = [1, 0.65] as const;

const collinear = (a: Patch, b: Patch): boolean => {
  const gap = b.left - a.right;
  const [thin, thick] = a.thickness < b.thickness ? [a.thickness, b.thickness] : [b.thickness, a.thickness];
  if (gap > 2.2 * thick || gap < -10 || thick > 2.2 * thin) return false;
  const [long, short] = a.length > b.length ? [a, b] : [b, a];
  const x = middleOf(short);
  return Math.abs(heightAt(long, x) - heightAt(short, x)) <= 0.6 * thin + 1;
};

const joined = (a: Patch, b: Patch): Patch => {
  const xa = middleOf(a);
  const xb = middleOf(b);
  const ya = heightAt(a, xa);
  const yb = heightAt(b, xb);
  const similar = Math.min(a.length, b.length) * 4 > Math.max(a.length, b.length);
  const longer = a.length > b.length ? a : b;
  const slope = similar ? (yb - ya) / (xb - xa) : longer.slope;
  const weight = a.length + b.length;
  const offset = ((ya - slope * xa) * a.length + (yb - slope * xb) * b.length) / weight;
  const thickness = (a.thickness * a.length + b.thickness * b.length) / weight;
  const right = Math.max(a.right, b.right);
  return { left: a.left, right, slope, offset, thickness, residual: 0, length: right - a.left + 1 };
};

const mergeCollinear = (patches: readonly Patch[]): Patch[] => {
  const lines = patches
    .filter((p) => p.length / p.thickness > 2.5 && p.residual < p.thickness * 0.75)
    .sort((a, b) => a.left - b.left);
  const used = new Set<number>();
  return lines.flatMap((first, i) => {
    if (used.has(i)) return [];
    let line = first;
    for (let j = i + 1; j < lines.length; j++) {
      const next = lines[j]!;
      if (next.left - line.right > 6.6 * line.thickness) break;
      if (used.has(j) || !collinear(line, next)) continue;
      line = joined(line, next);
      used.add(j);
    }
    return [line];
  });
};

const looksLikeMrz = (line: Patch, width: number): boolean => {
  const aspect = line.length / line.thickness;
  return aspect >= 11 && aspect <= 70 && line.length >= 0.2 * width && Math.abs(line.slope) <= 0.45;
};

const covers = (line: Patch, other: Patch): boolean => {
  const x = middleOf(other);
  const near = Math.abs(heightAt(line, x) - heightAt(other, x)) < 0.5 * Math.max(line.thickness, other.thickness);
  return x > line.left && x < line.right && near && other.length > 0.9 * line.length;
};

/**
 * Candidate lines of one reduced copy, longest first. `shear` tilts the search and is undone in the
 * result.
 */
export const locate = (image: Grey, shear: number): Candidate[] => {
  const { width, height } = image;
  const unit = Math.max(width, height) / 1000;
  const kernel = Math.max(5, Math.round(11 * unit) | 1);
  const { map, histogram } = densityOf(image, { kernel, reach: Math.max(6, Math.round(16 * unit)), shear });
  const split = otsu(histogram, width * height);
  const found = LEVELS.flatMap((level) =>
    mergeCollinear(
      patchesOf(map, width, height, {
        threshold: Math.max(8, split * level),
        minLength: 40 * unit,
        minPixels: 200 * unit * unit,
      }),
    ),
  ).filter((line) => looksLikeMrz(line, width));
  const selected: Candidate[] = [];
  for (const line of found.sort((a, b) => b.length - a.length))
    if (!selected.some((other) => covers(other, line))) selected.push(line);
  return selected.map((line) =>
    shear ? { ...line, slope: line.slope + shear, offset: line.offset - (shear * width) / 2 } : line,
  );
};
