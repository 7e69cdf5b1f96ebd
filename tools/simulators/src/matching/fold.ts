const LETTERS: Readonly<Record<string, string>> = {
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
};

/** As issuers keep text: upper case, without diacritics, single spaces; punctuation stays. */
export const kept = (text: string): string =>
  text
    .toUpperCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ÆŒØĐÐŁÞŊĦŦƏ]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/[’‘ʼ`´′]/g, "'")
    .replace(/\p{Pd}/gu, '-')
    .replace(/[.,]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Folded for approximate comparison: punctuation and spaces are gone too. */
export const folded = (text: string): string => kept(text).replace(/[^A-Z0-9]/g, '');
