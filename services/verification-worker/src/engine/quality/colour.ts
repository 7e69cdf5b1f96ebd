import type { Quad } from '../homography.ts';
import type { Rgb } from '../raster.ts';

export interface Colour {
  /** Mean saturation, 0..1. */
  saturation: number;
  /** Hasler and Suesstrunk's colourfulness. */
  colourfulness: number;
  /**
   * Spread of colour that brightness does not explain: a copy on tinted paper, or under warm light, has colour but all of
   * it follows from brightness.
   */
  independentChroma: number;
}

const inside = (quad: Quad | undefined, x: number, y: number): boolean =>
  quad === undefined ||
  quad.every(([ax, ay], i) => {
    const [bx, by] = quad[(i + 1) % 4]!;
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0;
  });

/** Running sums of a variable against brightness. */
const regression = () => {
  let [n, l, ll, v, vv, lv] = [0, 0, 0, 0, 0, 0];
  return {
    add: (luma: number, value: number) => {
      n++;
      l += luma;
      ll += luma * luma;
      v += value;
      vv += value * value;
      lv += luma * value;
    },
    /** Standard deviation, the same after the linear part of brightness is taken out, and the mean. */
    result: () => {
      const spread = ll / n - (l / n) ** 2;
      const covariance = lv / n - (l / n) * (v / n);
      const variance = Math.max(0, vv / n - (v / n) ** 2);
      const left = spread > 0 ? variance - covariance ** 2 / spread : variance;
      return { deviation: Math.sqrt(variance), independent: Math.sqrt(Math.max(0, left)), mean: v / n };
    },
  };
};

/** Colour of the document, or of the whole picture where its outline is not known. Corners clockwise from the top left. */
export const colourOf = ({ width, height, data }: Rgb, outline?: Quad): Colour => {
  const redGreen = regression();
  const yellowBlue = regression();
  let saturation = 0;
  let count = 0;
  for (let y = 0; y < height; y += 2)
    for (let x = 0; x < width; x += 2) {
      if (!inside(outline, x, y)) continue;
      const p = (y * width + x) * 3;
      const [r, g, b] = [data[p]!, data[p + 1]!, data[p + 2]!];
      const largest = Math.max(r, g, b);
      saturation += largest ? (largest - Math.min(r, g, b)) / largest : 0;
      count++;
      const luma = 0.299 * r + 0.587 * g + 0.114 * b;
      redGreen.add(luma, r - g);
      yellowBlue.add(luma, (r + g) / 2 - b);
    }
  if (count < 1000)
    return outline ? colourOf({ width, height, data }) : { saturation: 0, colourfulness: 0, independentChroma: 0 };
  const a = redGreen.result();
  const c = yellowBlue.result();
  return {
    saturation: saturation / count,
    colourfulness: Math.hypot(a.deviation, c.deviation) + 0.3 * Math.hypot(a.mean, c.mean),
    independentChroma: Math.hypot(a.independent, c.independent),
  };
};
