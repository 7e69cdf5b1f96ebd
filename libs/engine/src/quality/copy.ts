import { blockMeans } from '../block-means.ts';
import type { Page } from '../image.ts';
import { type Grey, greyOf, type Rgb } from '../raster.ts';

/**
 * The copy on which quality is measured: its longest side has about a thousand pixels, so that
 * thresholds mean the same for every picture.
 */
interface QualityCopy {
  rgb: Rgb;
  grey: Grey;
  /** Copy pixels per page pixel. */
  scale: number;
}

const SIDE = 1000;

/** Means over whole blocks: they are cheap, and noise statistics stay comparable. */
export const qualityCopy = (page: Page): QualityCopy => {
  const factor = Math.max(1, Math.round(Math.max(page.width, page.height) / SIDE));
  if (factor === 1) return { rgb: page.rgb, grey: page.grey, scale: 1 };
  const width = Math.floor(page.width / factor);
  const height = Math.floor(page.height / factor);
  const rgb = blockMeans(page.rgb, { left: 0, top: 0, width, height }, factor);
  return { rgb, grey: greyOf(rgb), scale: 1 / factor };
};
