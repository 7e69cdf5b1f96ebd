import sharp from 'sharp';
import { encode, rawPixels } from './degrade.ts';
import { between, type Random } from './random.ts';
import type { Pixels } from './warp.ts';

/** A rectangle in pixels. */
export interface Place {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * Puts another's face over the portrait of a picture that was taken already, as a forger does in an
 * image editor: with a hard edge, or (`blended`) so that light and colour run on across its edge.
 * The face comes from a JPEG file of its own; the result is a JPEG of another quality than the
 * picture had.
 */
export async function pastePortrait(
  picture: Buffer,
  place: Place,
  face: Buffer,
  random: Random,
  blended = false,
): Promise<Buffer> {
  const own = await sharp(face)
    .rotate()
    .jpeg({ quality: between(random, 60, 92) })
    .toBuffer();
  const fitted = await rawPixels(
    await sharp(own).resize(place.width, place.height, { fit: 'cover', position: 'top' }).png().toBuffer(),
  );
  const page = await rawPixels(picture);
  if (blended) blend(page, fitted, place);
  else paste(page, fitted, place);
  return sharp(await encode(page))
    .jpeg({ quality: between(random, 75, 95) })
    .toBuffer();
}

function paste(page: Pixels, face: Pixels, { left, top }: Place): void {
  for (let y = 0; y < face.height; y++) {
    const row = face.data.subarray(y * face.width * 3, (y + 1) * face.width * 3);
    page.data.set(row, ((top + y) * page.width + left) * 3);
  }
}

/**
 * Seamless cloning: the face plus the smoothest surface that takes its edge to what the page has
 * there. Relaxed from a coarse start, which is near enough for the eye.
 */
function blend(page: Pixels, face: Pixels, { left, top }: Place): void {
  const { width, height } = face;
  for (let channel = 0; channel < 3; channel++) {
    const at = (x: number, y: number) => ((top + y) * page.width + left + x) * 3 + channel;
    const surface = new Float32Array(width * height);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        if (x === 0 || y === 0 || x === width - 1 || y === height - 1)
          surface[y * width + x] = page.data[at(x, y)]! - face.data[(y * width + x) * 3 + channel]!;
    relax(surface, width, height);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const value = face.data[(y * width + x) * 3 + channel]! + surface[y * width + x]!;
        page.data[at(x, y)] = Math.max(0, Math.min(255, value));
      }
  }
}

/** Laplace's equation inside the given edge, by successive over-relaxation. */
function relax(surface: Float32Array, width: number, height: number): void {
  for (let round = 0; round < 250; round++)
    for (let y = 1; y < height - 1; y++)
      for (let x = 1; x < width - 1; x++) {
        const here = y * width + x;
        const mean = (surface[here - 1]! + surface[here + 1]! + surface[here - width]! + surface[here + width]!) / 4;
        surface[here] = surface[here]! + 1.9 * (mean - surface[here]!);
      }
}

const FINE = 4;

/**
 * The face as an office printer and a camera give it back: a screen of dots at an angle, colours
 * that miss, soft detail, and the light rim of cut paper. To be drawn on a document in place of the
 * holder's.
 */
export async function reprintPortrait(face: Buffer, random: Random): Promise<Buffer> {
  const width = 330;
  const height = 430;
  const large = await rawPixels(
    await sharp(face)
      .rotate()
      .resize(width * FINE, height * FINE, { fit: 'cover', position: 'top' })
      .png()
      .toBuffer(),
  );
  const lines = between(random, 60, 110) / 25.4 / (10 * FINE);
  const [red, green, blue] = [0, 0, 0].map(() => 0.88 + 0.24 * random());
  dots(large, lines, random);
  const soft = 0.5 + random();
  const printed = await sharp(await encode(large))
    .blur(soft * FINE)
    .resize(width, height)
    .linear([red!, green!, blue!], [8, 8, 8])
    .png()
    .toBuffer();
  const rim = 3;
  return sharp(printed)
    .extract({ left: rim, top: rim, width: width - 2 * rim, height: height - 2 * rim })
    .extend({ top: rim, left: rim, bottom: rim, right: rim, background: '#f4f4f2' })
    .png()
    .toBuffer();
}

/** A screen of round dots for each colour, `lines` a pixel, each colour at its own angle. */
function dots({ width, height, data }: Pixels, lines: number, random: Random): void {
  const turn = random();
  for (let channel = 0; channel < 3; channel++) {
    const angle = turn + (channel * Math.PI) / 6;
    const [cos, sin] = [Math.cos(angle) * 2 * Math.PI * lines, Math.sin(angle) * 2 * Math.PI * lines];
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const at = (y * width + x) * 3 + channel;
        const screen = 127.5 + 63.7 * (Math.cos(cos * x + sin * y) + Math.cos(cos * y - sin * x));
        data[at] = data[at]! > screen ? 245 : 25;
      }
  }
}
