import { table } from '@assay/contracts/table';
import { td1Number, td2Number } from './checks.ts';
import { LAYOUTS, type MrzFormat, sliceOf } from './formats.ts';
import { alpha3 } from './states.ts';

/**
 * The content of the lines: upper case, fillers as spaces, states alpha-3, dates `YYYY-MM-DD`.
 * Fields of fillers are absent.
 */
export interface MrzFields {
  documentCode: string;
  issuingState: string;
  nationality: string;
  surname: string;
  givenNames: string[];
  /** The name fills its line, so it may be truncated. */
  nameTruncated: boolean;
  documentNumber: string;
  birthDate?: string;
  /** The issuer knows no day, month or year of birth, and says so with fillers. */
  birthDateUnknown?: true;
  expiryDate?: string;
  /** A card whose issuer fills the last day: it has none, or does not say it. */
  expiryUnknown?: true;
  /** X if the document leaves it open; absent if the character is not allowed. */
  sex?: 'M' | 'F' | 'X';
  optional: string[];
}

const plain = (text: string): string => text.replace(/</g, ' ').trim().replace(/\s+/g, ' ');

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

const isoDate = (year: number, text: string): string | undefined => {
  const month = Number(text.slice(2, 4));
  const day = Number(text.slice(4, 6));
  if (!/^\d{6}$/.test(text) || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  return `${year}-${text.slice(2, 4)}-${text.slice(4, 6)}`;
};

/**
 * Births are in the last hundred years: a two-digit year after today's belongs to the last century.
 */
export const birthDateOf = (text: string, today: string): string | undefined => {
  const now = Number(today.slice(0, 4));
  const year = Math.floor(now / 100) * 100 + Number(text.slice(0, 2));
  const date = isoDate(year, text);
  if (date !== undefined && date <= today) return date;
  return isoDate(year - 100, text);
};

/**
 * Expiries are at most so many years ahead: later years belong to the last century. Hungary issues
 * cards for sixty years; no card with three lines expired before 1990.
 */
const FURTHEST = { card: 60, other: 49 };

export const expiryDateOf = (
  text: string,
  today: string,
  kind: keyof typeof FURTHEST = 'other',
): string | undefined => {
  const now = Number(today.slice(0, 4));
  const year = Math.floor(now / 100) * 100 + Number(text.slice(0, 2));
  return isoDate(year > now + FURTHEST[kind] ? year - 100 : year, text);
};

/** ICAO 9303 part 3 section 4.8: what is not known of a date of birth is filled. */
const PARTLY_KNOWN = /^(\d\d(0[1-9]|1[0-2])<<|\d\d<{4}|<{6})$/;

/**
 * Spain and Portugal write the first or last day of 9999 on cards that never expire. Their cards
 * with three lines are younger than 1999.
 */
const NEVER = table<string>({ '990101': '9999-01-01', '991231': '9999-12-31' });
const ISSUES_FOR_LIFE = new Set(['ESP', 'PRT']);

const cardExpiryOf = (format: MrzFormat, state: string, text: string, today: string): string | undefined =>
  (format === 'TD1' && ISSUES_FOR_LIFE.has(state) && NEVER[text]) ||
  expiryDateOf(text, today, format === 'TD1' ? 'card' : 'other');

/** Cards for life may have fillers for their last day; passports and visas always have one. */
const isOpenEnded = (format: MrzFormat, lines: readonly string[]): boolean =>
  (format === 'TD1' || format === 'TD2') &&
  !/^[PV]/.test(lines[0]!) &&
  /^<{6}$/.test(sliceOf(lines, LAYOUTS[format].expiryDate!));

const SEXES = table<'M' | 'F' | 'X'>({ M: 'M', F: 'F', X: 'X', '<': 'X' });

const namesOf = (text: string): Pick<MrzFields, 'surname' | 'givenNames' | 'nameTruncated'> => {
  const at = text.indexOf('<<');
  const surname = at < 0 ? text : text.slice(0, at);
  const given = at < 0 ? '' : text.slice(at + 2);
  return {
    surname: plain(surname),
    givenNames: plain(given).split(' ').filter(Boolean),
    nameTruncated: !text.endsWith('<'),
  };
};

const frenchNames = (lines: readonly string[]) => ({
  surname: plain(lines[0]!.slice(5, 30)),
  givenNames: plain(lines[1]!.slice(13, 27)).split(' ').filter(Boolean),
  nameTruncated: lines[0]![29] !== '<' || lines[1]![26] !== '<',
});

const numberAndOptional = (format: MrzFormat, lines: readonly string[]): { number: string; optional: string[] } => {
  if (format === 'TD1') {
    const { number, long } = td1Number(lines[0]!);
    return { number, optional: [long ? '' : lines[0]!.slice(15), lines[1]!.slice(18, 29)] };
  }
  if (format === 'FRENCH_ID') return { number: lines[1]!.slice(0, 12), optional: [lines[0]!.slice(30)] };
  if (format === 'TD2') {
    const { number, long } = td2Number(lines[1]!);
    return { number, optional: [long ? '' : lines[1]!.slice(28, 35)] };
  }
  const end = { TD3: 42, 'MRV-A': 44, 'MRV-B': 36 }[format];
  return { number: lines[1]!.slice(0, 9), optional: [lines[1]!.slice(28, end)] };
};

/**
 * The fields of lines that fit their format. Nothing is assessed here, except that impossible dates
 * are left out.
 */
export const fieldsOf = (format: MrzFormat, lines: readonly string[], today: string): MrzFields => {
  const layout = LAYOUTS[format];
  const { number, optional } = numberAndOptional(format, lines);
  const birthDate = birthDateOf(sliceOf(lines, layout.birthDate), today);
  const issuingState = alpha3(plain(sliceOf(lines, layout.state)));
  const expiryDate = layout.expiryDate && cardExpiryOf(format, issuingState, sliceOf(lines, layout.expiryDate), today);
  const sex = SEXES[sliceOf(lines, layout.sex)];
  const names = format === 'TD1' ? namesOf(lines[2]!) : namesOf(lines[0]!.slice(5));
  return {
    documentCode: plain(lines[0]!.slice(0, 2)),
    issuingState,
    nationality: alpha3(plain(sliceOf(lines, layout.nationality))),
    ...(format === 'FRENCH_ID' ? frenchNames(lines) : names),
    documentNumber: plain(number),
    ...(birthDate && { birthDate }),
    ...(PARTLY_KNOWN.test(sliceOf(lines, layout.birthDate)) && { birthDateUnknown: true as const }),
    ...(expiryDate && { expiryDate }),
    ...(isOpenEnded(format, lines) && { expiryUnknown: true as const }),
    ...(sex && { sex }),
    optional: optional.map(plain).filter(Boolean),
  };
};
