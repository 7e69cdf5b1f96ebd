import type { Rgb } from '../raster.ts';
import type { Affine } from './geometry.ts';

/** A page as it looks after a clockwise rotation, without copying a pixel. */
export interface View {
  image: Rgb;
  width: number;
  height: number;
  /** From the view's pixels to the image's. */
  toImage: Affine;
}

/** Degrees clockwise. */
export type Rotation = 0 | 90 | 180 | 270;

export function viewOf(image: Rgb, rotation: Rotation = 0): View {
  const { width, height } = image;
  switch (rotation) {
    case 0:
      return { image, width, height, toImage: [1, 0, 0, 0, 1, 0] };
    case 90:
      return { image, width: height, height: width, toImage: [0, 1, 0, -1, 0, height - 1] };
    case 180:
      return { image, width, height, toImage: [-1, 0, width - 1, 0, -1, height - 1] };
    case 270:
      return { image, width: height, height: width, toImage: [0, -1, width - 1, 1, 0, 0] };
  }
}
