import { CM_AN_INCH, eyeColorCode, heightOf } from '@assay/contracts';
import type { FieldAgreement } from './facts.ts';

/** Compares two values that can be written in one way only. */
export const comparePlain = (a: string | undefined, b: string | undefined): FieldAgreement =>
  a && b ? (a === b ? 'AGREE' : 'DISAGREE') : 'UNKNOWN';

/** A text as capitals and digits alone: blanks and punctuation count for nothing. */
export const bareLetters = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '');

const color = (text = ''): string => eyeColorCode(text) ?? bareLetters(text);

export const compareEyeColors = (a: string | undefined, b: string | undefined): FieldAgreement =>
  comparePlain(color(a), color(b));

/** Centimetres by which two heights differ that are the same, rounded in two units. */
const ROUNDED_CM = 2;

/**
 * Compares two heights. A difference from rounding between units is no contradiction; a height that
 * cannot be parsed decides nothing.
 */
export const compareHeights = (a = '', b = ''): FieldAgreement => {
  const [one, other] = [heightOf(a), heightOf(b)];
  if (!one || !other) return 'UNKNOWN';
  return Math.abs(one.inches - other.inches) * CM_AN_INCH <= ROUNDED_CM ? 'AGREE' : 'DISAGREE';
};

/** Whether two heights are the same: exactly if both have one unit, to the inch otherwise. */
export const isSameHeight = (a: string, b: string): boolean => {
  const [one, other] = [heightOf(a), heightOf(b)];
  if (!one || !other) return false;
  return one.isMetric === other.isMetric
    ? Math.abs(one.inches - other.inches) < 0.01
    : Math.round(one.inches) === Math.round(other.inches);
};
