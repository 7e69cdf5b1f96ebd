import type { Page } from '../image.ts';
import { alpha3, isListedState } from '../mrz/states.ts';
import { fold } from './letters.ts';
import type { ExpectedValues } from './match.ts';
import type { Ocr, TextBox, TextLine } from './ocr.ts';

/** States that are printed otherwise than the machine-readable zone has them. */
export interface OtherStates {
  /** The issuing state, as its code is printed behind its label. */
  state?: string;
  nationality?: string;
}

const STATE_LABEL = /\bCODE\b|\bSTATE\b|\bETAT\b|\bSTAAT\b|COUNTRY|PAYS|PAIS/;
export const NATIONALITY_LABEL = /NATIONALI|NACIONALI|NAZIONALI|CITIZEN|CITTADINANZA|STAATSANG/;
/** Codes that are read less surely are no evidence of anything. */
const SURE = 0.9;
/** Heights a label is above its value at most. */
const ABOVE = 2.6;
/** A page prints two codes, and little else of this form: each costs time. */
const MOST_CODES = 4;
/** A label says what it is about in its first letters. */
const LABEL_HEIGHTS = 10;

const aspectOf = (box: TextBox): number => (box.right - box.left) / box.height;
/** Print of three capital letters, by its form: boxes are about 1.9 characters long per height. */
const CODE = { aspect: 3 / 1.9, narrowest: 1.1, widest: 3.4 };
const mayBeCode = (box: TextBox): boolean => aspectOf(box) > CODE.narrowest && aspectOf(box) < CODE.widest;
const unlikeness = (box: TextBox): number => Math.abs(aspectOf(box) - CODE.aspect);
/** Codes are as high as other values; labels, of which some are as short, are lower. */
const LOWER = 0.8;
const isLower = ({ height }: TextBox, values: readonly TextBox[]): boolean => {
  const heights = values.map((value) => value.height).sort((a, b) => a - b);
  return height < LOWER * (heights[heights.length >> 1] ?? 0);
};

const codeIn = ({ text, confidence }: TextLine): string | undefined => {
  const code = fold(text).trim();
  return confidence > SURE && /^[A-Z]{3}$/.test(code) && isListedState(code) ? alpha3(code) : undefined;
};

interface StatesInput {
  page: Page;
  boxes: readonly TextBox[];
  read: ReadonlyMap<TextBox, TextLine>;
}

/**
 * Looks for the codes of the issuing state and the nationality: no check digit covers either.
 * Another code counts only where its label says which of the two it is.
 */
export const readStates = async (
  { page, boxes, read: before }: StatesInput,
  { issuingState, nationality }: ExpectedValues,
  ocr: Ocr,
): Promise<{ read: Map<TextBox, TextLine>; others: OtherStates }> => {
  const read = new Map(before);
  const others: OtherStates = {};
  if (issuingState === undefined && nationality === undefined) return { read, others };
  const values = [...before.keys()];
  const cost = (box: TextBox) => unlikeness(box) + (isLower(box, values) ? CODE.widest : 0);
  const likeliest = boxes.filter(mayBeCode).sort((a, b) => cost(a) - cost(b));
  const codes = likeliest.slice(0, MOST_CODES);
  for (const box of codes) if (!read.has(box)) read.set(box, await ocr.read(page, box));
  const labelOf = async (value: TextBox): Promise<string> => {
    const isAbove = (box: TextBox) =>
      box !== value &&
      value.y - box.y > 0.4 * value.height &&
      value.y - box.y < ABOVE * value.height &&
      Math.abs(box.left - value.left) < 2 * value.height;
    const [label] = boxes.filter(isAbove).sort((a, b) => b.y - a.y);
    if (!label) return '';
    const right = Math.min(label.right, label.left + LABEL_HEIGHTS * label.height);
    return fold((read.get(label) ?? (await ocr.read(page, { ...label, right }))).text);
  };
  const isOther = (expected: string | undefined, code: string): boolean =>
    expected !== undefined && alpha3(expected) !== code;
  for (const box of codes) {
    const code = codeIn(read.get(box)!);
    if (!code || !(isOther(issuingState, code) || isOther(nationality, code))) continue;
    const label = await labelOf(box);
    if (NATIONALITY_LABEL.test(label)) {
      if (isOther(nationality, code)) others.nationality = code;
    } else if (isOther(issuingState, code) && STATE_LABEL.test(label)) others.state = code;
  }
  return { read, others };
};
