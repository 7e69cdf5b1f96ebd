import { table } from './table.ts';

/** A height as it was written: in feet and inches, or in centimetres or metres. */
export interface Height {
  inches: number;
  isMetric: boolean;
}

const INCHES_A_FOOT = 12;
export const CM_AN_INCH = 2.54;

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
  [/^(\d)-(\d{1,2})"?$/, feetAndInches],
  [/^0?(\d{2})\s*(?:"|IN|INCH|INCHES)$/, ([inches = 0]) => inches],
  [/^([3-8])(0\d|1[01])$/, feetAndInches],
  [/^0?([3-9]\d)$/, ([inches = 0]) => inches],
];

/** Longer texts are no height: not every content of a barcode is tried in every form. */
const LONGEST = 32;

const inchesOf = (height: string, forms: readonly Form[]): number | undefined => {
  const text = height.trim().toUpperCase().replace(/[’′]/g, "'").replace(/[”″]/g, '"');
  for (const [form, inches] of forms) {
    const [, ...parts] = form.exec(text) ?? [];
    const figures = parts.filter((part) => part !== undefined).map((part) => Number(part.replace(',', '.')));
    if (parts.length > 0) return inches(figures);
  }
  return undefined;
};

/**
 * A height as people and documents write it: 507, 5'7", 5-07, 67, 067 in, 170 cm, 1.70 m. Undefined
 * when it cannot be read. Whoever asks an issuing source and whoever compares what it confirmed
 * read it alike.
 */
export const heightOf = (height: string): Height | undefined => {
  if (height.length > LONGEST) return undefined;
  // No text is a height in both.
  const imperial = inchesOf(height, IMPERIAL);
  const inches = imperial ?? inchesOf(height, METRIC);
  return inches ? { inches, isMetric: imperial === undefined } : undefined;
};

/** The AAMVA codes of eye colours, and what else stands for them. */
const EYE_COLORS = table<string>({
  ...{ BLK: 'BLK', BLACK: 'BLK' },
  ...{ BLU: 'BLU', BLUE: 'BLU' },
  ...{ BRO: 'BRO', BROWN: 'BRO', BRN: 'BRO' },
  ...{ DIC: 'DIC', DICHROMATIC: 'DIC', TWODIFFERENTCOLORS: 'DIC' },
  ...{ GRY: 'GRY', GRAY: 'GRY', GREY: 'GRY', GRA: 'GRY' },
  ...{ GRN: 'GRN', GREEN: 'GRN' },
  ...{ HAZ: 'HAZ', HAZEL: 'HAZ', HZL: 'HAZ' },
  ...{ MAR: 'MAR', MAROON: 'MAR' },
  ...{ PNK: 'PNK', PINK: 'PNK' },
});

/** An eye colour as its AAMVA code of three letters; undefined for a colour that has none. */
export const eyeColorCode = (color: string): string | undefined =>
  EYE_COLORS[color.toUpperCase().replace(/[^A-Z]/g, '')];
