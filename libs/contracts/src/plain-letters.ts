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
 * Marks that spellings leave out, in text whose letters and marks are apart (NFD): accents, and the
 * vowels of Arabic and Hebrew. In other scripts, such as those of India, they make another word.
 */
export const OPTIONAL_MARKS =
  /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}]\p{M}*)\p{M}/gu;

/**
 * The text in upper case, with its Latin letters without diacritics, as issuing sources store names
 * and addresses. All other characters stay, with their letters and marks apart.
 */
export const plainLetters = (text: string): string =>
  text
    .toUpperCase()
    .normalize('NFKD')
    .replace(OPTIONAL_MARKS, '')
    .replace(/[ÆŒØĐÐŁÞŊĦŦƏ]/g, (letter) => LETTERS[letter] ?? letter);
