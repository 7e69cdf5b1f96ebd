import type { ErrorName } from '@assay/contracts';

/** Most pixels an image may have, and the least its longest side may measure (decisions, Uploads). */
export const MAX_PIXELS = 40_000_000;
export const MIN_LONGEST_SIDE = 160;

/** Formats the engine decodes. Bytes decide, never the declared type or the file's name. */
export const IMAGE_TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/webp'];

export interface ImageHeader {
  width: number;
  height: number;
}

/** What the header of an image already tells against it; undefined when it may be taken in. Everything else is for a full decode to find. */
export const refusalOf = ({ width, height }: ImageHeader): ErrorName | undefined => {
  if (width * height > MAX_PIXELS) return 'TOO_MANY_PIXELS';
  if (Math.max(width, height) < MIN_LONGEST_SIDE) return 'RESOLUTION_TOO_LOW';
  return undefined;
};
