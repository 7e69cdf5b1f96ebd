/** Eight-bit RGB, row by row. */
export interface Pixels {
  width: number;
  height: number;
  data: Buffer;
}

/** Top left, top right, bottom right, bottom left. */
export type Quad = [[number, number], [number, number], [number, number], [number, number]];

/**
 * Paints `source` into `target` so that its corners land on `corners`; returns the target.
 * Bilinear.
 */
export function warp(source: Pixels, target: Pixels, corners: Quad): Pixels {
  const map = homography(corners, source.width - 1, source.height - 1);
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  const [left, right] = [
    Math.max(0, Math.floor(Math.min(...xs))),
    Math.min(target.width - 1, Math.ceil(Math.max(...xs))),
  ];
  const [top, bottom] = [
    Math.max(0, Math.floor(Math.min(...ys))),
    Math.min(target.height - 1, Math.ceil(Math.max(...ys))),
  ];
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const [u, v] = map(x, y);
      if (u >= 0 && v >= 0 && u < source.width - 1 && v < source.height - 1) sample(source, u, v, target, x, y);
    }
  }
  return target;
}

function sample(source: Pixels, u: number, v: number, target: Pixels, x: number, y: number): void {
  const column = Math.floor(u);
  const row = Math.floor(v);
  const fx = u - column;
  const fy = v - row;
  const here = (row * source.width + column) * 3;
  const below = here + source.width * 3;
  const out = (y * target.width + x) * 3;
  const { data } = source;
  for (let channel = 0; channel < 3; channel++) {
    const upper = data[here + channel]! * (1 - fx) + data[here + 3 + channel]! * fx;
    const lower = data[below + channel]! * (1 - fx) + data[below + 3 + channel]! * fx;
    target.data[out + channel] = upper * (1 - fy) + lower * fy;
  }
}

/**
 * The projective map that takes the quad to the rectangle (0,0)-(width,height): the unit-square
 * construction, inverted.
 */
function homography(quad: Quad, width: number, height: number): (x: number, y: number) => [number, number] {
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = quad;
  const dx1 = x1 - x2;
  const dx2 = x3 - x2;
  const dx3 = x0 - x1 + x2 - x3;
  const dy1 = y1 - y2;
  const dy2 = y3 - y2;
  const dy3 = y0 - y1 + y2 - y3;
  const scale = dx1 * dy2 - dx2 * dy1;
  const g = (dx3 * dy2 - dx2 * dy3) / scale;
  const h = (dx1 * dy3 - dx3 * dy1) / scale;
  const [a, b, c] = [x1 - x0 + g * x1, x3 - x0 + h * x3, x0];
  const [d, e, f] = [y1 - y0 + g * y1, y3 - y0 + h * y3, y0];
  // Adjugate of [[a,b,c],[d,e,f],[g,h,1]]: the inverse up to a factor that cancels.
  const [A, B, C] = [e - f * h, c * h - b, b * f - c * e];
  const [D, E, F] = [f * g - d, a - c * g, c * d - a * f];
  const [G, H, I] = [d * h - e * g, b * g - a * h, a * e - b * d];
  return (x, y) => {
    const w = G * x + H * y + I;
    return [((A * x + B * y + C) / w) * width, ((D * x + E * y + F) / w) * height];
  };
}
