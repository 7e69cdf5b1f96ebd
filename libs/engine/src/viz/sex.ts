import type { SideRead } from './further.ts';
import { fold } from './letters.ts';
import type { ExpectedValues } from './match.ts';
import type { Ocr, TextBox, TextLine } from './ocr.ts';
import { isSexLabel, sexLine } from './personal.ts';

/** Labels that are read to find the one of the sex: each costs time. */
const MOST_LABELS = 3;
/** Longest label, in its heights: `Sex / Sexe / Geschlecht`. */
const LONGEST_LABEL = 9;
/** Letters that are read less surely are no evidence of anything. */
const SURE = 0.8;
/** How far the letter may reach from where its label begins, in heights of the values. */
const LETTER = { before: 0.4, behind: 1.4 };

/** The height of a value over its label, wherever in its row it stands: the page may lie aslant. */
const levelOf = (label: TextBox, value: TextBox): number => value.y - label.slope * (value.x - label.x);
const gap = (label: TextBox, value: TextBox): number =>
  (levelOf(label, value) - label.y) / Math.max(label.height, value.height);
const isBelow = (label: TextBox, value: TextBox): boolean => gap(label, value) > 0.4 && gap(label, value) < 2;
const isAbove = (label: TextBox, value: TextBox): boolean =>
  isBelow(label, value) && Math.abs(label.left - value.left) < 2 * value.height && value.height > label.height;

/** Where the letter has to stand: below its label, as high as the other values of its row. */
const placeOf = (label: TextBox, boxes: readonly TextBox[]): TextBox | undefined => {
  const [mate] = boxes
    .filter((box) => box !== label && isBelow(label, box) && box.height > label.height)
    .sort((a, b) => Math.abs(a.x - label.x) - Math.abs(b.x - label.x));
  if (!mate) return undefined;
  const { height, top, bottom } = mate;
  const { slope } = label;
  const left = Math.max(0, label.left - LETTER.before * height);
  const right = label.left + LETTER.behind * height;
  const x = (left + right) / 2;
  const y = levelOf(label, mate) + slope * (x - label.x);
  return { left, right, x, y, height, slope, top, bottom, offset: y - slope * x };
};

/**
 * Looks for the letter of the sex where it has to stand: the net that finds print misses single
 * letters. Its label is among those below which no value was found.
 */
export const readSex = async (
  { page, boxes, read: before }: SideRead,
  { sex }: ExpectedValues,
  ocr: Ocr,
): Promise<ReadonlyMap<TextBox, TextLine>> => {
  if (sex === undefined || sexLine([...before.values()], sex)) return before;
  const read = new Map(before);
  const known = boxes.filter((box) => isSexLabel(read.get(box)?.text ?? ''));
  const alone = boxes.filter(
    (box) =>
      !read.has(box) &&
      box.right - box.left < LONGEST_LABEL * box.height &&
      !boxes.some((other) => isAbove(box, other) || isAbove(other, box)),
  );
  for (const label of [...known, ...alone.slice(0, MOST_LABELS)]) {
    const place = placeOf(label, boxes);
    if (!place) continue;
    if (!read.has(label)) read.set(label, await ocr.read(page, label));
    if (!isSexLabel(read.get(label)!.text)) continue;
    const line = await ocr.read(page, place);
    if (line.confidence > SURE && /^[A-Z]$/.test(fold(line.text).trim())) read.set(place, line);
  }
  return read;
};
