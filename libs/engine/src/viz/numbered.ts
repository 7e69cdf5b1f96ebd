import { present } from '@assay/contracts';
import { datesIn } from './dates.ts';
import type { LabelledValues } from './labels.ts';
import { fold } from './letters.ts';
import type { PlacedLine } from './placed-line.ts';

/** Fields of a driving licence by the numbers of Directive 2006/126/EC, annex I. */
const FIELDS = ['1', '2', '3', '4A', '4B', '4C', '4D', '5', '8', '9'] as const;
type Field = (typeof FIELDS)[number];

/**
 * A number of a field at the start of a line or between others; a full stop or a blank ends it, or
 * it is the whole line.
 */
const NUMBER = /(?:^|\s)([1-3589]|4 ?[ABCD])\s*[.,:]\s*|^(4 ?[ABCD])\s+|^([1-3589]|4 ?[ABCD])$/g;

/** The line's parts, each behind its number. */
const partsOf = (text: string): [Field, string][] => {
  const found = [...text.matchAll(NUMBER)].map((match) => ({
    field: (match[1] ?? match[2] ?? match[3])!.replace(' ', '') as Field,
    from: match.index,
    end: match.index + match[0].length,
  }));
  // Fields stand in order: what looks like a lower number inside a value is none.
  const rising = found.filter(({ field }, i) => i === 0 || FIELDS.indexOf(field) > FIELDS.indexOf(found[i - 1]!.field));
  return rising.map(({ field, end }, i) => [field, text.slice(end, rising[i + 1]?.from).trim()]);
};

/** A field's value; `apart` from its number, in a box of its own. */
interface Value {
  text: string;
  line: PlacedLine;
  apart: boolean;
}

const textOf = ({ text }: PlacedLine): string => fold(text).trim();
const byHeight = (lines: readonly PlacedLine[]): PlacedLine[] => [...lines].sort((a, b) => a.y - b.y);

/** What is beside a number that is a line by itself. */
const besideOf = (number: PlacedLine, lines: readonly PlacedLine[]): PlacedLine | undefined =>
  lines
    .filter((line) => line !== number && line.left > number.left && Math.abs(line.y - number.y) < 0.6 * number.height)
    .sort((a, b) => a.left - b.left)[0];

/** Fields that begin a line of their own, from the top. */
const ROWS: readonly Field[] = ['1', '2', '3', '4A', '4B', '5'];
/** Heights of a line from which two of them are not neighbours. */
const FAR = 3;

/**
 * The line next to that of the field before or behind, in the column of the values: small numbers
 * beside them are often not found.
 */
const betweenNeighbours = (
  at: number,
  values: ReadonlyMap<Field, Value>,
  column: readonly PlacedLine[],
): PlacedLine | undefined => {
  const lineOf = (row: Field | undefined) => row && values.get(row)?.line;
  const [above, below] = [lineOf(ROWS[at - 1]), lineOf(ROWS[at + 1])];
  const isNear = (line: PlacedLine, other: PlacedLine) => Math.abs(line.y - other.y) < FAR * line.height;
  if (above) return column.find((line) => line.y > above.y && isNear(line, above) && !(below && line.y >= below.y));
  return below && column.findLast((line) => line.y < below.y && isNear(line, below));
};

/** Fills in the values whose numbers were not read, where others stand apart from theirs. */
const fillGaps = (values: Map<Field, Value>, lines: readonly PlacedLine[]): void => {
  const lefts = [...values.values()].flatMap(({ apart, line }) => (apart ? line.left : [])).sort((a, b) => a - b);
  const left = lefts[lefts.length >> 1];
  if (left === undefined) return;
  for (const at of [...ROWS.keys(), ...[...ROWS.keys()].reverse()]) {
    const field = ROWS[at]!;
    const used = new Set([...values.values()].map(({ line }) => line));
    const column = lines.filter((line) => !used.has(line) && Math.abs(line.left - left) < line.height);
    const line = values.has(field) ? undefined : betweenNeighbours(at, values, column);
    if (line) values.set(field, { text: textOf(line), line, apart: true });
  }
};

const valuesByNumber = (printed: readonly PlacedLine[]): Map<Field, string> => {
  const lines = byHeight(printed);
  const values = new Map<Field, Value>();
  for (const line of lines)
    for (const [field, text] of partsOf(textOf(line))) {
      const beside = text ? undefined : besideOf(line, lines);
      const value = beside ? { text: textOf(beside), line: beside, apart: true } : { text, line, apart: false };
      if (value.text && !values.has(field)) values.set(field, value);
    }
  fillGaps(values, lines);
  return new Map([...values].map(([field, { text }]) => [field, text]));
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
  const birthDate = dateBetween(values.get('3'), '1900-01-01', today);
  const issuingDate = dateBetween(values.get('4A'), birthDate ?? '1950-01-01', today);
  const expiryDate = dateBetween(values.get('4B'), issuingDate ?? '1990-01-01', '2099-12-31');
  const number = values.get('5');
  const birthPlace = /\d\s+([\p{L}][\p{L} ,'.()-]*)$/u.exec(values.get('3') ?? '')?.[1];
  return present({
    surname: name('1'),
    givenNames: name('2')?.split(/ +/),
    birthDate,
    birthPlace,
    issuingDate,
    expiryDate,
    authority: values.get('4C') || undefined,
    documentNumber: number && LICENCE_NUMBER.test(number) ? number.replace(/ /g, '') : undefined,
  });
};
