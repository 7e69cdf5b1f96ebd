/** x, y in pixels. */
export type Point = readonly [x: number, y: number];

/** Row by row [a, b, c, d, e, f]: x' = a x + b y + c, y' = d x + e y + f. */
export type Affine = readonly [number, number, number, number, number, number];

export const apply = (m: Affine, [x, y]: Point): Point => [m[0] * x + m[1] * y + m[2], m[3] * x + m[4] * y + m[5]];

/** First `inner`, then `outer`. */
export const compose = (outer: Affine, inner: Affine): Affine => [
  outer[0] * inner[0] + outer[1] * inner[3],
  outer[0] * inner[1] + outer[1] * inner[4],
  outer[0] * inner[2] + outer[1] * inner[5] + outer[2],
  outer[3] * inner[0] + outer[4] * inner[3],
  outer[3] * inner[1] + outer[4] * inner[4],
  outer[3] * inner[2] + outer[4] * inner[5] + outer[5],
];

export const invert = ([a, b, c, d, e, f]: Affine): Affine => {
  const det = a * e - b * d;
  return [e / det, -b / det, (b * f - c * e) / det, -d / det, a / det, (c * d - a * f) / det];
};

/** Length of the step in the target for one pixel of the source. */
export const scaleOf = (m: Affine): number => Math.hypot(m[0], m[3]);

/**
 * The least-squares similarity (turn, scale, shift; no shear, no mirror) that takes `from` to `to`.
 */
export function similarity(from: readonly Point[], to: readonly Point[]): Affine {
  const [mx, my] = middle(from);
  const [ux, uy] = middle(to);
  let a = 0;
  let b = 0;
  let spread = 0;
  for (const [index, [sx, sy]] of from.entries()) {
    const [tx, ty] = to[index] ?? [0, 0];
    const x = sx - mx;
    const y = sy - my;
    a += x * (tx - ux) + y * (ty - uy);
    b += x * (ty - uy) - y * (tx - ux);
    spread += x * x + y * y;
  }
  a /= spread;
  b /= spread;
  return [a, -b, ux - a * mx + b * my, b, a, uy - b * mx - a * my];
}

export const middle = (points: readonly Point[]): Point => [
  points.reduce((sum, [x]) => sum + x, 0) / points.length,
  points.reduce((sum, [, y]) => sum + y, 0) / points.length,
];

export const distance = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);
