import { plainLetters } from '@assay/contracts';

/**
 * Every sign that people type for an apostrophe, as one; before letters become plain ones, which
 * takes an acute accent (´) for a space.
 */
const withOneApostrophe = (text: string): string => text.replace(/[’‘ʻʼ`´′]/g, "'");

/**
 * Letters, digits and symbols ($, +, a picture): a value with one more is another value. The filler
 * of machine-readable zones is none.
 */
const COUNTING = /[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{N}\p{Sc}\p{So}\p{Extended_Pictographic}]|(?!<)\p{Sm}/gu;

/**
 * Plain upper-case letters, or nothing where a letter, digit or symbol has no such form: asked
 * without it, the source would answer for another value.
 */
const plainOrNothing = (text: string, plain: RegExp): string => {
  const folded = plainLetters(withOneApostrophe(text)).toUpperCase();
  const counting = folded.match(COUNTING) ?? [];
  return counting.every((one) => plain.test(one)) ? folded : '';
};

/**
 * A name as issuers keep it: upper case, plain letters A to Z, apostrophes and hyphens in one form,
 * single spaces. A name that is not of such letters alone leaves nothing.
 */
export const foldName = (name: string): string =>
  plainOrNothing(name, /[A-Z]/)
    .replace(/\p{Pd}/gu, '-')
    .replace(/[^A-Z' -]/g, ' ')
    .replace(/ +/g, ' ')
    .replace(/ ?- ?/g, '-')
    .replace(/^[ '-]+|[ '-]+$/g, '');

/** Plain text of an address: as a name, with digits and the signs addresses use. */
export const foldText = (text: string): string =>
  plainOrNothing(text, /[A-Z0-9]/)
    .replace(/[^A-Z0-9#&/' -]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** A document number without the signs people put between its characters. */
export const plainNumber = (number: string): string => plainOrNothing(number, /[A-Z0-9]/).replace(/[^A-Z0-9]/g, '');
