import sharp from 'sharp';
import { MAX_PIXELS } from '../domain/image-rules.ts';
import { sharpnessOf } from '../domain/sharpness.ts';

const SIZE = 640;

/** Sharpness of a frame at one common size; -1 when it does not decode. */
export const frameSharpness = (image: Buffer): Promise<number> =>
  sharp(image, { limitInputPixels: MAX_PIXELS, pages: 1, sequentialRead: true })
    .resize(SIZE, SIZE, { fit: 'inside', withoutEnlargement: true })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
    .then(
      ({ data, info }) => sharpnessOf(data, info.width, info.height),
      () => -1,
    );
