import { plainLetters } from '@assay/contracts';

/** As issuers keep text: upper case, without diacritics, single spaces; punctuation stays. */
export const asRecorded = (text: string): string =>
  plainLetters(text)
    .replace(/[’‘ʼ`´′]/g, "'")
    .replace(/\p{Pd}/gu, '-')
    .replace(/[.,]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Folded for approximate comparison: punctuation and spaces are gone too. */
export const folded = (text: string): string => asRecorded(text).replace(/[^A-Z0-9]/g, '');
