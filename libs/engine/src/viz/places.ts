import { dateDistance, datesIn } from './dates.ts';
import type { LabelledValues } from './labels.ts';
import { fold } from './letters.ts';
import { agrees, type ExpectedValues, type FieldCheck, type VisualField } from './match.ts';
import { otherSex } from './personal.ts';
import type { PlacedLine } from './placed-line.ts';

/** A field of the visual zone that can differ from the machine-readable part. */
export type PlacedField = VisualField | 'sex';

/**
 * Where a field is printed otherwise than the machine-readable part says, in shares of the picture
 * as it was sent (upright by EXIF), and what is printed there.
 */
export interface PrintPlace {
  side: 'FRONT' | 'BACK';
  text: string;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A side as it was read: its size turned upright, and the degrees it was turned clockwise. */
export interface SideRead {
  width: number;
  height: number;
  rotation: 0 | 90 | 180 | 270;
}

export interface PrintFound {
  lines: readonly PlacedLine[];
  checks: Partial<Record<VisualField, FieldCheck>>;
  sex?: 'OK' | 'WARNING' | 'UNVERIFIED';
  /** What labels say, also of fields that the machine-readable part has. */
  labelled: LabelledValues;
  expected: ExpectedValues;
  sides: Readonly<Partial<Record<PlacedLine['side'], SideRead>>>;
}

type Point = readonly [number, number];

/** A point of the upright page, both in shares, on the picture as it was sent. */
const asSent = ([x, y]: Point, rotation: SideRead['rotation']): Point => {
  if (rotation === 90) return [y, 1 - x];
  if (rotation === 180) return [1 - x, 1 - y];
  if (rotation === 270) return [1 - y, x];
  return [x, y];
};

const within = (share: number): number => Math.min(1, Math.max(0, share));

/** The box around a line, slanted or not, on the picture as it was sent. */
const boxOf = ({ left: from, right, y, height: high, slope = 0 }: PlacedLine, side: SideRead) => {
  const half = high / 2 + Math.abs((slope * (right - from)) / 2);
  const corners: Point[] = [
    [from / side.width, (y - half) / side.height],
    [right / side.width, (y + half) / side.height],
  ];
  const sent = corners.map((corner) => asSent(corner, side.rotation));
  const [xs, ys] = [sent.map(([x]) => within(x)), sent.map(([, y]) => within(y))];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
};

const plain = (text: string): string => fold(text).replace(/[^A-Z0-9]/g, '');

interface Found {
  line: PlacedLine;
  text: string;
}

const dateFound = (
  lines: readonly PlacedLine[],
  isMeant: (date: ReturnType<typeof datesIn>[number]) => boolean,
): Found[] =>
  lines.flatMap((line) => {
    const date = datesIn(line.text).find(isMeant);
    return date ? [{ line, text: date.text }] : [];
  });

/** What is like the expected value, but not it: in the line that holds least beside it. */
const almostFound = (field: VisualField, seen: string, lines: readonly PlacedLine[]): Found | undefined => {
  if (field.endsWith('Date')) return dateFound(lines, ({ text }) => text === seen)[0];
  const [line] = lines.filter(({ text }) => text.includes(seen)).sort((a, b) => a.text.length - b.text.length);
  return line && { line, text: seen };
};

/** What is by the label of a field, where nothing like the expected value was read. */
const labelledFound = (field: VisualField, labelled: LabelledValues, lines: readonly PlacedLine[]) => {
  const value = [labelled[field] ?? []].flat().join(' ');
  if (value === '') return undefined;
  if (field.endsWith('Date')) return dateFound(lines, (date) => date.fullYear && dateDistance(date, value) === 0)[0];
  const line = lines.find(({ text }) => plain(text).includes(plain(value)));
  return line && { line, text: value };
};

const foundAgainst = (field: VisualField, { match, seen }: FieldCheck, { labelled, lines }: PrintFound) => {
  if (agrees(match)) return undefined;
  return seen === undefined ? labelledFound(field, labelled, lines) : almostFound(field, seen, lines);
};

/**
 * Where fields are printed otherwise than the machine-readable part says, as far as print was read.
 */
export const placesOf = (print: PrintFound): Partial<Record<PlacedField, PrintPlace>> => {
  const { checks, sex, expected, lines, sides } = print;
  const fields = Object.entries(checks) as [VisualField, FieldCheck][];
  const all: [PlacedField, Found | undefined][] = [
    ...fields.map(([field, check]): [PlacedField, Found | undefined] => [field, foundAgainst(field, check, print)]),
    ['sex', sex === 'WARNING' ? otherSex(lines, expected.sex) : undefined],
  ];
  return Object.fromEntries(
    all.flatMap(([field, found]) => {
      const side = found && sides[found.line.side];
      return side ? [[field, { side: found.line.side, text: found.text, ...boxOf(found.line, side) }]] : [];
    }),
  );
};
