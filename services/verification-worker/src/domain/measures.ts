import { table } from '@assay/contracts/table';
import type { FieldAgreement } from './facts.ts';

/** Compares two values that can be written in one way only. */
export const comparePlain = (a: string | undefined, b: string | undefined): FieldAgreement =>
  a && b ? (a === b ? 'AGREE' : 'DISAGREE') : 'UNKNOWN';

/** A text as capitals and digits alone: blanks and punctuation count for nothing. */
export const bareLetters = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** The AAMVA codes of colours that may also be written out. */
const COLOURS = table<string>({
  BROWN: 'BRO',
  BLUE: 'BLU',
  BLACK: 'BLK',
  GREEN: 'GRN',
  GREY: 'GRY',
  GRAY: 'GRY',
  HAZEL: 'HAZ',
  MAROON: 'MAR',
  PINK: 'PNK',
  DICHROMATIC: 'DIC',
});

const colour = (text: string | undefined): string | undefined => {
  const bare = text?.toUpperCase().replace(/[^A-Z]/g, '');
  return bare ? (COLOURS[bare] ?? bare) : undefined;
};

export const compareEyeColors = (a: string | undefined, b: string | undefined): FieldAgreement =>
  comparePlain(colour(a), colour(b));

const INCH = 2.54;

/** Centimetres of a height as documents write it: 170 cm, 069 in, 5'07", 507, 1.70 m. */
const centimetres = (text: string): number | undefined => {
  const bare = text.toUpperCase().replace(/\s/g, '');
  const metres = /^([12])[.,](\d\d)M?$/.exec(bare);
  if (metres) return Number(metres[1]) * 100 + Number(metres[2]);
  const cm = /^(\d{2,3})CM$/.exec(bare);
  if (cm) return Number(cm[1]);
  const inches = /^0?(\d{2})(IN|")$/.exec(bare);
  if (inches) return Number(inches[1]) * INCH;
  const feet = /^([3-8])['-]?(0\d|1[01]|\d)"?$/.exec(bare);
  if (feet) return (Number(feet[1]) * 12 + Number(feet[2])) * INCH;
  return /^\d{3}$/.test(bare) ? Number(bare) : undefined;
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
