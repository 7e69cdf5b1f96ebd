import type { Strip } from '../strip.ts';
import { inkOf } from './ink.ts';

/** Stands for a letter that is printed and was not read. The recogniser's alphabet lacks it. */
export const UNREAD = 'ʔ';

/** Where letters are printed that the recogniser does not know: Ə, Ơ, Ị, Ế. */
export interface UnreadLetters {
  /** Places in the text before which it passed over one. */
  before: readonly number[];
  /** Places in the text where it named one, but is not sure. */
  instead: readonly number[];
}

/** A character that was read: its place in the text, the net's step, and its probability. */
export interface Glyph {
  at: number;
  step: number;
  p: number;
}

/**
 * Letters of the alphabet are read more surely, also on poor pictures: one of 428 letters of names
 * was below. A wrong vowel for Ơ or Ư is read with up to .92.
 */
const UNSURE = 0.93;
/** Steps between letters that may have another between them: at least, and against the others. */
const GAP = 7;
const AGAINST_OTHERS = 1.7;
/** Steps from the margin to the first letter, and from the last, that leave room for another. */
const EDGE = { first: 5, last: 7 };
/** Half of the widest letter, in steps: so much of a gap may be its neighbours' ink. */
const HALF = 3;
const MARGIN = 0.75;
/** Columns with ink that a letter has at least: the stroke of an I. */
const STROKE = 4;

/** Whether columns of the strip hold ink as wide as a letter. */
const inkIn = (strip: Strip): ((from: number, to: number) => boolean) => {
  const hasInk = inkOf(strip);
  return (from, to) => hasInk.slice(Math.max(0, Math.round(from)), Math.round(to)).filter(Boolean).length >= STROKE;
};

/**
 * Finds letters that are printed but not read: ink between letters that stand too far apart, and
 * letters of which the net is not sure. Undefined where there are none, as on almost every line.
 */
export const unreadIn = (glyphs: readonly Glyph[], steps: number, strip: Strip): UnreadLetters | undefined => {
  const [first, last] = [glyphs[0], glyphs.at(-1)];
  if (!first || !last) return undefined;
  const gaps = glyphs.slice(1).map(({ step }, i) => step - glyphs[i]!.step);
  const common = gaps.length > 1 ? [...gaps].sort((a, b) => a - b)[gaps.length >> 2]! : 0;
  const places = [
    ...(first.step >= EDGE.first ? [{ at: first.at, from: MARGIN, to: first.step + 0.5 - HALF }] : []),
    ...glyphs.slice(1).flatMap(({ at, step }, i) => {
      if (gaps[i]! < Math.max(GAP, AGAINST_OTHERS * common)) return [];
      return [{ at, from: glyphs[i]!.step + 0.5 + HALF, to: step + 0.5 - HALF }];
    }),
    ...(steps - last.step >= EDGE.last ? [{ at: last.at + 1, from: last.step + 0.5 + HALF, to: steps - MARGIN }] : []),
  ];
  const instead = glyphs.filter(({ p }) => p < UNSURE).map(({ at }) => at);
  if (places.length === 0 && instead.length === 0) return undefined;
  const hasInk = inkIn(strip);
  const scale = strip.width / steps;
  const before = places.filter(({ from, to }) => hasInk(from * scale, to * scale)).map(({ at }) => at);
  return before.length + instead.length > 0 ? { before, instead } : undefined;
};
