import type { Page } from '../image.ts';
import { dateDistance, datesIn } from './dates.ts';
import type { Key } from './label-words.ts';
import { labelKeyOf } from './labels.ts';
import { fold } from './letters.ts';
import type { ExpectedValues, VisualField } from './match.ts';
import type { Ocr, TextBox, TextLine } from './ocr.ts';

interface Read {
  page: Page;
  boxes: readonly TextBox[];
  read: ReadonlyMap<TextBox, TextLine>;
}

/** Two values that print shows behind each other's label. */
const PAIRS = [
  ['surname', 'givenNames'],
  ['birthDate', 'expiryDate'],
] as const satisfies readonly (readonly [VisualField & Key, VisualField & Key])[];

/** Heights a label stands above its value at most, and the part of it that says what it is about. */
const ABOVE = 2.6;
const LABEL_HEIGHTS = 10;

const plain = (text: string): string => fold(text).replace(/[^A-Z0-9]/g, '');

/** Whether a line holds a value; one that says more than the value and its label is another. */
const holds = (text: string, field: VisualField, expected: ExpectedValues): boolean => {
  const value = [expected[field] ?? []].flat().join('');
  if (value === '') return false;
  return field.endsWith('Date')
    ? datesIn(text).some((date) => date.fullYear && dateDistance(date, value) === 0)
    : plain(text).endsWith(plain(value));
};

/**
 * Values of the machine-readable part that are all printed, but behind each other's labels: print
 * says otherwise than that part. Both labels have to say so, for a layout may have its labels
 * elsewhere. The second one is read only where the first speaks for it.
 */
export const readExchanged = async (
  { page, boxes, read }: Read,
  expected: ExpectedValues,
  ocr: Ocr,
): Promise<VisualField[]> => {
  const keyOf = async (field: VisualField): Promise<Key | undefined> => {
    const value = boxes.find((box) => holds(read.get(box)?.text ?? '', field, expected));
    if (!value) return undefined;
    const own = labelKeyOf(read.get(value)!.text);
    const level = (box: TextBox) => value.y - box.y - value.slope * (value.x - box.x);
    const [label] = boxes
      .filter((box) => level(box) > 0.4 * value.height && level(box) < ABOVE * value.height)
      .filter((box) => Math.abs(box.left - value.left) < 2 * value.height)
      .sort((a, b) => level(a) - level(b));
    if (own || !label) return own;
    const right = Math.min(label.right, label.left + LABEL_HEIGHTS * label.height);
    return labelKeyOf((read.get(label) ?? (await ocr.read(page, { ...label, right }))).text);
  };
  const found: VisualField[] = [];
  for (const [one, other] of PAIRS)
    if ((await keyOf(one)) === other && (await keyOf(other)) === one) found.push(one, other);
  return found;
};
