import { table } from '@assay/contracts/table';

const INCHES_A_FOOT = 12;
const CM_AN_INCH = 2.54;

const written = (inches: number): string | undefined => {
  const whole = Math.round(inches);
  if (whole < 24 || whole > 107) return undefined;
  return `${Math.floor(whole / INCHES_A_FOOT)}${String(whole % INCHES_A_FOOT).padStart(2, '0')}`;
};

type Form = readonly [RegExp, (parts: readonly number[]) => number];

const feetAndInches = ([feet = 0, inches = 0]: readonly number[]) => feet * INCHES_A_FOOT + inches;
const fromCentimetres = ([cm = 0]: readonly number[]) => cm / CM_AN_INCH;

/** Each way a height is written in centimetres or metres, as inches. */
const METRIC: readonly Form[] = [
  [/^(\d{2,3})\s*CM$/, fromCentimetres],
  [/^([12][.,]\d{1,2})\s*M?$/, ([metres = 0]) => fromCentimetres([metres * 100])],
  [/^([12]\d{2})$/, fromCentimetres],
];

/** Each way a height is written in feet and inches, as inches. */
const IMPERIAL: readonly Form[] = [
  [/^(\d)\s*(?:'|FT|FEET|FOOT)\s*-?\s*(\d{1,2})?\s*(?:"|''|IN|INCH|INCHES)?$/, feetAndInches],
  [/^(\d)-(\d{1,2})$/, feetAndInches],
  [/^0?(\d{2})\s*(?:"|IN|INCH|INCHES)$/, ([inches = 0]) => inches],
  [/^([3-8])(0\d|1[01])$/, feetAndInches],
  [/^0?([3-9]\d)$/, ([inches = 0]) => inches],
];

/** Longer texts are no height: not every content of a barcode is tried in every form. */
const LONGEST = 32;

const inchesOf = (height: string, forms: readonly Form[]): number | undefined => {
  if (height.length > LONGEST) return undefined;
  const text = height.trim().toUpperCase().replace(/[’′]/g, "'").replace(/[”″]/g, '"');
  for (const [form, inches] of forms) {
    const [, ...parts] = form.exec(text) ?? [];
    const figures = parts.filter((part) => part !== undefined).map((part) => Number(part.replace(',', '.')));
    if (parts.length > 0) return inches(figures);
  }
  return undefined;
};

/**
 * A height as motor vehicle administrations write it, feet then two digits of inches (`507` is
 * 5'7"); undefined when it cannot be read.
 */
export const usHeight = (height: string): string | undefined => {
  // No text is a height in both.
  const inches = inchesOf(height, IMPERIAL) ?? inchesOf(height, METRIC);
  return inches === undefined ? undefined : written(inches);
};

/** A height in centimetres or metres: several of them are one in inches (170 and 171 cm, 5'7"). */
export const isMetricHeight = (height: string): boolean => inchesOf(height, METRIC) !== undefined;

const EYE_COLORS = table<readonly string[]>({
  BLK: ['BLACK'],
  BLU: ['BLUE'],
  BRO: ['BROWN', 'BRN'],
  DIC: ['DICHROMATIC', 'TWO DIFFERENT COLORS'],
  GRY: ['GRAY', 'GREY', 'GRA'],
  GRN: ['GREEN'],
  HAZ: ['HAZEL', 'HZL'],
  MAR: ['MAROON'],
  PNK: ['PINK'],
});

/** An eye colour as its three-letter code; undefined for a colour that has none. */
export const usEyeColor = (color: string): string | undefined => {
  const text = color.trim().toUpperCase();
  return Object.entries(EYE_COLORS).find(([code, names]) => code === text || names.includes(text))?.[0];
};
