import type { Page } from '../image.ts';
import type { Quarter } from '../raster.ts';
import { aspectOf, fewestAway } from './box-length.ts';
import { createDescriptionSearch, type DescribedValue } from './description.ts';
import { readExchanged } from './exchanged.ts';
import { type SideRead as PrintRead, readFurther } from './further.ts';
import type { LabelledValues } from './labels.ts';
import { agrees, type ExpectedValues, type FieldCheck, matcherFor, VISUAL_FIELDS, type VisualField } from './match.ts';
import { readNationality } from './nationality.ts';
import type { Area, Ocr, TextBox, TextLine } from './ocr.ts';
import { turnUpright, type UprightPage } from './orientation.ts';
import { readOwnFields } from './own-field.ts';
import { readOwnValues } from './own-value.ts';
import { personalChecks, sexLine } from './personal.ts';
import type { PlacedLine } from './placed-line.ts';
import type { PlacedField, PrintPlace } from './places.ts';
import type { PrintedValues } from './printed.ts';
import { readSex } from './sex.ts';
import { type OtherStates, readStates } from './states.ts';

/** What was read of the visual zone of one or two sides. */
export interface VisualReading {
  lines: PlacedLine[];
  /** Boxes of print found, read or not. */
  found: number;
  checks: Partial<Record<VisualField, FieldCheck>>;
  /** Sides with machine-readable print outside the zone that was read. */
  machinePrint: ('FRONT' | 'BACK')[];
  /**
   * Quarters by which a side was turned clockwise to be read, where its orientation was not known.
   */
  turned: Partial<Record<'FRONT' | 'BACK', Quarter>>;
  /**
   * Whether the printed sex and nationality are those of the machine-readable part; absent where
   * there is none.
   */
  sex?: 'OK' | 'WARNING' | 'UNVERIFIED';
  nationality?: 'OK' | 'UNVERIFIED';
  /** States that are printed otherwise than the zone has them. */
  otherStates?: OtherStates;
  /** What a barcode says of its holder and no side that was read prints. */
  undescribed?: readonly DescribedValue[];
  /**
   * What is beside or below known labels: beside a machine-readable part, what that does not
   * have.
   */
  labelled?: LabelledValues;
  /** What was read, in the document's own spelling. */
  printed?: PrintedValues;
  /** Where print says otherwise than the machine-readable part. */
  places?: Partial<Record<PlacedField, PrintPlace>>;
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
  /** Its title is read too, though it is no value: it says of which document the side is. */
  titled?: boolean;
}

const MACHINE = /<.*<.*</;
/** A title may be as long as a line of a zone, but has no digits. */
const isMachinePrint = (text: string): boolean => {
  const bare = text.replace(/[«]/g, '<<').replace(/\s/g, '');
  return MACHINE.test(bare) || (/^(?=.*\d)[A-Z0-9<]{26,}$/.test(bare) && !/ .* .* /.test(text));
};

/** Lines of print that hold the title of a card. */
const TITLE_LINES = 3;
const titlesOf = (boxes: readonly TextBox[]): TextBox[] => [...boxes].sort((a, b) => a.y - b.y).slice(0, TITLE_LINES);

const isPrint = (text: string): boolean => text !== '' && !isMachinePrint(text);

const placed = (side: VisualSide['side'], box: TextBox, { text, confidence }: TextLine): PlacedLine => {
  const { left, right, x, y, height, slope } = box;
  return { side, text, confidence, left, right, x, y, height, slope };
};

const isReadable = (box: TextBox): boolean => {
  const aspect = aspectOf(box);
  return aspect > 0.4 && aspect < 30 && box.height > 8;
};

/**
 * Values are printed larger than labels, and labels are about as many: boxes lower than four fifths
 * of the upper quartile of heights come last, and so do those well above it, which are titles.
 */
const inOrder = (boxes: readonly TextBox[], lengths: readonly number[]): TextBox[] => {
  const heights = boxes.map(({ height }) => height).sort((a, b) => a - b);
  const common = heights[Math.floor(heights.length * 0.75)] ?? 0;
  const isValue = ({ height }: TextBox) => height >= 0.8 * common && height <= 1.15 * common;
  const cost = (box: TextBox) => fewestAway(box, lengths) + (isValue(box) ? 0 : 1);
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

const asItLies = async ({ page, area }: VisualSide, ocr: Ocr): Promise<UprightPage> => ({
  page,
  quarters: 0,
  boxes: await ocr.detect(page, area),
  read: new Map(),
});

/**
 * A value that was seen, but not as it should be: behind another label, or with further words; and
 * what its own label says.
 */
interface Doubt {
  field: VisualField;
  match: 'near' | 'partly';
  seen?: string;
}

/** A doubt takes from values that were seen; what print contradicts already is no better for it. */
const withDoubts = (checks: VisualReading['checks'], doubts: readonly Doubt[]): VisualReading['checks'] => {
  const after = { ...checks };
  for (const { field, ...doubt } of doubts) {
    const check = after[field];
    if (check && (doubt.match === 'near' || agrees(check.match))) after[field] = { ...check, ...doubt };
  }
  return after;
};

interface Contradictions {
  read: ReadonlyMap<TextBox, TextLine>;
  others: OtherStates;
  doubts: readonly Doubt[];
}

/** Reads what may contradict values that were seen: codes, labels and what stands beside names. */
const readAgainst = async (
  { page, boxes, read: before }: PrintRead,
  { lines }: VisualReading,
  expected: ExpectedValues,
  ocr: Ocr,
): Promise<Contradictions> => {
  const states = await readStates({ page, boxes, read: before }, expected, ocr);
  const { read, other } = await readNationality({ page, boxes, read: states.read }, expected, ocr);
  const others = { ...(other && { nationality: other }), ...states.others };
  const exchanged = await readExchanged({ page, boxes, read }, expected, ocr);
  const names = await readOwnFields({ page, boxes, read }, expected, ocr, lines);
  const own = await readOwnValues({ page, boxes, read: names.read }, expected, ocr, lines);
  const whole = await readSex({ page, boxes, read: own.read }, expected, ocr);
  const doubts = [
    ...names.doubts.map(([field, match]): Doubt => ({ field, match })),
    ...exchanged.map((field): Doubt => ({ field, match: 'near' })),
    ...own.found,
  ];
  return { read: whole, others, doubts };
};

interface VisualOptions {
  /** Look for the printed codes of issuing state and nationality. */
  states?: true;
  /** Read every box, also after all values were seen: for what is found by labels or keywords. */
  everything: boolean;
  /** Boxes to read at most, per side. */
  most: number;
}

/**
 * Finds print on the sides, reads it in order of plausible length and compares it with the expected
 * values; stops when all of them were seen exactly, unless everything is wanted.
 */
export const readVisualZone = async (
  sides: readonly VisualSide[],
  expected: ExpectedValues,
  ocr: Ocr,
  options: VisualOptions,
): Promise<VisualReading> => {
  const matcher = matcherFor(expected);
  const description = createDescriptionSearch(expected.description);
  const lengths = lengthsOf(expected);
  const done = () => !options.everything && matcher.open().length === 0;
  const doubted: Doubt[] = [];
  const reading: VisualReading = { lines: [], found: 0, checks: {}, machinePrint: [], turned: {} };
  for (const lying of sides) {
    if (done()) break;
    const { side, exclude } = lying;
    const {
      page,
      quarters,
      boxes: found,
      read,
    } = await (lying.upright ? asItLies(lying, ocr) : turnUpright(lying.page, ocr));
    reading.turned[side] = quarters;
    const boxes = found.filter((box) => isReadable(box) && !exclude?.(box));
    reading.found += boxes.length;
    const ordered = lengths.length ? inOrder(boxes, lengths) : boxes.sort((a, b) => a.y - b.y);
    const lines = new Map<TextBox, TextLine>();
    let isSexSeen = expected.sex === undefined;
    for (const box of ordered.slice(0, options.most)) {
      if (done() && (isSexSeen || !isLetter(box))) continue;
      const line: TextLine = read.get(box) ?? (await ocr.read(page, box));
      lines.set(box, line);
      isSexSeen ||= sexLine([line], expected.sex) !== undefined;
      if (isPrint(line.text)) matcher.look(line);
      else if (line.text !== '' && !reading.machinePrint.includes(side)) reading.machinePrint.push(side);
    }
    // A side whose values were not all seen was read whole.
    const all = done() ? await readFurther({ page, boxes, read: lines }, expected, ocr) : lines;
    for (const box of lying.titled ? titlesOf(boxes) : []) if (!all.has(box)) all.set(box, await ocr.read(page, box));
    const seen = { page, boxes, read: all };
    const {
      read: against,
      others,
      doubts,
    } = options.states ? await readAgainst(seen, reading, expected, ocr) : { read: all, others: {}, doubts: [] };
    const whole = await description.readSide({ page, boxes, read: against }, ocr);
    reading.otherStates = { ...reading.otherStates, ...others };
    doubted.push(...doubts);
    for (const [box, line] of whole) {
      if (!isPrint(line.text)) continue;
      if (!lines.has(box)) matcher.look(line);
      reading.lines.push(placed(side, box, line));
    }
  }
  return {
    ...reading,
    undescribed: description.unseen(),
    ...personalChecks(reading.lines, expected),
    checks: withDoubts(matcher.result(), doubted),
  };
};
