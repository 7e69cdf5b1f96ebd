import type { Quad } from '../homography.ts';
import type { Rgb } from '../raster.ts';

export interface Colour {
  /** Mean saturation, 0..1. */
  saturation: number;
  /** Hasler and Suesstrunk's colourfulness. */
  colourfulness: number;
  /**
   * The spread of colour that brightness does not explain: a copy on tinted paper, or under warm
   * light, has colour, but brightness explains all of it.
   */
  independentChroma: number;
}

/**
 * The columns of row `y` inside a convex quadrangle with clockwise corners: the first column, and
 * the one after the last.
 */
const spanOf = (quad: Quad, y: number, width: number): [from: number, to: number] => {
  let from = 0;
  let to = width;
  for (const [i, [ax, ay]] of quad.entries()) {
    const [bx, by] = quad[(i + 1) % quad.length]!;
    const crossing = ax + ((bx - ax) * (y - ay)) / (by - ay);
    if (by > ay) to = Math.min(to, Math.floor(crossing) + 1);
    else if (by < ay) from = Math.max(from, Math.ceil(crossing));
    else if ((bx - ax) * (y - ay) < 0) to = 0;
  }
  return [from, to];
};

/** Sums of two variables: brightness, and one that may depend on it. */
interface Sums {
  n: number;
  l: number;
  ll: number;
  v: number;
  vv: number;
  lv: number;
}

const noSums = (): Sums => ({ n: 0, l: 0, ll: 0, v: 0, vv: 0, lv: 0 });

const add = (sums: Sums, luma: number, value: number): void => {
  sums.n++;
  sums.l += luma;
  sums.ll += luma * luma;
  sums.v += value;
  sums.vv += value * value;
  sums.lv += luma * value;
};

/**
 * The standard deviation of the variable, its standard deviation without the linear part of
 * brightness, and the mean.
 */
const regression = ({ n, l, ll, v, vv, lv }: Sums) => {
  const spread = ll / n - (l / n) ** 2;
  const covariance = lv / n - (l / n) * (v / n);
  const variance = Math.max(0, vv / n - (v / n) ** 2);
  const left = spread > 0 ? variance - covariance ** 2 / spread : variance;
  return { deviation: Math.sqrt(variance), independent: Math.sqrt(Math.max(0, left)), mean: v / n };
};

/**
 * The colour of the document, or of the whole picture if its outline is unknown. Corners clockwise
 * from the top left.
 */
export const colourOf = ({ width, height, data }: Rgb, outline?: Quad): Colour => {
  const redGreen = noSums();
  const yellowBlue = noSums();
  let saturation = 0;
  let count = 0;
  for (let y = 0; y < height; y += 2) {
    const [from, to] = outline ? spanOf(outline, y, width) : [0, width];
    for (let x = from + (from & 1); x < to; x += 2) {
      const p = (y * width + x) * 3;
      const r = data[p]!;
      const g = data[p + 1]!;
      const b = data[p + 2]!;
      const largest = Math.max(r, g, b);
      saturation += largest ? (largest - Math.min(r, g, b)) / largest : 0;
      count++;
      const luma = 0.299 * r + 0.587 * g + 0.114 * b;
      add(redGreen, luma, r - g);
      add(yellowBlue, luma, (r + g) / 2 - b);
    }
  }
  if (count < 1000)
    return outline ? colourOf({ width, height, data }) : { saturation: 0, colourfulness: 0, independentChroma: 0 };
  const a = regression(redGreen);
  const c = regression(yellowBlue);
  return {
    saturation: saturation / count,
    colourfulness: Math.hypot(a.deviation, c.deviation) + 0.3 * Math.hypot(a.mean, c.mean),
    independentChroma: Math.hypot(a.independent, c.independent),
  };
};

/** The colour of the middle third of the picture in both directions, where the document is. */
export const colourOfMiddle = (rgb: Rgb): Colour => {
  const [left, right] = [rgb.width / 3, (2 * rgb.width) / 3];
  const [top, bottom] = [rgb.height / 3, (2 * rgb.height) / 3];
  return colourOf(rgb, [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ]);
};
