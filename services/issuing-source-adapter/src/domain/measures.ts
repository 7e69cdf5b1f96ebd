import { table } from '@assay/contracts/table';

const INCHES_A_FOOT = 12;
const CM_AN_INCH = 2.54;

const written = (inches: number): string | undefined => {
  const whole = Math.round(inches);
  if (whole < 24 || whole > 107) return undefined;
  return `${Math.floor(whole / INCHES_A_FOOT)}${String(whole % INCHES_A_FOOT).padStart(2, '0')}`;
};

/**
 * Each way a height is written, as inches. Tried in order: the size of a bare number decides.
 */
const FORMS: readonly [RegExp, (parts: readonly number[]) => number][] = [
  [
    /^(\d)\s*(?:'|FT|FEET|FOOT)\s*-?\s*(\d{1,2})?\s*(?:"|''|IN|INCH|INCHES)?$/,
    ([feet = 0, inches = 0]) => feet * INCHES_A_FOOT + inches,
  ],
  [/^(\d)-(\d{1,2})$/, ([feet = 0, inches = 0]) => feet * INCHES_A_FOOT + inches],
  [/^0?(\d{2})\s*(?:"|IN|INCH|INCHES)$/, ([inches = 0]) => inches],
  [/^(\d{2,3})\s*CM$/, ([cm = 0]) => cm / CM_AN_INCH],
  [/^([12][.,]\d{1,2})\s*M?$/, ([metres = 0]) => (metres * 100) / CM_AN_INCH],
  [/^([3-8])(0\d|1[01])$/, ([feet = 0, inches = 0]) => feet * INCHES_A_FOOT + inches],
  [/^([12]\d{2})$/, ([cm = 0]) => cm / CM_AN_INCH],
  [/^0?([3-9]\d)$/, ([inches = 0]) => inches],
];

/** Longer is no height: what a barcode may hold is not tried in every form. */
const LONGEST = 32;

/**
 * A height as motor vehicle administrations write it, feet then two digits of inches (`507` is
 * 5'7"); undefined when it cannot be read.
 */
export const usHeight = (height: string): string | undefined => {
  if (height.length > LONGEST) return undefined;
  const text = height.trim().toUpperCase().replace(/[’′]/g, "'").replace(/[”″]/g, '"');
  for (const [form, inches] of FORMS) {
    const parts = form.exec(text);
    if (parts)
      return written(
        inches(
          parts
            .slice(1)
            .filter((part) => part !== undefined)
            .map((part) => Number(part.replace(',', '.'))),
        ),
      );
  }
  return undefined;
};

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
