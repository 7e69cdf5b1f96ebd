import { plainLetters } from '@assay/contracts';

/**
 * Every sign that people type for an apostrophe, as one; before letters become plain ones, which
 * takes an acute accent (´) for a space.
 */
const withOneApostrophe = (text: string): string => text.replace(/[’‘ʼ`´′]/g, "'");

/**
 * A name as issuers keep it: upper case, plain letters A to Z, apostrophes and hyphens in one form,
 * single spaces. A script that has no plain letters leaves nothing.
 */
export const foldName = (name: string): string =>
  plainLetters(withOneApostrophe(name))
    .replace(/\p{Pd}/gu, '-')
    .replace(/[^A-Z' -]/g, ' ')
    .replace(/ +/g, ' ')
    .replace(/ ?- ?/g, '-')
    .replace(/^[ '-]+|[ '-]+$/g, '');

/** Plain text of an address: as a name, with digits and the signs addresses use. */
export const foldText = (text: string): string =>
  plainLetters(withOneApostrophe(text))
    .replace(/[^A-Z0-9#&/' -]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** A document number without the signs people put between its characters. */
export const plainNumber = (number: string): string => number.toUpperCase().replace(/[^A-Z0-9]/g, '');
