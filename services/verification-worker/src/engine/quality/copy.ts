import type { Page } from '../image.ts';
import { type Grey, greyOf, type Rgb } from '../raster.ts';

/** The copy on which quality is measured: longest side about a thousand pixels, so that thresholds mean the same everywhere. */
export interface QualityCopy {
  rgb: Rgb;
  grey: Grey;
  /** Copy pixels per page pixel. */
  scale: number;
}

const SIDE = 1000;

/** Integer box mean: cheap, and it keeps noise statistics comparable. */
export const qualityCopy = (page: Page): QualityCopy => {
  const factor = Math.max(1, Math.round(Math.max(page.width, page.height) / SIDE));
  if (factor === 1) return { rgb: page.rgb, grey: page.grey, scale: 1 };
  const width = Math.floor(page.width / factor);
  const height = Math.floor(page.height / factor);
  const data = new Uint8Array(width * height * 3);
  const source = page.rgb.data;
  const share = factor * factor;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let [r, g, b] = [0, 0, 0];
      for (let j = 0; j < factor; j++) {
        let p = ((y * factor + j) * page.width + x * factor) * 3;
        for (let i = 0; i < factor; i++, p += 3) {
          r += source[p]!;
          g += source[p + 1]!;
          b += source[p + 2]!;
        }
      }
      const q = (y * width + x) * 3;
      data[q] = r / share;
      data[q + 1] = g / share;
      data[q + 2] = b / share;
    }
  const rgb = { width, height, data };
  return { rgb, grey: greyOf(rgb), scale: 1 / factor };
};
