import type { Strip } from '../strip.ts';
import type { LineText } from './recognise.ts';
import type { PrintLine } from './refine.ts';

/** A line that was read, and its place. */
export interface ReadLine extends LineText {
  line: PrintLine;
  /**
   * The middle of the first and of the last character along the line, in its own pixels from left
   * to right.
   */
  printed: readonly [number, number];
  /** As it was read: upside down if the page is. */
  strip: Strip;
}
