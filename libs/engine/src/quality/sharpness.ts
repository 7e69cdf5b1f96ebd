import type { Grey } from '../raster.ts';

const WINDOW = 9;

const rowLoss = (data: Uint8Array, from: number, width: number, box: Float32Array): [edges: number, lost: number] => {
  let sum = 0;
  for (let x = 0; x < width; x++) {
    sum += data[from + x]!;
    if (x >= WINDOW) sum -= data[from + x - WINDOW]!;
    if (x >= WINDOW - 1) box[x - (WINDOW >> 1)] = sum / WINDOW;
  }
  let edges = 0;
  let lost = 0;
  for (let x = 6; x < width - 6; x++) {
    const edge = Math.abs(data[from + x]! - data[from + x - 1]!);
    edges += edge;
    lost += Math.max(0, edge - Math.abs(box[x]! - box[x - 1]!));
  }
  return [edges, lost];
};

/** Crete's no-reference blur: how much a further blur takes from the edges. 0 sharp, 1 blurred. */
export const creteBlur = ({ width, height, data }: Grey): number => {
  const box = new Float32Array(width);
  let edges = 0;
  let lost = 0;
  for (let y = 0; y < height; y += 2) {
    const [e, l] = rowLoss(data, y * width, width, box);
    edges += e;
    lost += l;
  }
  return edges ? 1 - lost / edges : 1;
};

const TILE = 50;

/** Laplacian energy divided by brightness variance for one tile; undefined if it has no texture. */
const tileSharpness = ({ width, height, data }: Grey, tileX: number, tileY: number): number | undefined => {
  let [n, sum, squares, grey, greySquares] = [0, 0, 0, 0, 0];
  for (let y = Math.max(1, tileY); y < Math.min(height - 1, tileY + TILE); y++)
    for (let x = Math.max(1, tileX); x < Math.min(width - 1, tileX + TILE); x++) {
      const i = y * width + x;
      const v = 4 * data[i]! - data[i - 1]! - data[i + 1]! - data[i - width]! - data[i + width]!;
      n++;
      sum += v;
      squares += v * v;
      grey += data[i]!;
      greySquares += data[i]! * data[i]!;
    }
  const contrast = greySquares / n - (grey / n) ** 2;
  return contrast > 200 ? (squares / n - (sum / n) ** 2) / contrast : undefined;
};

/**
 * The sharpness of the textured tiles (60th percentile), whatever the amount of print. 0 if no tile
 * is textured.
 */
export const tiledSharpness = (image: Grey): number => {
  const tiles: number[] = [];
  for (let y = 0; y + TILE <= image.height; y += TILE)
    for (let x = 0; x + TILE <= image.width; x += TILE) {
      const sharpness = tileSharpness(image, x, y);
      if (sharpness !== undefined) tiles.push(sharpness);
    }
  return tiles.sort((a, b) => a - b)[Math.floor(tiles.length * 0.6)] ?? 0;
};
