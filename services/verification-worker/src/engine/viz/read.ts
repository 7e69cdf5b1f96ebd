import type { Page } from '../image.ts';
import type { Quarter } from '../raster.ts';
import type { LabelledValues } from './labels.ts';
import { type ExpectedValues, type FieldCheck, matcherFor, VISUAL_FIELDS, type VisualField } from './match.ts';
import type { Area, Ocr, TextBox, TextLine } from './ocr.ts';
import { type Standing, standUp } from './orientation.ts';
import { personalChecks } from './personal.ts';

/** A line of print and where it stands on its upright page, in pixels. */
export interface PlacedLine {
  side: 'FRONT' | 'BACK';
  text: string;
  confidence: number;
  left: number;
  right: number;
  x: number;
  y: number;
  height: number;
}

/** What was read of the visual zone of one or two sides. */
export interface VisualReading {
  lines: PlacedLine[];
  /** Boxes of print found, read or not. */
  found: number;
  checks: Partial<Record<VisualField, FieldCheck>>;
  /** Quarters by which a side was turned clockwise to be read, where its orientation was not known. */
  turned: Partial<Record<'FRONT' | 'BACK', Quarter>>;
  /** Whether the printed sex and nationality are those of the machine-readable part; absent where there is none. */
  sex?: 'OK' | 'WARNING' | 'UNVERIFIED';
  nationality?: 'OK' | 'UNVERIFIED';
  /** What stands beside or below known labels; only where nothing machine-readable was found. */
  labelled?: LabelledValues;
}

/** A side to read. */
export interface VisualSide {
  side: 'FRONT' | 'BACK';
  page: Page;
  /** The page is known to stand upright; otherwise the print on it decides. */
  upright: boolean;
  /** Where its machine-readable print lies, so that it does not confirm itself. */
  exclude?: (box: TextBox) => boolean;
  /** Where the document lies, when that is known. */
  area?: Area;
}

const MACHINE = /<.*<.*</;
const isMachinePrint = (text: string): boolean => {
  const bare = text.replace(/[«]/g, '<<').replace(/\s/g, '');
  return MACHINE.test(bare) || (/^[A-Z0-9<]{26,}$/.test(bare) && !/ .* .* /.test(text));
};

const aspectOf = (box: TextBox): number => (box.right - box.left) / box.height;

/** Characters a box may hold: PP-OCR's boxes are about 1.9 characters long per height, give or take. */
const plausible = (box: TextBox, lengths: readonly number[]): number => {
  const characters = aspectOf(box) * 1.9;
  return Math.min(...lengths.map((length) => Math.abs(Math.log(characters / length))));
};

const isReadable = (box: TextBox): boolean => {
  const aspect = aspectOf(box);
  return aspect > 0.4 && aspect < 30 && box.height > 8;
};

/** Values are printed larger than labels, and labels are about as many: boxes lower than four fifths of the upper quartile of heights come last. */
const inOrder = (boxes: readonly TextBox[], lengths: readonly number[]): TextBox[] => {
  const heights = boxes.map(({ height }) => height).sort((a, b) => a - b);
  const common = heights[Math.floor(heights.length * 0.75)] ?? 0;
  const cost = (box: TextBox) => plausible(box, lengths) + (box.height < 0.8 * common ? 1 : 0);
  return [...boxes].sort((a, b) => cost(a) - cost(b));
};

const lengthsOf = (expected: ExpectedValues): number[] =>
  VISUAL_FIELDS.flatMap((field) => {
    const value = expected[field];
    if (value === undefined || value.length === 0) return [];
    return [field.endsWith('Date') ? 11 : [value].flat().join(' ').length];
  });

/** Single letters are cheap to read and may be the sex. */
const isLetter = (box: TextBox): boolean => aspectOf(box) < 2.2;

const asItLies = async ({ page, area }: VisualSide, ocr: Ocr): Promise<Standing> => ({
  page,
  turn: 0,
  boxes: await ocr.detect(page, area),
  read: new Map(),
});

export interface VisualOptions {
  /** Read every box, also after all values were seen: for what is found by labels or keywords. */
  everything: boolean;
  /** Boxes to read at most, per side. */
  most: number;
}

/**
 * Finds print on the sides, reads it in order of plausible length and compares it with the expected values; stops when
 * all of them were seen exactly, unless everything is wanted.
 */
export const readVisualZone = async (
  sides: readonly VisualSide[],
  expected: ExpectedValues,
  ocr: Ocr,
  options: VisualOptions,
): Promise<VisualReading> => {
  const matcher = matcherFor(expected);
  const lengths = lengthsOf(expected);
  const done = () => !options.everything && matcher.open().length === 0;
  const reading: VisualReading = { lines: [], found: 0, checks: {}, turned: {} };
  for (const lying of sides) {
    if (done()) break;
    const { side, exclude } = lying;
    const { page, turn, boxes: all, read } = await (lying.upright ? asItLies(lying, ocr) : standUp(lying.page, ocr));
    reading.turned[side] = turn;
    const boxes = all.filter((box) => isReadable(box) && !exclude?.(box));
    reading.found += boxes.length;
    const ordered = lengths.length ? inOrder(boxes, lengths) : boxes.sort((a, b) => a.y - b.y);
    for (const box of ordered.slice(0, options.most)) {
      if (done() && !(expected.sex && isLetter(box))) continue;
      const line: TextLine = read.get(box) ?? (await ocr.read(page, box));
      if (line.text === '' || isMachinePrint(line.text)) continue;
      matcher.look(line);
      const { left, right, x, y, height } = box;
      reading.lines.push({ side, text: line.text, confidence: line.confidence, left, right, x, y, height });
    }
  }
  return { ...reading, ...personalChecks(reading.lines, expected), checks: matcher.result() };
};
