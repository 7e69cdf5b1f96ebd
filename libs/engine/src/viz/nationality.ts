import type { SideRead } from './further.ts';
import { labelAbove, labelBeside } from './label-places.ts';
import { fold } from './letters.ts';
import type { ExpectedValues } from './match.ts';
import { otherNation } from './nations.ts';
import type { Ocr, TextBox, TextLine } from './ocr.ts';
import { nationalityIn } from './personal.ts';
import { NATIONALITY_LABEL } from './states.ts';

/** Words that are read less surely are no evidence of anything. */
const SURE = 0.9;
/** Values whose labels are looked at: each costs time. */
const MOST = 6;
/** A label says what it is about in its first letters. */
const LABEL_HEIGHTS = 10;
/** Values are as high as those that were read. */
const AS_HIGH = 0.75;

const isWords = (text: string): boolean => /^[\p{L}\p{M} .'/-]+$/u.test(text);

/** Unread print as high as the values, nearest to the birth date or any other value first. */
const valuesOf = (boxes: readonly TextBox[], read: ReadonlyMap<TextBox, TextLine>): TextBox[] => {
  const known = [...read].filter(([, { text }]) => /\d/.test(text)).map(([box]) => box);
  const heights = known.map(({ height }) => height).sort((a, b) => a - b);
  const height = heights[heights.length >> 1] ?? 0;
  const distance = (box: TextBox) => Math.min(...known.map(({ x, y }) => Math.hypot(box.x - x, box.y - y)));
  return boxes
    .filter((box) => box.height > AS_HIGH * height && !known.includes(box))
    .sort((a, b) => distance(a) - distance(b));
};

/**
 * Looks for the nationality where it is printed as a word that is not the zone's: FRANÇAISE. No
 * check digit covers it. Only behind its label a word is one.
 */
export const readNationality = async (
  { page, boxes, read: before }: SideRead,
  { nationality }: ExpectedValues,
  ocr: Ocr,
): Promise<{ read: ReadonlyMap<TextBox, TextLine>; other?: string }> => {
  const read = new Map(before);
  if (nationality === undefined || nationalityIn([...read.values()], nationality)) return { read };
  const labelOf = async (box: TextBox | undefined): Promise<string> => {
    if (!box) return '';
    const right = Math.min(box.right, box.left + LABEL_HEIGHTS * box.height);
    if (!read.has(box)) read.set(box, await ocr.read(page, { ...box, right }));
    return fold(read.get(box)!.text);
  };
  for (const value of valuesOf(boxes, read).slice(0, MOST)) {
    const isLabelled =
      NATIONALITY_LABEL.test(await labelOf(labelAbove(value, boxes))) ||
      NATIONALITY_LABEL.test(await labelOf(labelBeside(value, boxes)));
    if (!isLabelled) continue;
    if (!read.has(value)) read.set(value, await ocr.read(page, value));
    const { text, confidence } = read.get(value)!;
    const other = isWords(text) && confidence > SURE ? otherNation(text, nationality) : undefined;
    return { read, ...(other && { other }) };
  }
  return { read };
};
