import { attempt, readChipKey } from '@assay/chip';
import { isReadDifferently } from '@assay/engine/colour-profile';
import { onlyOwnFormats } from '@assay/engine/own-formats';
import { plainImage } from '@assay/engine/plain-image';
import sharp from 'sharp';
import { type ImageHeader, MAX_PIXELS } from '../domain/image-rules.ts';
import { sharpnessOf } from '../domain/sharpness.ts';
import type { ImageJob } from './images.ts';

/**
 * The program that decodes uploaded images and reads the keys of chips: a process without secrets,
 * which its parent ends if it takes too long.
 */

const FRAME_SIZE = 640;

// Every image is decoded once: caching decoded pieces would only cost memory.
sharp.cache(false);
onlyOwnFormats();
// One image uses one core.
sharp.concurrency(1);

const headerOf = async (bytes: Uint8Array): Promise<ImageHeader> => {
  const { width, height, icc } = await sharp(plainImage(bytes), { limitInputPixels: false, pages: 1 }).metadata();
  return { width, height, ...(icc && isReadDifferently(icc) ? { isReadDifferently: true } : {}) };
};

const frameSharpness = async (bytes: Uint8Array): Promise<number> => {
  const { data, info } = await sharp(plainImage(bytes), {
    limitInputPixels: MAX_PIXELS,
    pages: 1,
    sequentialRead: true,
  })
    .resize(FRAME_SIZE, FRAME_SIZE, { fit: 'inside', withoutEnlargement: true })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return sharpnessOf(data, info.width, info.height);
};

const chipKey = async (bytes: Uint8Array) => {
  const read = attempt(() => readChipKey(bytes));
  return read.value ?? { refused: read.error?.message };
};

const WORK: Readonly<Record<ImageJob['kind'], (bytes: Uint8Array) => Promise<unknown>>> = {
  header: headerOf,
  frame: frameSharpness,
  'chip-key': chipKey,
};

process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole group; the parent ends this process itself.
process.on('SIGINT', () => undefined);
process.on('message', ({ kind, bytes }: ImageJob) => {
  WORK[kind](bytes).then(
    (value) => process.send?.({ value }),
    () => process.send?.({}),
  );
});
