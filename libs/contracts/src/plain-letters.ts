import { table } from './table.ts';

// Letters that Unicode does not decompose into a letter and a mark.
const LETTERS = table<string>({
  Æ: 'AE',
  Œ: 'OE',
  Ø: 'O',
  Đ: 'D',
  Ð: 'D',
  Ł: 'L',
  Þ: 'TH',
  Ŋ: 'N',
  Ħ: 'H',
  Ŧ: 'T',
  Ə: 'E',
});

/**
 * The text in upper case, with its Latin letters without diacritics, as issuing sources store names
 * and addresses. All other characters stay as they are.
 */
export const plainLetters = (text: string): string =>
  text
    .toUpperCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ÆŒØĐÐŁÞŊĦŦƏ]/g, (letter) => LETTERS[letter] ?? letter);
