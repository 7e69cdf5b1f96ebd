import { doubleMetaphone } from 'double-metaphone';
import { distance } from 'fastest-levenshtein';
import { folded } from './fold.ts';
import { areVariants } from './variants.ts';

/**
 * How a name compares approximately: the same but for its writing or a known variant (primary), or
 * alike in sound (alternate).
 */
export interface Nearness {
  primary: boolean;
  alternate: boolean;
}

const LARGEST_DISTANCE = 2;

// No name has a letter three times running, and the code would take it for two sounds.
const sound = (name: string): string => doubleMetaphone(name.replace(/(.)\1{2,}/g, '$1$1'))[0];

const alike = (a: string, b: string): boolean => sound(a) === sound(b) && distance(a, b) <= LARGEST_DISTANCE;

/**
 * The approximate comparison: equal after folding, a known variant, or phonetically equal with an
 * edit distance of at most 2.
 */
export const nearness = (asked: string, recorded: string): Nearness => {
  const [a, b] = [folded(asked), folded(recorded)];
  if (a === '' || b === '') return { primary: false, alternate: false };
  return { primary: a === b || areVariants(a, b), alternate: alike(a, b) };
};
