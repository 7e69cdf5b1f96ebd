import { dateDistance, datesIn } from './dates.ts';
import type { SideRead } from './further.ts';
import { labelAbove, labelBeside, rowsBelow } from './label-places.ts';
import type { Key } from './label-words.ts';
import { labelKeyOf } from './labels.ts';
import { fold } from './letters.ts';
import type { ExpectedValues, VisualField } from './match.ts';
import type { Ocr, TextBox } from './ocr.ts';

/**
 * Two values that print may show behind each other's label, in the order of most layouts (9303-4).
 */
const PAIRS = [
  ['surname', 'givenNames'],
  ['birthDate', 'expiryDate'],
] as const satisfies readonly (readonly [VisualField & Key, VisualField & Key])[];

/** A label says what it is about in its first letters, so many heights of it. */
const LABEL_HEIGHTS = 10;

const plain = (text: string): string => fold(text).replace(/[^A-Z0-9]/g, '');

/**
 * Whether a line holds a value; one that says more than the value and its label is another, unless
 * the zone may have cut the name.
 */
const holds = (text: string, field: VisualField, expected: ExpectedValues): boolean => {
  const value = [expected[field] ?? []].flat().join('');
  if (value === '') return false;
  if (field.endsWith('Date')) return datesIn(text).some((date) => date.fullYear && dateDistance(date, value) === 0);
  return expected.nameTruncated ? plain(text).includes(plain(value)) : plain(text).endsWith(plain(value));
};

const comesFirst = (one: TextBox, other: TextBox): boolean => {
  const distance = rowsBelow(one, other);
  return Math.abs(distance) > 0.5 * other.height ? distance > 0 : one.x < other.x;
};

/**
 * Values of the machine-readable part that are all printed, but behind each other's labels: print
 * says otherwise than that part. Looked at only where they come in the other order than usual: to
 * read labels costs time. Both labels have to say so, for a layout may have its own order, or its
 * labels elsewhere. The second one is read only where the first speaks for it.
 */
export const readExchanged = async (
  { page, boxes, read }: SideRead,
  expected: ExpectedValues,
  ocr: Ocr,
): Promise<VisualField[]> => {
  const keyIn = async (label: TextBox | undefined): Promise<Key | undefined> => {
    if (!label) return undefined;
    const right = Math.min(label.right, label.left + LABEL_HEIGHTS * label.height);
    return labelKeyOf((read.get(label) ?? (await ocr.read(page, { ...label, right }))).text);
  };
  const keyOf = async (value: TextBox): Promise<Key | undefined> => {
    const own = labelKeyOf(read.get(value)!.text);
    return own ?? (await keyIn(labelAbove(value, boxes))) ?? keyIn(labelBeside(value, boxes));
  };
  const boxOf = (field: VisualField) => boxes.find((box) => holds(read.get(box)?.text ?? '', field, expected));
  const found: VisualField[] = [];
  for (const [one, other] of PAIRS) {
    const [first, second] = [boxOf(one), boxOf(other)];
    if (!first || !second || comesFirst(first, second)) continue;
    if ((await keyOf(first)) === other && (await keyOf(second)) === one) found.push(one, other);
  }
  return found;
};
