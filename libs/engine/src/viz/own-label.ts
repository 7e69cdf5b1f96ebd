import { dateDistance, datesIn } from './dates.ts';
import type { Key } from './label-words.ts';
import { labelKeyOf } from './labels.ts';
import { fold, NUMBER_SPELLING, occurrenceOf } from './letters.ts';
import type { ExpectedValues } from './match.ts';

/** Values of which a page may print another one of the same kind. */
export const LABELLED = ['documentNumber', 'birthDate', 'expiryDate', 'issuingDate'] as const;
export type LabelledField = (typeof LABELLED)[number];

const DATE_KEYS: readonly Key[] = ['birthDate', 'expiryDate', 'issuingDate'];

/**
 * What a document surely calls the number of its machine-readable part: an identity number is
 * another one, and so is the passport's on a card.
 */
const NUMBER_LABELS: Record<NonNullable<ExpectedValues['numberLabel']>, RegExp> = {
  PASSPORT: /^(PASSPORT|DOCUMENT)N(O|R|UMBER)/,
  CARD: /^DOCUMENTN(O|R|UMBER)/,
  LICENCE: /^(4D)?(DLN|LIC(ENCE|ENSE)?(NO|NUMBER)|(DL|LIC)(?=[A-Z]{0,2}\d|$))/,
};
/** What it may call it, in any language. */
const MAYBE_NUMBER = /PAS[SZ]|PASA|DO[CK]U|KART|CARD|LIC|PERMI[ST]|CUSTOMER|^(4D|DL)/;

/** Years of other calendars, and of what is no date, are outside of these. */
const YEARS = { first: 1900, last: 2100 };

const plain = (text: string): string => fold(text).replace(/[^A-Z0-9]/g, '');
const asNumber = (text: string): string => NUMBER_SPELLING.same(plain(text));
/** A label says the same in several languages. */
const languagesOf = (text: string): string[] => text.split(/[/|]/);

const keysOf = (text: string): Key[] => languagesOf(text).flatMap((part) => labelKeyOf(part) ?? []);

/** What a text says at any of its words: one box may hold the labels of two columns. */
const dateKeysIn = (text: string): Key[] => {
  const folded = fold(text);
  return [...folded.matchAll(/[A-Z0-9]+/g)]
    .flatMap(({ index }) => labelKeyOf(folded.slice(index)) ?? [])
    .filter((key) => DATE_KEYS.includes(key));
};

/** Whether a text begins with a label of the field, in one of its languages. */
export const isLabelOf = (text: string, field: LabelledField, { numberLabel }: ExpectedValues): boolean => {
  if (field !== 'documentNumber') return keysOf(text).includes(field);
  const label = numberLabel && NUMBER_LABELS[numberLabel];
  return label !== undefined && languagesOf(text).some((part) => label.test(plain(part)));
};

/** Whether it may be its label. */
export const mayBeLabelOf = (text: string, field: LabelledField, expected: ExpectedValues): boolean =>
  isLabelOf(text, field, expected) || (field === 'documentNumber' && MAYBE_NUMBER.test(plain(text)));

/** Whether it is about that field alone. */
export const isLabelOfAlone = (text: string, field: LabelledField, expected: ExpectedValues): boolean =>
  isLabelOf(text, field, expected) && dateKeysIn(text).every((key) => key === field);

/** Whether a text is a label of something else. */
export const isLabelOfOther = (text: string, field: LabelledField): boolean =>
  keysOf(text).some((key) => key !== field);

/** Whether a text says the expected value. */
export const says = (text: string, field: LabelledField, expected: ExpectedValues): boolean => {
  const value = expected[field];
  if (value === undefined) return false;
  return field === 'documentNumber'
    ? asNumber(text).includes(asNumber(value))
    : datesIn(text).some((date) => dateDistance(date, value) === 0);
};

const WHOLE_NUMBER = /^(?=.*\d)[A-Z0-9][A-Z0-9 -]{4,22}$/;
const LAST_NUMBER = /[\s:.]((?=[A-Z]*\d)[A-Z0-9]{5,14})$/;

const otherNumber = (text: string, number: string, isLabelled: boolean): string | undefined => {
  const folded = fold(text).trim();
  const joined = folded.replace(/(?<=[A-Z0-9])-(?=[A-Z0-9])/g, '');
  const isWhole = !isLabelled && WHOLE_NUMBER.test(joined);
  const found = isWhole ? joined : LAST_NUMBER.exec(joined)?.[1];
  if (!found || datesIn(folded).some((date) => !/^\d+$/.test(date.text))) return undefined;
  const [one, other] = [asNumber(found), asNumber(number)];
  // Part of the number, or the number with more print, is not another one; nor is one misread.
  return occurrenceOf(one, other).edits > 1 && occurrenceOf(other, one).edits > 1 ? found : undefined;
};

/** Another value of the same kind that a text says, as it is printed. */
export const otherIn = (text: string, field: LabelledField, expected: ExpectedValues): string | undefined => {
  const value = expected[field];
  if (value === undefined || says(text, field, expected)) return undefined;
  if (field === 'documentNumber') return otherNumber(text, value, isLabelOf(text, field, expected));
  const isPlausible = ({ fullYear, year }: ReturnType<typeof datesIn>[number]) =>
    fullYear && year >= YEARS.first && year < YEARS.last;
  return datesIn(text).find(isPlausible)?.text;
};
