import { legibleOn, readableOn } from '../design/colour.ts';

const COLOUR = /^#[0-9a-f]{6}$/i;
/** The colours behind text, in light and in dark; a test holds them to the tokens. */
export const SURFACES = { light: ['#ffffff', '#f5f7fa'], dark: ['#19212a', '#10161c'] } as const;

/**
 * The tenant's colour as it can be read in light and in dark, and what can be read on it; undefined
 * where it is no colour. A browser without `light-dark()` has the light ones.
 */
export const brandColours = (colour: string | undefined, hasDark = true): Record<string, string> | undefined => {
  if (!colour || !COLOUR.test(colour)) return undefined;
  const [light, dark] = [legibleOn(colour, SURFACES.light), legibleOn(colour, SURFACES.dark)];
  const pair = (inLight: string, inDark: string): string => (hasDark ? `light-dark(${inLight}, ${inDark})` : inLight);
  return {
    '--accent': pair(light, dark),
    '--on-accent': pair(readableOn(light), readableOn(dark)),
    '--accent-soft': 'color-mix(in oklab, var(--accent) 10%, var(--surface))',
  };
};
