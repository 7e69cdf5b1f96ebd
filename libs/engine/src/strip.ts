import type { Grey } from './raster.ts';

/**
 * A straight line of print: y = slope * x + offset between left and right, in pixels of the image
 * it belongs to.
 */
export interface Baseline {
  left: number;
  right: number;
  slope: number;
  offset: number;
}

/** Straightened grey values, row by row. */
export interface Strip {
  width: number;
  height: number;
  data: Float32Array;
}

interface StripSize {
  width: number;
  height: number;
  /** Samples per output pixel and direction, at most. */
  oversample: number;
}

export const heightAt = (line: Baseline, x: number): number => line.slope * x + line.offset;
export const middleOf = (line: Baseline): number => (line.left + line.right) / 2;

/**
 * Samples the band between `top` and `bottom` (measured at right angles to the line, negative is
 * above) along the line into a straight strip. Bilinear; samples outside the image repeat its edge.
 */
export const stripOf = (image: Grey, line: Baseline, top: number, bottom: number, size: StripSize): Strip => {
  const { width, height } = size;
  const { data, width: stride } = image;
  const cos = 1 / Math.sqrt(1 + line.slope * line.slope);
  const sin = line.slope * cos;
  const stepX = (line.right - line.left) / cos / width;
  const stepY = (bottom - top) / height;
  const nx = Math.max(1, Math.min(size.oversample, Math.round(stepX)));
  const ny = Math.max(1, Math.min(size.oversample, Math.round(stepY)));
  const dx = stepX / nx;
  const dy = stepY / ny;
  const maxX = image.width - 1.001;
  const maxY = image.height - 1.001;
  const originX = line.left - 0.5;
  const originY = heightAt(line, line.left) - 0.5;
  const out = new Float32Array(width * height);
  for (let y = 0; y < height; y++)
    for (let j = 0; j < ny; j++) {
      const v = top + (y * ny + j + 0.5) * dy;
      let fx = originX - v * sin + 0.5 * dx * cos;
      let fy = originY + v * cos + 0.5 * dx * sin;
      let q = y * width;
      for (let x = 0; x < width; x++, q++) {
        let sum = 0;
        for (let i = 0; i < nx; i++, fx += dx * cos, fy += dx * sin) {
          const px = fx < 0 ? 0 : fx > maxX ? maxX : fx;
          const py = fy < 0 ? 0 : fy > maxY ? maxY : fy;
          const x0 = px | 0;
          const y0 = py | 0;
          const p = y0 * stride + x0;
          const above = data[p]! + (data[p + 1]! - data[p]!) * (px - x0);
          const below = data[p + stride]! + (data[p + stride + 1]! - data[p + stride]!) * (px - x0);
          sum += above + (below - above) * (py - y0);
        }
        out[q] = out[q]! + sum;
      }
    }
  const share = 1 / (nx * ny);
  if (share !== 1) for (let i = 0; i < out.length; i++) out[i] = out[i]! * share;
  return { width, height, data: out };
};
