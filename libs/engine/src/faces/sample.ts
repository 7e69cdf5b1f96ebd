import { blockMeans } from '../block-means.ts';
import type { Rgb } from '../raster.ts';
import { type Affine, apply, compose, type Point, scaleOf } from './geometry.ts';

/**
 * Samples `width` x `height` pixels through `toImage` (output pixel to image pixel). If the output
 * is smaller than the region it shows, the region is first averaged down by a whole factor, so that
 * large selfies do not alias. Beyond the image, its edge repeats.
 */
export const sample = (image: Rgb, toImage: Affine, width: number, height: number): Rgb =>
  sampleEach(image, [toImage], width, height)[0]!;

/** Several samples of nearly the same place: the region is averaged down once for all. */
export function sampleEach(image: Rgb, views: readonly Affine[], width: number, height: number): Rgb[] {
  const factorOf = (toImage: Affine) => Math.max(1, Math.round(scaleOf(toImage)));
  const regions = new Map<number, Region>();
  return views.map((toImage) => {
    const factor = factorOf(toImage);
    if (factor === 1) return bilinear(image, toImage, width, height);
    const alike = views.filter((view) => factorOf(view) === factor);
    const { region, toRegion } = regions.get(factor) ?? reduced(image, bounds(alike, width, height), factor);
    regions.set(factor, { region, toRegion });
    return bilinear(region, compose(toRegion, toImage), width, height);
  });
}

interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function bounds(views: readonly Affine[], width: number, height: number): Bounds {
  const corners: Point[] = [
    [0, 0],
    [width, 0],
    [0, height],
    [width, height],
  ];
  const placed = views.flatMap((toImage) => corners.map((corner) => apply(toImage, corner)));
  const xs = placed.map(([x]) => x);
  const ys = placed.map(([, y]) => y);
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

interface Region {
  region: Rgb;
  toRegion: Affine;
}

/**
 * The part of the image within `bounds`, or the nearest part, averaged over blocks of `factor` x
 * `factor`.
 */
function reduced(image: Rgb, bounds: Bounds, wanted: number): Region {
  const factor = Math.min(wanted, image.width, image.height);
  const start = (from: number, size: number) => clamp(Math.floor(from) - factor, size - factor);
  const left = start(bounds.left, image.width);
  const top = start(bounds.top, image.height);
  const blocks = (from: number, to: number, size: number) =>
    Math.max(1, Math.floor((Math.min(size, Math.ceil(to) + factor) - from) / factor));
  const width = blocks(left, bounds.right, image.width);
  const height = blocks(top, bounds.bottom, image.height);
  const region = blockMeans(image, { left, top, width, height }, factor);
  const shift = (factor - 1) / 2;
  const toRegion: Affine = [1 / factor, 0, -(left + shift) / factor, 0, 1 / factor, -(top + shift) / factor];
  return { region, toRegion };
}

/** The channels are written out: a loop over three takes twice the time. */
function bilinear(image: Rgb, m: Affine, width: number, height: number): Rgb {
  const { data } = image;
  const right = Math.max(0, image.width - 1.001);
  const bottom = Math.max(0, image.height - 1.001);
  const nextColumn = image.width > 1 ? 3 : 0;
  const nextRow = image.height > 1 ? image.width * 3 : 0;
  const stride = image.width;
  const [ux, uy, u0, vx, vy, v0] = m;
  const out = new Uint8Array(width * height * 3);
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to += 3) {
      const u = clamp(ux * x + uy * y + u0, right);
      const v = clamp(vx * x + vy * y + v0, bottom);
      const column = u | 0;
      const row = v | 0;
      const fx = u - column;
      const fy = v - row;
      const a = (row * stride + column) * 3;
      const b = a + nextColumn;
      const c = a + nextRow;
      const d = c + nextColumn;
      const shareD = fx * fy;
      const shareB = fx - shareD;
      const shareC = fy - shareD;
      const shareA = 1 - fx - shareC;
      out[to] = data[a]! * shareA + data[b]! * shareB + data[c]! * shareC + data[d]! * shareD + 0.5;
      out[to + 1] = data[a + 1]! * shareA + data[b + 1]! * shareB + data[c + 1]! * shareC + data[d + 1]! * shareD + 0.5;
      out[to + 2] = data[a + 2]! * shareA + data[b + 2]! * shareB + data[c + 2]! * shareC + data[d + 2]! * shareD + 0.5;
    }
  }
  return { width, height, data: out };
}

const clamp = (value: number, most: number): number => (value < 0 ? 0 : value > most ? most : value);

/**
 * The pixels of several images of one size as one float tensor, channel by channel (NCHW), 0 to
 * 255.
 */
export function planar(images: readonly Rgb[]): Float32Array {
  const [first] = images;
  if (!first) return new Float32Array();
  const size = first.width * first.height;
  const out = new Float32Array(images.length * 3 * size);
  for (const [index, { data }] of images.entries()) {
    const base = index * 3 * size;
    for (let pixel = 0; pixel < size; pixel++) {
      out[base + pixel] = data[pixel * 3]!;
      out[base + size + pixel] = data[pixel * 3 + 1]!;
      out[base + 2 * size + pixel] = data[pixel * 3 + 2]!;
    }
  }
  return out;
}

/** Left and right exchanged. */
export function mirrored({ width, height, data }: Rgb): Rgb {
  const out = new Uint8Array(data.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = (y * width + x) * 3;
      const to = (y * width + width - 1 - x) * 3;
      out[to] = data[from]!;
      out[to + 1] = data[from + 1]!;
      out[to + 2] = data[from + 2]!;
    }
  }
  return { width, height, data: out };
}
