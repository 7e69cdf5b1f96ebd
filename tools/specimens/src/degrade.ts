import sharp from 'sharp';
import { seeded } from './random.ts';
import { type Pixels, type Quad, warp } from './warp.ts';

/** What an ordinary capture does to a document; every part is optional. */
export interface Degradation {
  /** JPEG quality of the result, 92 unless said otherwise. */
  quality?: number;
  /** Degrees, clockwise. */
  rotation?: number;
  /**
   * Share of the side by which the corners move (0.05 is mild); the direction comes from `seed`.
   */
  perspective?: number;
  /** Sigma of a Gaussian blur in pixels. */
  blur?: number;
  /** Standard deviation of sensor noise in grey levels. */
  noise?: number;
  /** Multiplies the brightness. */
  brightness?: number;
  /** Longest side of the result in pixels. */
  longestSide?: number;
  seed?: number;
}

const DESK = { r: 92, g: 84, b: 78 };

/** The same image as a careless photographer would have taken it. */
export async function degrade(image: Buffer, how: Degradation): Promise<Buffer> {
  const seed = how.seed ?? 1;
  const bent = how.perspective ? await bend(image, how.perspective, seed) : image;
  let work = sharp(bent);
  if (how.rotation) work = sharp(await work.rotate(how.rotation, { background: DESK }).png().toBuffer());
  if (how.longestSide) {
    work = work.resize({ width: how.longestSide, height: how.longestSide, fit: 'inside', kernel: 'lanczos3' });
  }
  if (how.blur) work = work.blur(how.blur);
  if (how.brightness) work = work.modulate({ brightness: how.brightness });
  const noisy = how.noise ? await grain(await work.png().toBuffer(), how.noise, seed) : await work.png().toBuffer();
  return sharp(noisy)
    .jpeg({ quality: how.quality ?? 92 })
    .toBuffer();
}

/** Moves the four corners apart on a plain desk, each by up to `share` of the sides. */
async function bend(image: Buffer, share: number, seed: number): Promise<Buffer> {
  const random = seeded(seed);
  const pixels = await rawPixels(image);
  const { width, height } = pixels;
  const inset = (x: number, y: number): [number, number] => [
    x + (x === 0 ? 1 : -1) * random() * share * width,
    y + (y === 0 ? 1 : -1) * random() * share * height,
  ];
  const corners: Quad = [inset(0, 0), inset(width, 0), inset(width, height), inset(0, height)];
  const canvas: Pixels = { width, height, data: Buffer.alloc(width * height * 3) };
  for (let index = 0; index < width * height; index++) canvas.data.set([DESK.r, DESK.g, DESK.b], index * 3);
  return encode(warp(pixels, canvas, corners));
}

async function grain(image: Buffer, deviation: number, seed: number): Promise<Buffer> {
  const random = seeded(seed + 7);
  const pixels = await rawPixels(image);
  for (let index = 0; index < pixels.data.length; index++) {
    // The sum of three uniforms is close enough to a bell curve for sensor noise.
    const bell = (random() + random() + random() - 1.5) * 2;
    pixels.data[index] = Math.max(0, Math.min(255, (pixels.data[index] ?? 0) + bell * deviation));
  }
  return encode(pixels);
}

export async function rawPixels(image: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(image)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

export const encode = (pixels: Pixels): Promise<Buffer> =>
  sharp(pixels.data, { raw: { width: pixels.width, height: pixels.height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
