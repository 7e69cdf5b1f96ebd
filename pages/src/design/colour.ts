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

/** White or near-black, whichever is easier to read on a colour. */
export const readableOn = (colour: string): string =>
  contrast(colour, '#ffffff') >= contrast(colour, '#111111') ? '#ffffff' : '#111111';
