import { plainLetters } from '@assay/contracts';

/**
 * Replaces every sign that is typed as an apostrophe by one of them. Before letters are made plain,
 * which turns an acute accent (´) into a space.
 */
const withOneApostrophe = (text: string): string => text.replace(/[’‘ʻʼʹ`´′]/g, "'");

/**
 * Letters, digits and symbols ($, +, a picture) that belong to a value: with one more it is another
 * value. The filler of machine-readable zones does not.
 */
const COUNTING = /[\p{L}\p{M}\p{N}\p{Sc}\p{So}\p{Extended_Pictographic}]|(?!<)\p{Sm}/gu;

/** Marks that strike letters out or enclose them: they are no accents that issuers leave out. */
const STRUCK = /[\u0334-\u0338\u20d0-\u20ff]/;

/**
 * The text in plain upper-case letters, or nothing if one of its letters, digits or symbols has no
 * such form: without it, the source would answer about another value.
 */
const plainOrNothing = (text: string, plain: RegExp): string => {
  const folded = plainLetters(withOneApostrophe(text)).toUpperCase();
  const counting = folded.match(COUNTING) ?? [];
  if (STRUCK.test(text.normalize('NFD'))) return '';
  return counting.every((one) => plain.test(one)) ? folded : '';
};

/**
 * A name as issuers store it: upper case, plain letters A to Z, one form of apostrophe and hyphen,
 * single spaces. Nothing if the name has other letters.
 */
export const foldName = (name: string): string =>
  plainOrNothing(name, /[A-Z]/)
    .replace(/\p{Pd}/gu, '-')
    .replace(/[^A-Z' -]/g, ' ')
    .replace(/ +/g, ' ')
    .replace(/ ?- ?/g, '-')
    .replace(/^[ '-]+|[ '-]+$/g, '');

/** Plain text of an address: like a name, with digits and the signs that addresses use. */
export const foldText = (text: string): string =>
  plainOrNothing(text, /[A-Z0-9]/)
    .replace(/[^A-Z0-9#&/' -]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** A document number without the separators that people write. */
export const plainNumber = (number: string): string => plainOrNothing(number, /[A-Z0-9]/).replace(/[^A-Z0-9]/g, '');
