import type { Box } from '../engine.ts';
import type { Page } from '../image.ts';
import type { PortraitTraces } from '../rules/substitution.ts';
import { type Grid, historyGap } from './jpeg-history.ts';

/** Degrees by which a picture was turned clockwise before it became this page. */
type Turned = 0 | 90 | 180 | 270;

const gridOf = ({ width, height }: Page, turned: Turned): Grid => ({
  x: turned === 90 || turned === 180 ? width % 8 : 0,
  y: turned === 180 || turned === 270 ? height % 8 : 0,
});

/**
 * Whether the portrait went through the same files as the page around it. It is known only for
 * pages with the pixels of their file, since shrinking removes the traces. `face` is in pixels of
 * the page.
 */
export const tracesOf = (page: Page, turned: Turned, face: Box): PortraitTraces => {
  if (page.scale < 1) return {};
  const { x, y, width, height } = face;
  const inner = { left: x - width / 10, top: y - height / 10, right: x + 1.1 * width, bottom: y + 1.1 * height };
  const outer = { left: x - width, top: y - height, right: x + 2 * width, bottom: y + 2.2 * height };
  const gap = historyGap(page.grey, gridOf(page, turned), inner, outer);
  return gap === undefined ? {} : { historyGap: gap };
};
