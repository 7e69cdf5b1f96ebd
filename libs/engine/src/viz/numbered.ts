import { datesIn } from './dates.ts';
import type { LabelledValues } from './labels.ts';
import { fold } from './letters.ts';
import type { PlacedLine } from './placed-line.ts';

/** Fields of a driving licence by the numbers of Directive 2006/126/EC, annex I. */
const FIELDS = ['1', '2', '3', '4A', '4B', '4C', '4D', '5', '8', '9'] as const;
type Field = (typeof FIELDS)[number];

/** A number of a field at the start of a line or between others; a full stop or a blank ends it. */
const NUMBER = /(?:^|\s)([1-3589]|4 ?[ABCD])\s*[.,:]\s*|^(4 ?[ABCD])\s+/g;

/** The line's parts, each behind its number. */
const partsOf = (text: string): [Field, string][] => {
  const found = [...text.matchAll(NUMBER)].map((match) => ({
    field: (match[1] ?? match[2])!.replace(' ', '') as Field,
    from: match.index,
    end: match.index + match[0].length,
  }));
  // Fields stand in order: what looks like a lower number inside a value is none.
  const rising = found.filter(({ field }, i) => i === 0 || FIELDS.indexOf(field) > FIELDS.indexOf(found[i - 1]!.field));
  return rising.map(({ field, end }, i) => [field, text.slice(end, rising[i + 1]?.from).trim()]);
};

/** What stands beside a number that is a line by itself. */
const besideOf = (number: PlacedLine, lines: readonly PlacedLine[]): string => {
  const near = lines
    .filter((line) => line !== number && line.left > number.left && Math.abs(line.y - number.y) < 0.6 * number.height)
    .sort((a, b) => a.left - b.left);
  return near[0] ? fold(near[0].text).trim() : '';
};

const valuesByNumber = (lines: readonly PlacedLine[]): Map<Field, string> => {
  const values = new Map<Field, string>();
  for (const line of [...lines].sort((a, b) => a.y - b.y))
    for (const [field, value] of partsOf(fold(line.text).trim())) {
      const found = value || besideOf(line, lines);
      if (found && !values.has(field)) values.set(field, found);
    }
  return values;
};

const two = (n: number): string => String(n).padStart(2, '0');

/**
 * The date a text begins with, day first; of two figures for the year the century that lies between
 * `from` and `to`.
 */
const dateBetween = (text: string | undefined, from: string, to: string): string | undefined => {
  const [first] = datesIn(text ?? '');
  if (!first) return undefined;
  const { fullYear, year, month, day } = first;
  const years = fullYear ? [year] : [2000 + (year % 100), 1900 + (year % 100)];
  return years.map((one) => `${one}-${two(month)}-${two(day)}`).find((date) => date >= from && date <= to);
};

const NAME = /^\p{L}[\p{L} '.-]*$/u;
const LICENCE_NUMBER = /^(?=.*\d)[A-Z0-9][A-Z0-9 /-]{4,24}$/;

/**
 * Reads a driving licence of the European layout by the numbers of its fields. `today` ends what
 * can have been.
 */
export const numberedValues = (lines: readonly PlacedLine[], today: string): LabelledValues => {
  const values = valuesByNumber(lines);
  const name = (field: Field) => (NAME.test(values.get(field) ?? '') ? values.get(field) : undefined);
  const surname = name('1');
  const given = name('2')?.split(/ +/);
  const birthDate = dateBetween(values.get('3'), '1900-01-01', today);
  const issuingDate = dateBetween(values.get('4A'), birthDate ?? '1950-01-01', today);
  const expiryDate = dateBetween(values.get('4B'), issuingDate ?? '1990-01-01', '2099-12-31');
  const number = values.get('5');
  const birthPlace = /\d\s+([\p{L}][\p{L} ,'.()-]*)$/u.exec(values.get('3') ?? '')?.[1];
  const authority = values.get('4C');
  return {
    ...(surname && { surname }),
    ...(given && { givenNames: given }),
    ...(birthDate && { birthDate }),
    ...(birthPlace && { birthPlace }),
    ...(issuingDate && { issuingDate }),
    ...(expiryDate && { expiryDate }),
    ...(authority && { authority }),
    ...(number && LICENCE_NUMBER.test(number) && { documentNumber: number.replace(/ /g, '') }),
  };
};
