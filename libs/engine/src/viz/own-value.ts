import type { SideRead } from './further.ts';
import { labelAbove, labelBelow, labelBeside, rowsBelow } from './label-places.ts';
import { labelledValues } from './labels.ts';
import type { ExpectedValues } from './match.ts';
import type { Ocr, TextBox, TextLine } from './ocr.ts';
import {
  isLabelOf,
  isLabelOfAlone,
  isLabelOfOther,
  LABELLED,
  type LabelledField,
  mayBeLabelOf,
  otherIn,
  says,
} from './own-label.ts';
import type { PlacedLine } from './placed-line.ts';

/** What print says behind a field's own label while the expected value stands elsewhere. */
export interface OwnValue {
  field: LabelledField;
  match: 'near' | 'partly';
  seen: string;
}

/** What is read less surely is no evidence of anything. */
const SURE = 0.9;
/** A label says what it is about in its first letters: the rest costs as much as another line. */
const LABEL_HEIGHTS = 10;
/** Values that are like the expected one: in heights and lengths of it. */
const LIKE = { height: 0.7, length: 0.5 };
/** A page has no more of them; each costs time. */
const MOST = 12;
/** How much farther a label has to stand to be surely another value's. */
const FARTHER = 1.25;

const lengthOf = (box: TextBox): number => box.right - box.left;
const isLike = (one: number, other: number, least: number): boolean => one > least * other && other > least * one;
const mayBeLike = (box: TextBox, value: TextBox): boolean =>
  isLike(box.height, value.height, LIKE.height) && isLike(lengthOf(box), lengthOf(value), LIKE.length);

interface Search {
  isLabel: (text: string, field: LabelledField, expected: ExpectedValues) => boolean;
  /** The first letters of a label are not enough: behind them another one may follow. */
  isWhole: boolean;
}
/** For the label of the expected value, and for one that speaks against it. */
const OF_SEEN: Search = { isLabel: mayBeLabelOf, isWhole: false };
const OF_OTHER: Search = { isLabel: isLabelOf, isWhole: true };

/** Reads lines once; of a label its first letters, and all of it where those are not enough. */
const readerOf = ({ page, boxes, read: before }: SideRead, expected: ExpectedValues, ocr: Ocr) => {
  const read = new Map(before);
  const whole = new Set<TextBox>();
  const look = async (box: TextBox): Promise<void> => {
    if (!read.has(box)) read.set(box, await ocr.read(page, box));
  };
  const label = async (box: TextBox | undefined, field: LabelledField, search: Search): Promise<string> => {
    if (!box) return '';
    const right = Math.min(box.right, box.left + LABEL_HEIGHTS * box.height);
    if (!read.has(box)) read.set(box, await ocr.read(page, { ...box, right }));
    const { text } = read.get(box)!;
    const isEnough = !search.isWhole && search.isLabel(text, field, expected);
    if (right === box.right || whole.has(box) || isEnough) return text;
    whole.add(box);
    read.set(box, await ocr.read(page, box));
    return read.get(box)!.text;
  };
  return { boxes, expected, read, look, label };
};
type Reader = ReturnType<typeof readerOf>;

/** The label in a value's own line, above it or before it. */
const labelOf = async (value: TextBox, field: LabelledField, search: Search, reader: Reader): Promise<string> => {
  const { boxes, expected, read, label } = reader;
  const { isLabel } = search;
  const { text } = read.get(value)!;
  if (isLabel(text, field, expected) || isLabelOfOther(text, field)) return text;
  const above = await label(labelAbove(value, boxes), field, search);
  if (isLabel(above, field, expected)) return above;
  const beside = await label(labelBeside(value, boxes), field, search);
  return isLabel(beside, field, expected) || isLabelOfOther(beside, field) ? beside : above;
};

/** How near the field's label stands below a value: it is that value's on some layouts. */
const labelledBelow = async (
  value: TextBox,
  field: LabelledField,
  { boxes, expected, label }: Reader,
): Promise<'NEARER' | 'ALIKE' | undefined> => {
  const below = labelBelow(value, boxes);
  if (!below || !mayBeLabelOf(await label(below, field, OF_SEEN), field, expected)) return undefined;
  const above = labelAbove(value, boxes);
  if (!above) return labelBeside(value, boxes) ? 'ALIKE' : 'NEARER';
  const [down, up] = [rowsBelow(value, below), rowsBelow(above, value)];
  if (down * FARTHER < up) return 'NEARER';
  return down < up * FARTHER ? 'ALIKE' : undefined;
};

interface Seen {
  isOwn: boolean;
  /** The field's label stands as near to it as another one. */
  isUnclear: boolean;
  /** It stands behind another label. */
  isOther: boolean;
}

const seenAt = async (value: TextBox, field: LabelledField, reader: Reader): Promise<Seen> => {
  const label = await labelOf(value, field, OF_SEEN, reader);
  if (mayBeLabelOf(label, field, reader.expected)) return { isOwn: true, isUnclear: false, isOther: false };
  const below = await labelledBelow(value, field, reader);
  return { isOwn: below === 'NEARER', isUnclear: below === 'ALIKE', isOther: isLabelOfOther(label, field) };
};

interface Other {
  seen: string;
  isSure: boolean;
  /** The machine-readable part has it as another value. */
  isElsewhere: boolean;
}

/** What stands behind the field's label on this side, if it is another value of its kind. */
const otherOn = async (field: LabelledField, reader: Reader): Promise<Other | undefined> => {
  const { read, expected } = reader;
  for (const [box, { text, confidence }] of [...read]) {
    const seen = otherIn(text, field, expected);
    if (!seen || !isLabelOfAlone(await labelOf(box, field, OF_OTHER, reader), field, expected)) continue;
    const isElsewhere = LABELLED.some((other) => other !== field && says(text, other, expected));
    return { seen, isSure: confidence > SURE, isElsewhere };
  }
  return undefined;
};

/** The same of the sides that were read before, whole. */
const otherBefore = (
  field: LabelledField,
  others: readonly PlacedLine[],
  expected: ExpectedValues,
): Other | undefined => {
  if (field === 'documentNumber') return undefined;
  const seen = labelledValues(others, expected.monthFirst)[field];
  if (!seen) return undefined;
  const lines = others.filter(({ text }) => says(text, field, { [field]: seen }));
  return { seen, isSure: lines.some(({ confidence }) => confidence > SURE), isElsewhere: false };
};

const ownValue = async (
  field: LabelledField,
  reader: Reader,
  others: readonly PlacedLine[],
): Promise<OwnValue | undefined> => {
  const { boxes, read, expected, look } = reader;
  const places = () => [...read.keys()].filter((box) => says(read.get(box)!.text, field, expected));
  const seen = new Map<TextBox, Seen>();
  const isOwn = async (): Promise<boolean> => {
    for (const box of places()) if (!seen.has(box)) seen.set(box, await seenAt(box, field, reader));
    return [...seen.values()].some((place) => place.isOwn);
  };
  const [first] = places();
  if (!first || others.some(({ text }) => says(text, field, expected)) || (await isOwn())) return undefined;
  const alike = boxes.filter((box) => !read.has(box) && mayBeLike(box, first));
  for (const box of alike.slice(0, MOST)) await look(box);
  if (await isOwn()) return undefined;
  const other = (await otherOn(field, reader)) ?? otherBefore(field, others, expected);
  if (!other) return undefined;
  const at = [...seen.values()];
  const isClear = !at.some(({ isUnclear }) => isUnclear) && (!other.isElsewhere || at.every(({ isOther }) => isOther));
  return { field, match: other.isSure && isClear ? 'near' : 'partly', seen: other.seen };
};

/**
 * Looks whether numbers and dates that were seen stand behind their own label: the zone may repeat
 * the day of issue as that of birth, or a personal number as the document's. Only where they do
 * not, what is like them is read, too; then another value behind the field's own label contradicts.
 * `others`: the lines of the sides before.
 */
export const readOwnValues = async (
  side: SideRead,
  expected: ExpectedValues,
  ocr: Ocr,
  others: readonly PlacedLine[],
): Promise<{ read: ReadonlyMap<TextBox, TextLine>; found: OwnValue[] }> => {
  const reader = readerOf(side, expected, ocr);
  const found: OwnValue[] = [];
  for (const field of LABELLED) {
    const own = expected[field] === undefined ? undefined : await ownValue(field, reader, others);
    if (own) found.push(own);
  }
  return { read: reader.read, found };
};
