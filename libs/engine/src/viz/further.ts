import type { Page } from '../image.ts';
import { dateDistance, datesIn } from './dates.ts';
import { isFurtherLabel } from './labels.ts';
import { plain } from './letters.ts';
import type { ExpectedValues } from './match.ts';
import type { Ocr, TextBox, TextLine } from './ocr.ts';

/** A side whose print was found, and the lines of it that were read. */
export interface SideRead {
  page: Page;
  boxes: readonly TextBox[];
  read: ReadonlyMap<TextBox, TextLine>;
}

/**
 * A label says what it is about in its first letters: the rest, often a second language, costs as
 * much as another line.
 */
const LABEL_HEIGHTS = 8;
/**
 * Dates that are tried, and values beside the issuing date whose label is looked at: where the
 * holder was born, who issued it.
 */
const DATES = 2;
const OTHER_VALUES = 1;

const lengthOf = (box: TextBox): number => box.right - box.left;
const isLike = (one: TextBox, other: TextBox): boolean =>
  Math.abs(lengthOf(one) / lengthOf(other) - 1) < 0.25 && Math.abs(one.height / other.height - 1) < 0.25;

const isAbove = (value: TextBox, box: TextBox): boolean => {
  const unit = Math.max(value.height, box.height);
  const gap = value.y - box.y;
  return gap > 0.4 * unit && gap < 2.6 * unit && Math.abs(box.left - value.left) < 2 * unit;
};

const holdsDate = ({ text }: TextLine): boolean => datesIn(text).some(({ fullYear }) => fullYear);

/** The print says the number of the document, whose digits may look like those of a date. */
const saysNumber = ({ text }: TextLine, { documentNumber }: ExpectedValues): boolean =>
  documentNumber !== undefined && plain(text).includes(plain(documentNumber));

const isoOf = ({ year, month, day }: { year: number; month: number; day: number }): string =>
  [String(year).padStart(4, '0'), ...[month, day].map((part) => String(part).padStart(2, '0'))].join('-');

/** A date that may be the day of issue: another one, between those of birth and expiry. */
const holdsNew = (line: TextLine, expected: ExpectedValues): boolean => {
  const { birthDate = '', expiryDate = '9999' } = expected;
  const dates = datesIn(line.text);
  const isKnown = [birthDate, expiryDate].some((iso) => iso && dates.some((date) => dateDistance(date, iso) === 0));
  const isBetween = dates.some((date) => date.fullYear && isoOf(date) > birthDate && isoOf(date) < expiryDate);
  return isBetween && !isKnown && !saysNumber(line, expected);
};

/**
 * Reads what the machine-readable part does not have, on a side whose other values were all seen:
 * the third date with its label, and the value nearest below the birth date where its label says
 * what it is. Few lines: each costs time.
 */
export const readFurther = async (
  { page, boxes, read: before }: SideRead,
  expected: ExpectedValues,
  ocr: Ocr,
): Promise<Map<TextBox, TextLine>> => {
  const read = new Map(before);
  const look = async (box: TextBox, part = box): Promise<TextLine> => {
    const line = read.get(box) ?? (await ocr.read(page, part));
    read.set(box, line);
    return line;
  };
  const labelOf = async (value: TextBox): Promise<string> => {
    const [label] = boxes.filter((box) => box !== value && isAbove(value, box)).sort((a, b) => b.y - a.y);
    if (!label) return '';
    const right = Math.min(label.right, label.left + LABEL_HEIGHTS * label.height);
    return (await look(label, { ...label, right })).text;
  };
  const isDate = (box: TextBox) => read.has(box) && holdsDate(read.get(box)!);
  const isThird = (box: TextBox) => read.has(box) && holdsNew(read.get(box)!, expected);

  const dates = boxes.filter(isDate);
  const mayBeDates = boxes.filter((box) => !read.has(box) && dates.some((date) => isLike(box, date)));
  for (const box of mayBeDates.slice(0, DATES)) if (!boxes.some(isThird)) await look(box);
  // A barcode has the rest, and says what the third date is.
  if (expected.issuingDate) return read;
  const third = boxes.find(isThird);
  if (third) await labelOf(third);

  const [birth] = dates.filter((box) => !isThird(box)).sort((a, b) => a.y - b.y);
  if (!birth) return read;
  const distance = (box: TextBox) => Math.hypot(box.x - birth.x, box.y - birth.y);
  const others = boxes
    .filter((box) => !read.has(box) && box.height > 0.8 * birth.height && box.y > birth.y - birth.height / 2)
    .sort((a, b) => distance(a) - distance(b));
  for (const box of others.slice(0, OTHER_VALUES)) if (isFurtherLabel(await labelOf(box))) await look(box);
  return read;
};
