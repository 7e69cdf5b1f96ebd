import type { ErrorName } from '@assay/contracts';

/**
 * Most pixels an image may have, and the least its longest side may measure (specification,
 * Uploads).
 */
export const MAX_PIXELS = 40_000_000;
const MIN_LONGEST_SIDE = 160;
/** A strip of millions by one pixel has few pixels, and costs the engine seconds. */
const MAX_LONGEST_SIDE = 30_000;

/**
 * Most pixels all images of one request may have: what decoding them costs, about a second of one
 * core.
 */
const MAX_PIXELS_A_REQUEST = 100_000_000;

/** Formats the engine decodes. Bytes decide, never the declared type or the file's name. */
export const IMAGE_TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/webp'];

export interface ImageHeader {
  width: number;
  height: number;
  /** Browsers take other colours from its profile than the decoder. */
  isReadDifferently?: true;
}

/** Adds up the pixels of a request's images; false for an image that exceeds the total. */
export const createPixelSum = () => {
  let sum = 0;
  return ({ width, height }: ImageHeader): boolean => {
    sum += width * height;
    return sum <= MAX_PIXELS_A_REQUEST;
  };
};
export type PixelSum = ReturnType<typeof createPixelSum>;

/**
 * The reason to refuse an image by its header; undefined if it is accepted. Everything else is
 * found when it is decoded.
 */
export const refusalOf = ({ width, height }: ImageHeader): ErrorName | undefined => {
  const longest = Math.max(width, height);
  if (width * height > MAX_PIXELS || longest > MAX_LONGEST_SIDE) return 'TOO_MANY_PIXELS';
  if (longest < MIN_LONGEST_SIDE) return 'RESOLUTION_TOO_LOW';
  return undefined;
};
