import sharp from 'sharp';
import { encode, rawPixels } from './degrade.ts';
import { between, seeded } from './random.ts';
import { type Pixels, type Quad, warp } from './warp.ts';

export interface Scene {
  /** Width of the photograph in pixels; the document covers most of it. */
  width: number;
  /** Share of the width left around the document. */
  margin?: number;
  seed?: number;
  quality?: number;
}

/**
 * A document on a desk, photographed by hand: a little turned, a little oblique, with grain, uneven
 * light and a soft shadow.
 */
export async function photograph(document: Buffer, scene: Scene): Promise<Buffer> {
  const random = seeded(scene.seed ?? 1);
  const page = await rawPixels(document);
  const margin = (scene.margin ?? 0.07) * scene.width;
  const pageWidth = scene.width - 2 * margin;
  const pageHeight = (pageWidth * page.height) / page.width;
  const height = Math.round(pageHeight + 2 * margin);
  const jitter = () => between(random, -10, 10) / 1000;
  const corner = (x: number, y: number): [number, number] => [
    margin + x * pageWidth + jitter() * scene.width,
    margin + y * pageHeight + jitter() * scene.width,
  ];
  const corners: Quad = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
  const scaled = await rawPixels(await sharp(document).resize(Math.round(pageWidth)).png().toBuffer());
  const photo = warp(scaled, await desk(scene.width, height, corners), corners);
  light(photo, random);
  return sharp(await encode(photo))
    .jpeg({ quality: scene.quality ?? 90 })
    .toBuffer();
}

/** The last desk: its shadow takes longer than all else, and pictures in a row share a desk. */
let last: { drawing: string; pixels: Pixels } | undefined;

/** A wooden table top with the shadow of what lies on it. */
async function desk(width: number, height: number, corners: Quad): Promise<Pixels> {
  const grain = Array.from({ length: 60 }, (_, line) => {
    const y = (height * line) / 60;
    return `<path d="M0 ${y} Q${width / 3} ${y + 14 * Math.sin(line)} ${width} ${y + 9 * Math.cos(line * 2)}" stroke="#5d4937" stroke-width="${1 + (line % 4)}" fill="none" opacity=".35"/>`;
  });
  const shadow = corners.map(([x, y]) => `${x + 7},${y + 9}`).join(' ');
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><filter id="s"><feGaussianBlur stdDeviation="7"/></filter><rect width="100%" height="100%" fill="#7a624c"/>${grain.join('')}<polygon points="${shadow}" fill="#1d1510" opacity=".6" filter="url(#s)"/></svg>`;
  if (last?.drawing !== drawing)
    last = { drawing, pixels: await rawPixels(await sharp(Buffer.from(drawing)).png().toBuffer()) };
  // The document is painted onto it.
  return { ...last.pixels, data: Buffer.from(last.pixels.data) };
}

/** A falling-off of light towards one corner, and the sensor's noise. */
function light(photo: Pixels, random: () => number): void {
  const { width, height, data } = photo;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const factor = 1.02 - 0.1 * (x / width) - 0.06 * (y / height);
      const noise = (random() + random() - 1) * 5;
      const at = (y * width + x) * 3;
      for (let channel = 0; channel < 3; channel++) {
        data[at + channel] = Math.max(0, Math.min(255, data[at + channel]! * factor + noise));
      }
    }
  }
}
