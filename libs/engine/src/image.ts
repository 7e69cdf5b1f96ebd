import sharp from 'sharp';
import { plainImage } from './plain-image.ts';
import { type Grey, greyOf, mirroredRgb, type Quarter, type Rgb, turned, turnedRgb } from './raster.ts';

// One core for each engine process: libvips must not start threads of its own or cache decoded
// files.
sharp.concurrency(1);
sharp.cache(false);

/**
 * The limits of one decode. A file beyond them is refused before decoding (bytes, pixels) or during
 * it (seconds).
 */
export const DECODE_LIMITS = { bytes: 32 * 1024 * 1024, pixels: 40e6, seconds: 10, longestSide: 2000 } as const;

/**
 * The file is no image that can be decoded completely: wrong format, cut off, too many pixels, too
 * slow. Error code 1500.
 */
export class UnreadableImage extends Error {
  override readonly name = 'UnreadableImage';
  readonly code = '1500';
}

/**
 * One decoded side of a document, or one portrait: upright by EXIF, on white if transparent, its
 * longest side at most `DECODE_LIMITS.longestSide`. All readers share it; the file is decoded only
 * once.
 */
export interface Page {
  /** Size of `rgb` and `grey`, in pixels. */
  width: number;
  height: number;
  rgb: Rgb;
  /** Made from `rgb` when it is first read: faces are searched in colour. */
  readonly grey: Grey;
  /** The size of the file itself, after EXIF orientation. */
  original: { width: number; height: number; format: string; bytes: number; hasCameraData: boolean };
  /** Page pixels per original pixel, at most 1. */
  scale: number;
  decodeMs: number;
}

const FORMATS = new Set(['jpeg', 'png', 'webp']);

const read = async (bytes: Uint8Array) => {
  const image = sharp(plainImage(bytes), {
    limitInputPixels: DECODE_LIMITS.pixels,
    failOn: 'error',
    sequentialRead: true,
    pages: 1,
  }).timeout({ seconds: DECODE_LIMITS.seconds });
  const meta = await image.metadata();
  if (!FORMATS.has(meta.format)) throw new UnreadableImage(`format ${meta.format} is not supported`);
  const { data, info } = await image
    .autoOrient()
    .flatten({ background: '#fff' })
    .resize({
      width: DECODE_LIMITS.longestSide,
      height: DECODE_LIMITS.longestSide,
      fit: 'inside',
      withoutEnlargement: true,
    })
    .toColourspace('srgb')
    .removeAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { meta, data, info };
};

const threeChannels = (data: Uint8Array, pixels: number, channels: number): Uint8Array => {
  if (channels === 3) return data;
  const out = new Uint8Array(pixels * 3);
  for (let i = 0; i < pixels; i++) out.fill(data[i * channels]!, i * 3, i * 3 + 3);
  return out;
};

/**
 * Decodes JPEG, PNG or WebP bytes once. Throws {@link UnreadableImage} for everything else, also
 * for files that are cut off.
 */
export const decodePage = async (bytes: Uint8Array): Promise<Page> => {
  const start = performance.now();
  if (bytes.length === 0 || bytes.length > DECODE_LIMITS.bytes) throw new UnreadableImage('empty or too many bytes');
  const { meta, data, info } = await read(bytes).catch((error: unknown) => {
    throw error instanceof UnreadableImage ? error : new UnreadableImage('cannot be decoded', { cause: error });
  });
  const { width, height, channels } = info;
  const original = meta.autoOrient;
  const rgb: Rgb = { width, height, data: threeChannels(data, width * height, channels) };
  let grey: Grey | undefined;
  return {
    width,
    height,
    rgb,
    get grey() {
      grey ??= greyOf(rgb);
      return grey;
    },
    original: {
      width: original.width,
      height: original.height,
      format: meta.format,
      bytes: bytes.length,
      hasCameraData: meta.exif !== undefined,
    },
    scale: Math.min(1, width / original.width),
    decodeMs: performance.now() - start,
  };
};

/** The same page, turned clockwise by quarters, without decoding again. */
export const turnedPage = (page: Page, quarters: Quarter): Page => {
  if (quarters === 0) return page;
  const rgb = turnedRgb(page.rgb, quarters);
  const { width, height } = page.original;
  const swapped = quarters === 2 ? { width, height } : { width: height, height: width };
  return {
    ...page,
    rgb,
    grey: turned(page.grey, quarters),
    width: rgb.width,
    height: rgb.height,
    original: { ...page.original, ...swapped },
  };
};

/** The same page with left and right exchanged. */
export const mirroredPage = (page: Page): Page => {
  const rgb = mirroredRgb(page.rgb);
  return { ...page, rgb, grey: greyOf(rgb) };
};
