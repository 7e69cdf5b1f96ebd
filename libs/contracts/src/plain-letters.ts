import { table } from './table.ts';

// Letters that Unicode does not take apart into a letter and a mark.
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
 * Text in upper case with its Latin letters bare of marks, as issuing sources keep names and
 * addresses; every other sign stays as it is.
 */
export const plainLetters = (text: string): string =>
  text
    .toUpperCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ÆŒØĐÐŁÞŊĦŦƏ]/g, (letter) => LETTERS[letter] ?? letter);
