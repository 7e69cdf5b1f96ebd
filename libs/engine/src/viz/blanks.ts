import type { Strip } from '../strip.ts';
import { inkOf, WITH_FEET } from './ink.ts';

/** A character that was read: the net's step, and the trace of a blank before it, 0..1. */
export interface Step {
  char: string;
  step: number;
  blank: number;
}

/** The recogniser often drops blanks; a trace of one between two characters is enough. */
const TRACE = 0.08;
/**
 * Less than a trace is enough between letters where the gap is wide. Of 2129 pairs of characters
 * that touch no blank, one had .005 or more; of 8 letters with no trace of a printed blank before
 * them, none had less than .02.
 */
const FAINT = 0.02;
const LETTER = /^\p{L}$/u;
/** A wide gap, against the line's others: an L before an O may have one, and hardly a trace. */
const WIDE = 2.2;

/** The longest run of columns without ink between each two characters, in columns of the strip. */
const gapsBetween = (characters: readonly Step[], steps: number, strip: Strip): number[] => {
  const hasInk = inkOf(strip, WITH_FEET);
  const columnOf = ({ step }: Step) => Math.round(((step + 0.5) * strip.width) / steps);
  return characters.slice(1).map((character, i) => {
    let longest = 0;
    let run = 0;
    for (let x = columnOf(characters[i]!); x < columnOf(character); x++) {
      run = hasInk[x] ? 0 : run + 1;
      longest = Math.max(longest, run);
    }
    return longest;
  });
};

/** Before which characters of a line a blank is printed. */
export const blanksIn = (characters: readonly Step[], steps: number, strip: Strip): boolean[] => {
  const isLetter = (i: number) => LETTER.test(characters[i]?.char ?? '');
  const isDoubtful = ({ blank }: Step, i: number) => blank > FAINT && blank <= TRACE && isLetter(i - 1) && isLetter(i);
  const gaps = characters.some(isDoubtful) ? gapsBetween(characters, steps, strip) : [];
  const common = [...gaps].sort((a, b) => a - b)[gaps.length >> 1] ?? 0;
  return characters.map((character, i) => {
    if (i === 0) return false;
    if (isDoubtful(character, i)) return gaps[i - 1]! >= Math.max(1, WIDE * common);
    return character.blank > TRACE;
  });
};
