import type { Grey, Rgb } from '../raster.ts';

const BLOWN = 250;
const SMALLEST_BLOB = 0.002;
const MOST_RAGGED = 12;
const TEXTURED = 60;
const FADING = 200;

interface Blob {
  pixels: number;
  touchesBorder: boolean;
  /** Brightness variance just outside the blob. */
  surroundings: number;
  /** The brightness just outside the blob: a highlight fades, white paper ends. */
  halo: number;
  /**
   * Edge squared divided by area, 1 for a disc: highlights are round, print divides white paper.
   */
  raggedness: number;
}

const RING = 6;

const blobsOf = (blown: Uint8Array, { width, height, data }: Grey): Blob[] => {
  const seen = new Uint8Array(blown.length);
  const blobs: Blob[] = [];
  const stack: number[] = [];
  for (let start = 0; start < blown.length; start++) {
    if (!blown[start] || seen[start]) continue;
    stack.push(start);
    seen[start] = 1;
    let [pixels, ring, sum, squares] = [0, 0, 0, 0];
    let touchesBorder = false;
    const outside = (q: number) => {
      ring++;
      sum += data[q]!;
      squares += data[q]! * data[q]!;
    };
    for (let q = stack.pop(); q !== undefined; q = stack.pop()) {
      pixels++;
      const x = q % width;
      const y = Math.floor(q / width);
      if (x === 0 || y === 0 || x === width - 1 || y === height - 1) {
        touchesBorder = true;
        continue;
      }
      for (const next of [q - 1, q + 1, q - width, q + width]) {
        if (!blown[next]) {
          const away = q + (next - q) * RING;
          if (away >= 0 && away < data.length) outside(away);
        } else if (!seen[next]) {
          seen[next] = 1;
          stack.push(next);
        }
      }
    }
    blobs.push({
      pixels,
      touchesBorder,
      halo: ring ? sum / ring : 0,
      surroundings: ring ? squares / ring - (sum / ring) ** 2 : 0,
      raggedness: (ring * ring) / (4 * Math.PI * pixels),
    });
  }
  return blobs;
};

/**
 * The share of the page under highlights: round overexposed patches inside the picture that fade
 * out, or are on print.
 */
export const glareShare = (rgb: Rgb, grey: Grey): number => {
  const pixels = rgb.width * rgb.height;
  const blown = new Uint8Array(pixels);
  for (let i = 0, p = 0; i < pixels; i++, p += 3)
    if (rgb.data[p]! >= BLOWN && rgb.data[p + 1]! >= BLOWN && rgb.data[p + 2]! >= BLOWN) blown[i] = 1;
  return (
    blobsOf(blown, grey)
      .filter(
        ({ pixels: size, touchesBorder, surroundings, halo, raggedness }) =>
          size > SMALLEST_BLOB * pixels &&
          !touchesBorder &&
          raggedness < MOST_RAGGED &&
          (surroundings > TEXTURED || halo > FADING),
      )
      .reduce((sum, blob) => sum + blob.pixels, 0) / pixels
  );
};

export interface Brightness {
  /** Mean, 0..255. */
  mean: number;
  /** 95th percentile: the brightness of paper and highlights. */
  bright: number;
  /** Share of pixels below 25. */
  darkShare: number;
}

export const brightnessOf = ({ data }: Grey): Brightness => {
  const histogram = new Uint32Array(256);
  // A loop by index: an iterator takes six times as long.
  for (let i = 0; i < data.length; i++) histogram[data[i]!]!++;
  let sum = 0;
  let dark = 0;
  let bright = 255;
  let above = 0;
  for (let v = 255; v >= 0; v--) {
    sum += v * histogram[v]!;
    if (v < 25) dark += histogram[v]!;
    if (above < 0.05 * data.length) bright = v;
    above += histogram[v]!;
  }
  return { mean: sum / data.length, bright, darkShare: dark / data.length };
};
