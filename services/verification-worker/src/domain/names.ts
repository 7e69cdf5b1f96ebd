import { OPTIONAL_MARKS } from '@assay/contracts';
import { table } from '@assay/contracts/table';
import type { FieldAgreement } from './facts.ts';
import { cutAnywhere, cutOrEqual, isCut, isCutAnywhere, type StatedNames } from './stated-names.ts';

/**
 * Letters that documents transliterate in several ways: without the mark, or written out (ICAO
 * 9303).
 */
const WRITTEN_OUT = table<string>({
  Ä: 'AE',
  Ö: 'OE',
  Ü: 'UE',
  Å: 'AA',
  Ø: 'OE',
  Æ: 'AE',
  Œ: 'OE',
  ß: 'SS',
  ẞ: 'SS',
  Ñ: 'N',
  Þ: 'TH',
  Ð: 'D',
  Đ: 'D',
  Ł: 'L',
  Ĳ: 'IJ',
  İ: 'I',
  ı: 'I',
  Ħ: 'H',
  Ŋ: 'N',
  Ŧ: 'T',
  Ǥ: 'G',
  Ə: 'E',
});
const STRIPPED = table<string>({ ...WRITTEN_OUT, Ä: 'A', Ö: 'O', Ü: 'U', Å: 'A', Ø: 'O' });
/** As Azerbaijan writes it in its documents. */
const AZERBAIJANI = table<string>({ ...STRIPPED, Ə: 'A' });
/** Other ways to write them out, which machine-readable zones have. */
const OF_ZONES = table<string>({ ...WRITTEN_OUT, Đ: 'DJ', Ñ: 'NXX', Ü: 'UXX' });

/** Wide forms of letters and digits, which East Asian keyboards leave. */
const WIDE = /[\uff10-\uff5a]/g;
const narrow = (wide: string): string => String.fromCharCode(wide.charCodeAt(0) - 0xfee0);

const foldedBy = (letters: Readonly<Record<string, string>>, text: string): string =>
  [...text.normalize('NFC').replace(WIDE, narrow).replace(/ß/g, 'SS').toUpperCase()]
    .map((letter) => letters[letter] ?? letter)
    .join('')
    .normalize('NFD')
    .replace(OPTIONAL_MARKS, '')
    .normalize('NFC');

/**
 * A name without the punctuation in which two spellings may differ, the filler of machine-readable
 * zones included. Digits and symbols stay: with one of them it is another name.
 */
const bare = (text: string): string => text.replace(/[^\p{L}\p{M}\p{N}\p{Sc}\p{Sm}\p{So}]|</gu, '');

/**
 * The spellings of a name without marks: MÜLLER is MULLER and MUELLER. Hyphens, apostrophes and
 * spaces are ignored.
 */
export const spellingsOf = (name: string): string[] => [
  ...new Set([STRIPPED, WRITTEN_OUT, AZERBAIJANI, OF_ZONES].map((letters) => bare(foldedBy(letters, name)))),
];

const sharesSpelling = (one: string, other: string, same: (a: string, b: string) => boolean): boolean =>
  spellingsOf(one).some((a) => spellingsOf(other).some((b) => a !== '' && b !== '' && same(a, b)));

const equal = (a: string, b: string): boolean => a === b;

/** Names that two full names have in common at least. */
const ENOUGH = 2;
const initialOrEqual = (a: string, b: string): boolean =>
  a === b || ((a.length === 1 || b.length === 1) && a[0] === b[0]);

const words = (names: readonly string[]): string[] =>
  names.flatMap((name) => name.split(/[\s-]+/)).filter((word) => bare(word) !== '');

/** Splits a name into words without any Latin letter, and all others. */
const byScript = (text: string): { latin: string; other: string } => {
  const isOther = (word: string) => /\p{L}/u.test(word) && !/\p{Script=Latin}/u.test(word);
  const all = words([text]);
  return {
    latin: all.filter((word) => !isOther(word)).join(' '),
    other: all.filter(isOther).join(' '),
  };
};

/**
 * Compares names in different scripts: their letters cannot be compared, so they do not contradict
 * each other. The words in a script that both have are compared, and may contradict; but if they
 * agree, that is no agreement of the whole.
 */
export const comparedInScripts = (
  one: string,
  other: string,
  compare: (a: string, b: string) => FieldAgreement,
): FieldAgreement => {
  const whole = compare(one, other);
  if (whole !== 'DISAGREE') return whole;
  const [a, b] = [byScript(one), byScript(other)];
  const isAlike = (a.latin !== '') === (b.latin !== '') && (a.other !== '') === (b.other !== '');
  if (isAlike) return whole;
  const shared = (['latin', 'other'] as const).filter((script) => a[script] && b[script]);
  return shared.some((script) => compare(a[script], b[script]) === 'DISAGREE') ? 'DISAGREE' : 'UNKNOWN';
};

const withoutLast = (all: readonly string[], suffix: string): readonly string[] =>
  all.length > 1 && isSameName(all.at(-1)!, suffix) ? all.slice(0, -1) : all;

/** The names without a suffix behind one of them that the other document has apart from its own. */
export const withoutSuffixOf = <Names extends StatedNames>(other: StatedNames, names: Names): Names => {
  const { surname, givenNames } = names;
  if (!other.suffix || names.suffix) return names;
  return {
    ...names,
    ...(surname && { surname: withoutLast(surname.trim().split(/\s+/), other.suffix).join(' ') }),
    ...(givenNames && { givenNames: [...withoutLast(givenNames, other.suffix)] }),
  };
};

/**
 * Compares surnames: a truncated one agrees with its longer form. A zone that is too short may have
 * truncated each word (ICAO 9303-4, 4.2.3.2): BENNEL WOOLOO is BENNELONG WOOLOOMOOLOO.
 */
export const compareSurnames = (one: StatedNames, other: StatedNames): FieldAgreement => {
  if (!bare(one.surname ?? '') || !bare(other.surname ?? '')) return 'UNKNOWN';
  const same = cutOrEqual(one, other, 'surname');
  const areCut = isCut(one, 'surname') || isCut(other, 'surname');
  const agreeByWord = (a: readonly string[], b: readonly string[]): boolean =>
    areCut && a.length === b.length && a.every((word, at) => sharesSpelling(word, b[at]!, same));
  return comparedInScripts(one.surname!, other.surname!, (a, b) =>
    sharesSpelling(a, b, same) || agreeByWord(words([a]), words([b])) ? 'AGREE' : 'DISAGREE',
  );
};

/**
 * Compares given names: the first must be the same. Further ones may be missing or initials; those
 * that both state must be the same, in the same order. A truncated name agrees with its longer
 * form.
 */
export const compareGivenNames = (one: StatedNames, other: StatedNames): FieldAgreement =>
  comparedInScripts((one.givenNames ?? []).join(' '), (other.givenNames ?? []).join(' '), (a, b) =>
    compareWrittenAlike({ ...one, givenNames: [a] }, { ...other, givenNames: [b] }),
  );

const compareWrittenAlike = (one: StatedNames, other: StatedNames): FieldAgreement => {
  const a = words(one.givenNames ?? []);
  const b = words(other.givenNames ?? []);
  if (a.length === 0 || b.length === 0) return 'UNKNOWN';
  if (sharesSpelling(a.join(''), b.join(''), equal)) return 'AGREE';
  if (!sharesSpelling(a[0]!, b[0]!, cutOrEqual(one, other, 'givenName'))) return 'DISAGREE';
  const isShort = a.length <= b.length;
  const longer = isShort ? cutOrEqual(one, other, 'middleName') : cutOrEqual(other, one, 'middleName');
  const same = (x: string, y: string) => longer(x, y) || initialOrEqual(x, y);
  const [fewer, more] = isShort ? [a.slice(1), b.slice(1)] : [b.slice(1), a.slice(1)];
  let from = 0;
  for (const name of fewer) {
    const at = more.findIndex((candidate, index) => index >= from && sharesSpelling(name, candidate, same));
    if (at < 0) return 'DISAGREE';
    from = at + 1;
  }
  return 'AGREE';
};

/**
 * Compares full names: all parts of the shorter one must be parts of the longer one, in any order.
 * An initial agrees with a name that begins with it, and so does a truncated name; two names have
 * to be the same in full. `ofOne` and `ofOther` say which are truncated.
 */
export const compareFullNames = (
  one: string,
  other: string,
  ofOne: StatedNames = {},
  ofOther: StatedNames = {},
): FieldAgreement => comparedInScripts(one, other, (a, b) => compareFullNamesAlike(a, b, ofOne, ofOther));

const compareFullNamesAlike = (
  one: string,
  other: string,
  ofOne: StatedNames,
  ofOther: StatedNames,
): FieldAgreement => {
  const a = words([one]);
  const b = words([other]);
  if (a.length === 0 || b.length === 0) return 'UNKNOWN';
  if (sharesSpelling(a.join(''), b.join(''), equal)) return 'AGREE';
  const isShort = a.length <= b.length;
  const [fewer, more] = isShort ? [a, [...b]] : [b, [...a]];
  const areCut = [ofOne, ofOther].some(isCutAnywhere);
  const longer = isShort ? cutAnywhere(ofOne, ofOther) : cutAnywhere(ofOther, ofOne);
  const takeOut = (name: string, same: (x: string, y: string) => boolean): boolean => {
    const at = more.findIndex((candidate) => sharesSpelling(name, candidate, same));
    if (at >= 0) more.splice(at, 1);
    return at >= 0;
  };
  const short = fewer.filter((name) => !takeOut(name, equal));
  if (!short.every((name) => takeOut(name, (x, y) => initialOrEqual(x, y) || longer(x, y)))) return 'DISAGREE';
  if (fewer.length - short.length >= ENOUGH) return 'AGREE';
  return areCut ? 'UNKNOWN' : 'DISAGREE';
};

/** Whether words of a full name are a surname, however it is spelled. LEE is not in KATHLEEN. */
export const hasSurname = (fullName: string, surname: string): boolean => {
  const all = words([fullName]);
  return all.some((_, from) =>
    all.slice(from).some((_word, more) => isSameName(all.slice(from, from + more + 1).join(''), surname)),
  );
};

/** Whether two names are the same in any spelling: nothing missing, no initials. */
export const isSameName = (one: string, other: string): boolean => sharesSpelling(one, other, equal);

/** Whether two names have the same parts in any order: none missing. */
export const isSameWholeName = (one: string, other: string): boolean => {
  const a = words([one]);
  const b = [...words([other])];
  return (
    a.length > 0 &&
    a.length === b.length &&
    a.every((name) => {
      const at = b.findIndex((candidate) => isSameName(name, candidate));
      if (at >= 0) b.splice(at, 1);
      return at >= 0;
    })
  );
};
