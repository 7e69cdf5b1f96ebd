import { table } from '@assay/contracts/table';
import type { FieldAgreement } from './facts.ts';

/** Compares two values that can be written in one way only. */
export const comparePlain = (a: string | undefined, b: string | undefined): FieldAgreement =>
  a && b ? (a === b ? 'AGREE' : 'DISAGREE') : 'UNKNOWN';

/** A text as capitals and digits alone: blanks and punctuation count for nothing. */
export const bareLetters = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** The AAMVA codes of colours that may also be written out, or in short in another way. */
const COLOURS = table<string>({
  BROWN: 'BRO',
  BRN: 'BRO',
  BLUE: 'BLU',
  BLACK: 'BLK',
  GREEN: 'GRN',
  GREY: 'GRY',
  GRAY: 'GRY',
  GRA: 'GRY',
  HAZEL: 'HAZ',
  HZL: 'HAZ',
  MAROON: 'MAR',
  PINK: 'PNK',
  DICHROMATIC: 'DIC',
  TWODIFFERENTCOLORS: 'DIC',
});

const colour = (text: string | undefined): string | undefined => {
  const bare = text?.toUpperCase().replace(/[^A-Z]/g, '');
  return bare ? (COLOURS[bare] ?? bare) : undefined;
};

export const compareEyeColors = (a: string | undefined, b: string | undefined): FieldAgreement =>
  comparePlain(colour(a), colour(b));

const INCH = 2.54;

type Form = readonly [RegExp, (whole: number, part: number) => number];
const fromFeet = (feet: number, inches: number): number => (feet * 12 + inches) * INCH;

/**
 * Each way a height is written, as the issuing source is asked about it: 67 is 67 inches, 507 is
 * 5'7".
 */
const HEIGHTS: readonly Form[] = [
  [/^([12])[.,](\d\d)M?$/, (metres, cm) => metres * 100 + cm],
  [/^([12])[.,](\d)M?$/, (metres, tenths) => metres * 100 + tenths * 10],
  [/^(\d{2,3})CM$/, (cm) => cm],
  [/^0?(\d\d)(?:"|IN|INCH|INCHES)$/, (inches) => inches * INCH],
  [/^0?([3-9]\d)$/, (inches) => inches * INCH],
  [/^([3-8])(?:'|FT|FEET|FOOT|-)-?(\d{1,2})?(?:"|IN|INCH|INCHES)?$/, fromFeet],
  [/^([3-8])(0\d|1[01])$/, fromFeet],
  [/^([12]\d\d)$/, (cm) => cm],
];

/** Centimetres of a height as documents write it: 170 cm, 069 in, 5'07", 507, 1.70 m. */
const centimetres = (text: string): number | undefined => {
  const plain = text
    .toUpperCase()
    .replace(/[’′]/g, "'")
    .replace(/''|[”″]/g, '"');
  const bare = plain.replace(/\s/g, '');
  for (const [form, measure] of HEIGHTS) {
    const [found, whole, part = 0] = form.exec(bare) ?? [];
    if (found !== undefined) return measure(Number(whole), Number(part));
  }
  return undefined;
};

/**
 * Compares two heights. A difference from rounding between units is no contradiction; a height that
 * cannot be parsed decides nothing.
 */
export const compareHeights = (a: string | undefined, b: string | undefined): FieldAgreement => {
  const [one, other] = [a && centimetres(a), b && centimetres(b)];
  if (!one || !other) return 'UNKNOWN';
  return Math.abs(one - other) <= 2 ? 'AGREE' : 'DISAGREE';
};

/** Whether two heights are the same: exactly if both have one unit, to the inch otherwise. */
export const isSameHeight = (a: string, b: string): boolean => {
  const [one, other] = [centimetres(a), centimetres(b)];
  if (one === undefined || other === undefined) return false;
  const sameUnit = Number.isInteger(one) === Number.isInteger(other);
  return sameUnit ? Math.abs(one - other) < 0.01 : Math.round(one / INCH) === Math.round(other / INCH);
};
