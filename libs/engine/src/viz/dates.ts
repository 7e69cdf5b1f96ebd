import { table } from '@assay/contracts/table';
import { fold } from './letters.ts';

/** One way to read a printed date. `year` has two digits where only two are printed. */
interface PrintedDate {
  year: number;
  fullYear: boolean;
  month: number;
  day: number;
  /** Read month first, or day first, where the figures can be read both ways. */
  monthFirst?: boolean;
  /** As printed. */
  text: string;
}

/**
 * First three letters of the months in the languages of travel documents; four where three are not
 * enough.
 */
const MONTHS: readonly (readonly string[])[] = [
  ['JAN', 'GEN', 'ENE', 'OCA'],
  ['FEB', 'FEV', 'SUB'],
  ['MAR', 'MRZ', 'MAE', 'MRT', 'MAA'],
  ['APR', 'AVR', 'ABR', 'NIS'],
  ['MAY', 'MAI', 'MAG', 'MEI', 'MAJ'],
  ['JUN', 'JUIN', 'GIU', 'HAZ'],
  ['JUL', 'JUIL', 'LUG', 'TEM'],
  ['AUG', 'AOU', 'AGO', 'AVG'],
  ['SEP', 'SET', 'EYL'],
  ['OCT', 'OKT', 'OTT', 'OUT', 'EKI'],
  ['NOV', 'KAS'],
  ['DEC', 'DEZ', 'DIC', 'DES', 'ARA'],
];

/** What the recogniser makes of letters in months. */
const LOOK_ALIKE = table<string>({
  O: '[O0]',
  I: '[I1L]',
  S: '[S5]',
  B: '[B8]',
  G: '[G6]',
  L: '[LI1]',
});
const pattern = (name: string): string => Array.from(name, (char) => LOOK_ALIKE[char] ?? char).join('');

// Longer names first, so that JUIL is not taken for JUI..., nor JUIN for JUL.
const NAMES = MONTHS.flatMap((names, i) => names.map((name) => ({ name, month: i + 1 }))).sort(
  (a, b) => b.name.length - a.name.length || a.month - b.month,
);
const ANY_MONTH = NAMES.map(({ name }) => pattern(name)).join('|');

const monthOf = (text: string): number | undefined => {
  const exact = NAMES.find(({ name }) => name === text);
  return (exact ?? NAMES.find(({ name }) => new RegExp(`^${pattern(name)}$`).test(text)))?.month;
};

const numberOf = (text: string): number => Number(text.replace(/[OQ]/g, '0').replace(/[IL]/g, '1'));

const dated = (text: string, year: string, month: number, day: string): PrintedDate[] => {
  const d = numberOf(day);
  const y = numberOf(year);
  if (!(month >= 1 && month <= 12 && d >= 1 && d <= 31)) return [];
  return [{ year: y, fullYear: year.length === 4, month, day: d, text: text.trim() }];
};

const DAY = '([0-3OIL]?[0-9OIL])';
const TAIL = '[A-Z]{0,7}[.]?';
/**
 * In a language of another alphabet, or with marks: only the second month is known. Of a Chinese
 * one the figure alone is read: 12 8/AUG 1974.
 */
const FIRST_LANGUAGE = '(?:(?:[A-Z0-9]{2,9}[.]?|[1-9])\\s*\\/\\s*)??';
const SECOND_LANGUAGE = '(?:\\s*\\/\\s*[A-Z]{3,9}[.]?)?';
const DAY_MONTH = new RegExp(
  `${DAY}[\\s.,\\/-]*${FIRST_LANGUAGE}(${ANY_MONTH})${TAIL}${SECOND_LANGUAGE}[\\s.,\\/-]*(\\d{4}|\\d{2})(?!\\d)`,
  'g',
);
const MONTH_DAY = new RegExp(`(${ANY_MONTH})${TAIL}[\\s.]*(\\d{1,2})[\\s,.]+(\\d{4})`, 'g');
const YEAR_FIRST = /(?<!\d)(\d{4})[\s./-]*(\d{2})[\s./-]*(\d{2})(?!\d)/g;
const YEAR_LAST = /(?<!\d)(\d{1,2})[\s.,/-]*(\d{2})[\s.,/-]*(\d{4}|\d{2})(?!\d)/g;
/** 12.8.1974, as Finnish and Austrian documents have it: without points it would be no date. */
const SHORT_MONTH = /(?<!\d|\d[./-])(\d{1,2})[./-] ?(\d)[./-] ?(\d{4})(?!\d)/g;
/** 12.VIII.1974, as Hungarian and Polish documents have it; between two marks, or two blanks. */
const ROMAN = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII'];
const ROMAN_MONTH = /(?<!\d)(\d{1,2})(?:[./-] ?| )([IVXL1]{1,4})(?:[./-] ?| )(\d{4})(?!\d)/g;
const romanOf = (text: string): number => ROMAN.indexOf(text.replace(/[1L]/g, 'I')) + 1;
/** A slash read as 1. */
const SLASHES = /(?<!\d)(\d{2})[1/.|](\d{2})[1/.|](\d{4})(?!\d)/g;

const named = (text: string): PrintedDate[] => [
  ...[...text.matchAll(DAY_MONTH)].flatMap(([all, day, month, year]) => dated(all, year!, monthOf(month!) ?? 0, day!)),
  ...[...text.matchAll(ROMAN_MONTH)]
    .filter(([, , month]) => !/^1+$/.test(month!))
    .flatMap(([all, day, month, year]) => dated(all, year!, romanOf(month!), day!)),
  ...[...text.matchAll(MONTH_DAY)].flatMap(([all, month, day, year]) => dated(all, year!, monthOf(month!) ?? 0, day!)),
];

const numeric = (text: string): PrintedDate[] => {
  // Letters for digits only beside digits: replaced everywhere, JUL 2001 would become JU12001.
  const digits = text.replace(/(?<=[\d./-])[OQ](?=[\dO./-]|$)/g, '0').replace(/(?<=[\d./-])[IL](?=[\d./-]|$)/g, '1');
  const bothOrders = ([all, a, b, year]: RegExpMatchArray) => {
    // Seven figures without a mark are a number.
    if (a!.length === 1 && /^\d+$/.test(all)) return [];
    const dayFirst = dated(all, year!, Number(b), a!);
    const monthFirst = dated(all, year!, Number(a), b!);
    if (dayFirst.length === 0 || monthFirst.length === 0 || Number(a) === Number(b))
      return [...dayFirst, ...monthFirst];
    return [
      ...dayFirst.map((date) => ({ ...date, monthFirst: false })),
      ...monthFirst.map((date) => ({ ...date, monthFirst: true })),
    ];
  };
  return [
    ...[...digits.matchAll(YEAR_FIRST)].flatMap(([all, year, month, day]) => dated(all, year!, Number(month), day!)),
    ...[...digits.matchAll(YEAR_LAST)].flatMap(bothOrders),
    ...[...digits.matchAll(SHORT_MONTH)].flatMap(bothOrders),
    ...[...digits.matchAll(SLASHES)].flatMap(bothOrders),
  ];
};

/**
 * Every way to read the dates in a text. Day and month order is not decided here: both readings are
 * given.
 */
export const datesIn = (text: string): PrintedDate[] => {
  const folded = fold(text);
  return [...named(folded), ...numeric(folded)];
};

const two = (n: number): string => String(n).padStart(2, '0');
const differing = (a: string, b: string): number => Array.from(a).filter((char, i) => char !== b[i]).length;

/**
 * Digits in which a printed date differs from an ISO date. A printed four-digit year counts in
 * full, century included: comparing two digits would let 1965 pass for 3965.
 */
export const dateDistance = (printed: PrintedDate, iso: string): number => {
  const [year, month, day] = iso.split('-') as [string, string, string];
  const years = printed.fullYear
    ? differing(String(printed.year).padStart(4, '0'), year)
    : differing(two(printed.year % 100), year.slice(2));
  return years + differing(two(printed.month), month) + differing(two(printed.day), day);
};
