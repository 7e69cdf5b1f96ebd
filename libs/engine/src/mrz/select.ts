import { heightAt, middleOf } from '../strip.ts';
import type { PrintLine } from './refine.ts';

const MOST_LINES = 7;

/**
 * The distance of two lines of one block in letter heights; undefined if they cannot belong
 * together.
 */
const blockDistance = (a: PrintLine, b: PrintLine): number | undefined => {
  const longest = Math.max(a.length, b.length);
  if (Math.min(a.length, b.length) / longest < 0.8 || Math.abs(a.left - b.left) > 0.25 * longest) return undefined;
  const x = middleOf(a);
  const distance = Math.abs(heightAt(b, x) - heightAt(a, x)) / Math.max(a.height, b.height);
  return distance >= 1.05 && distance <= 4.2 ? distance : undefined;
};

/** The same print found twice. */
export const sameLine = (a: PrintLine, b: PrintLine, tolerance: number): boolean => {
  const x = middleOf(b);
  return x > a.left && x < a.right && Math.abs(heightAt(a, x) - heightAt(b, x)) < tolerance;
};

const between = (a: PrintLine, b: PrintLine): PrintLine => {
  const mean = (key: keyof PrintLine) => (a[key] + b[key]) / 2;
  return {
    left: mean('left'),
    right: mean('right'),
    slope: mean('slope'),
    offset: mean('offset'),
    thickness: mean('thickness'),
    residual: 0,
    length: mean('length'),
    top: mean('top'),
    bottom: mean('bottom'),
    height: mean('height'),
  };
};

/**
 * Lines that have a partner, and the middle line of a TD1 block if only its neighbours were found.
 */
export const withPartners = (lines: readonly PrintLine[]): PrintLine[] => {
  const selected = new Set<PrintLine>();
  const made: PrintLine[] = [];
  lines.forEach((a, i) => {
    for (const b of lines.slice(i + 1)) {
      const distance = blockDistance(a, b);
      if (distance === undefined) continue;
      selected.add(a).add(b);
      if (distance <= 2.6 || a.length / a.height >= 48) continue;
      const middle = between(a, b);
      if (!lines.some((line) => sameLine(line, middle, 0.8 * a.height))) made.push(middle);
    }
  });
  return [...selected, ...made.slice(0, 2)].sort((a, b) => b.length - a.length).slice(0, MOST_LINES);
};

/**
 * A line longer than this many letter heights cannot be of a TD1 zone, the only one with three
 * lines.
 */
const LONGEST_OF_THREE = 36;

/**
 * The longest lines of a page are nearly always its zone: the two or three to read first, and the
 * others.
 */
export const likeliestFirst = (lines: readonly PrintLine[]): [likely: PrintLine[], others: PrintLine[]] => {
  const longest = lines[0];
  const count = longest && longest.length / longest.height < LONGEST_OF_THREE ? 3 : 2;
  return [lines.slice(0, count), lines.slice(count)];
};
