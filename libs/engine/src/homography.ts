import type { Grey } from './raster.ts';

export type Corner = readonly [x: number, y: number];
export type Quad = readonly [Corner, Corner, Corner, Corner];

const solve = (rows: number[][], right: number[]): number[] => {
  const n = right.length;
  for (let i = 0; i < n; i++) {
    let pivot = i;
    for (let r = i; r < n; r++) if (Math.abs(rows[r]![i]!) > Math.abs(rows[pivot]![i]!)) pivot = r;
    [rows[i], rows[pivot]] = [rows[pivot]!, rows[i]!];
    [right[i], right[pivot]] = [right[pivot]!, right[i]!];
    for (let r = 0; r < n; r++) {
      if (r === i) continue;
      const factor = rows[r]![i]! / rows[i]![i]!;
      for (let c = i; c < n; c++) rows[r]![c] = rows[r]![c]! - factor * rows[i]![c]!;
      right[r] = right[r]! - factor * right[i]!;
    }
  }
  return right.map((v, i) => v / rows[i]![i]!);
};

/** The nine numbers of the projective map that takes the corners of `from` to those of `to`. */
const homography = (from: Quad, to: Quad): number[] => {
  const rows: number[][] = [];
  const right: number[] = [];
  from.forEach(([x, y], i) => {
    const [u, v] = to[i]!;
    rows.push([x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]);
    right.push(u, v);
  });
  return [...solve(rows, right), 1];
};

interface Rectangle {
  width: number;
  height: number;
  margin: number;
}

/** The quadrangle of `image`, straightened to a rectangle, with a white margin. */
export const rectified = (image: Grey, quad: Quad, { width, height, margin }: Rectangle): Grey => {
  const m = homography(
    [
      [0, 0],
      [width, 0],
      [width, height],
      [0, height],
    ],
    quad,
  );
  const stride = width + 2 * margin;
  const out = new Uint8Array(stride * (height + 2 * margin)).fill(255);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const z = m[6]! * x + m[7]! * y + 1;
      const u = (m[0]! * x + m[1]! * y + m[2]!) / z - 0.5;
      const v = (m[3]! * x + m[4]! * y + m[5]!) / z - 0.5;
      if (!(u >= 0 && v >= 0 && u < image.width - 1 && v < image.height - 1)) continue;
      const p = (v | 0) * image.width + (u | 0);
      const fx = u - (u | 0);
      const fy = v - (v | 0);
      const above = image.data[p]! * (1 - fx) + image.data[p + 1]! * fx;
      const below = image.data[p + image.width]! * (1 - fx) + image.data[p + image.width + 1]! * fx;
      out[(y + margin) * stride + x + margin] = above * (1 - fy) + below * fy;
    }
  return { width: stride, height: height + 2 * margin, data: out };
};

/**
 * The image turned about its middle by an angle (degrees, clockwise), on a canvas large enough,
 * white outside.
 */
export const rotated = (image: Grey, angle: number): Grey => {
  const radians = (angle * Math.PI) / 180;
  const cos = Math.cos(radians);
  const sin = Math.sin(radians);
  const width = Math.ceil(Math.abs(image.width * cos) + Math.abs(image.height * sin));
  const height = Math.ceil(Math.abs(image.width * sin) + Math.abs(image.height * cos));
  const source = ([x, y]: Corner): Corner => [
    image.width / 2 + (x - width / 2) * cos + (y - height / 2) * sin,
    image.height / 2 - (x - width / 2) * sin + (y - height / 2) * cos,
  ];
  return rectified(image, [source([0, 0]), source([width, 0]), source([width, height]), source([0, height])], {
    width,
    height,
    margin: 0,
  });
};
