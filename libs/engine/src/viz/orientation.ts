import { type Page, turnedPage } from '../image.ts';
import type { Quarter } from '../raster.ts';
import type { Ocr, TextBox, TextLine } from './ocr.ts';

/** A page turned upright, the boxes of print on it, and those already read. */
export interface UprightPage {
  page: Page;
  /** Quarters the page was turned clockwise. */
  quarters: Quarter;
  boxes: TextBox[];
  read: ReadonlyMap<TextBox, TextLine>;
}

const SAMPLES = 4;
const SURE = 0.8;

const aspectOf = (box: TextBox): number => (box.right - box.left) / box.height;

const mostlyVertical = (boxes: readonly TextBox[]): boolean => {
  const tall = boxes.filter((box) => aspectOf(box) < 0.5).length;
  return tall > 2 && tall > boxes.filter((box) => aspectOf(box) > 2).length;
};

/** Lines long enough to tell upright print from print upside down, and short enough to be cheap. */
const samplesOf = (boxes: readonly TextBox[]): TextBox[] =>
  boxes
    .filter((box) => aspectOf(box) > 2.5 && aspectOf(box) < 12)
    .sort((a, b) => b.height - a.height)
    .slice(0, SAMPLES);

const upsideDown = (page: Page, box: TextBox): TextBox => {
  const x = page.width - box.x;
  const y = page.height - box.y;
  return { ...box, left: page.width - box.right, right: page.width - box.left, x, y, offset: y - box.slope * x };
};

const confidenceOf = (lines: readonly TextLine[]): number =>
  lines.length ? lines.reduce((sum, { confidence }) => sum + confidence, 0) / lines.length : 0;

const readAll = async (page: Page, boxes: readonly TextBox[], ocr: Ocr): Promise<Map<TextBox, TextLine>> => {
  const lines = new Map<TextBox, TextLine>();
  for (const box of boxes) lines.set(box, await ocr.read(page, box));
  return lines;
};

/**
 * Finds which way up the print is: lines of print are level, and read with more confidence
 * upright than upside down. An upright page costs one detection and a few lines that need not be
 * read again.
 */
export const turnUpright = async (page: Page, ocr: Ocr): Promise<UprightPage> => {
  const found = await ocr.detect(page);
  const lying = mostlyVertical(found);
  const level = lying ? turnedPage(page, 1) : page;
  const boxes = lying ? await ocr.detect(level) : found;
  const quarters: Quarter = lying ? 1 : 0;
  const upright = await readAll(level, samplesOf(boxes), ocr);
  const confidence = confidenceOf([...upright.values()]);
  if (upright.size === 0 || confidence > SURE) return { page: level, quarters, boxes, read: upright };
  const over = turnedPage(level, 2);
  const turnedBoxes = boxes.map((box) => upsideDown(level, box));
  const flipped = await readAll(over, samplesOf(turnedBoxes), ocr);
  return confidenceOf([...flipped.values()]) > confidence
    ? { page: over, quarters: ((quarters + 2) % 4) as Quarter, boxes: turnedBoxes, read: flipped }
    : { page: level, quarters, boxes, read: upright };
};
