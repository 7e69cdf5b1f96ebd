/** The channels of a colour `#rrggbb`, 0 to 1, linear. */
const linear = (colour: string): number[] =>
  [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });

const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = linear(colour);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** The contrast ratio of two colours `#rrggbb`, 1 to 21 (WCAG 2.2, relative luminance). */
export const contrast = (one: string, other: string): number => {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
};

/** White or black, whichever is easier to read on a colour: 4.58 to 1 at least. */
export const readableOn = (colour: string): string =>
  contrast(colour, '#ffffff') >= contrast(colour, '#000000') ? '#ffffff' : '#000000';

/** Of text on what it is written on (WCAG 2.2, 1.4.3). */
const LEAST_CONTRAST = 4.5;
const STEPS = 20;

const mixed = (colour: string, other: string, share: number): string =>
  `#${[1, 3, 5]
    .map((at) => {
      const [own, second] = [colour, other].map((each) => Number.parseInt(each.slice(at, at + 2), 16));
      return Math.round(own! * (1 - share) + second! * share)
        .toString(16)
        .padStart(2, '0');
    })
    .join('')}`;

/** The colour, made lighter or darker only as far as it needs to be read on all of these. */
export const legibleOn = (colour: string, surfaces: readonly string[]): string => {
  const towards = readableOn(surfaces[0] ?? '#ffffff');
  const shades = Array.from({ length: STEPS + 1 }, (_, step) => mixed(colour, towards, step / STEPS));
  return shades.find((shade) => surfaces.every((surface) => contrast(shade, surface) >= LEAST_CONTRAST)) ?? towards;
};
