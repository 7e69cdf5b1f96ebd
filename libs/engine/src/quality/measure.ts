import type { Quad } from '../homography.ts';
import type { Page } from '../image.ts';
import { type Colour, colourOf, colourOfMiddle } from './colour.ts';
import { qualityCopy } from './copy.ts';
import { scaledQuad } from './framing.ts';
import { type Brightness, brightnessOf, glareShare } from './light.ts';
import { type Moire, moireOf } from './moire.ts';
import { type Screenshot, screenshotOf } from './screenshot.ts';
import { creteBlur, tiledSharpness } from './sharpness.ts';

/** Everything measured on one picture, before any threshold. */
export interface ImageMeasures {
  /** Crete: 0 sharp, 1 blurred. */
  blur: number;
  sharpness: number;
  /** Share of the picture under highlights. */
  glare: number;
  brightness: Brightness;
  colour: Colour;
  /** The colour of the middle of the picture, if the document's outline is unknown. */
  middle?: Colour;
  /** Absent for pictures below 256 pixels. */
  moire?: Moire;
  screenshot: Screenshot;
  /** The longer side of the file in pixels. */
  longestSide: number;
}

/** Measures a page. Colour is measured inside the document's outline if that is known. */
export const measureImage = (page: Page, outline?: Quad): ImageMeasures => {
  const copy = qualityCopy(page);
  const moire = moireOf(page.grey);
  return {
    blur: creteBlur(copy.grey),
    sharpness: tiledSharpness(copy.grey),
    glare: glareShare(copy.rgb, copy.grey),
    brightness: brightnessOf(copy.grey),
    colour: colourOf(copy.rgb, outline && scaledQuad(outline, copy.scale)),
    ...(!outline && { middle: colourOfMiddle(copy.rgb) }),
    ...(moire && { moire }),
    screenshot: screenshotOf(page),
    longestSide: Math.max(page.original.width, page.original.height),
  };
};
