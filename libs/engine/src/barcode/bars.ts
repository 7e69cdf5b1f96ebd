import type { Corner, Quad } from '../homography.ts';
import type { Grey } from '../raster.ts';

/**
 * The tilt of the bars in degrees: the peak of the histogram of gradient directions, since bars are
 * the strongest edges there.
 */
export const barAngle = (image: Grey): number => {
  const { width, height, data } = image;
  const step = Math.max(1, Math.round(Math.max(width, height) / 900));
  const histogram = new Float64Array(180);
  for (let y = step; y < height - step; y += step)
    for (let x = step; x < width - step; x += step) {
      const p = y * width + x;
      // Differences of neighbouring pixels, not over two pixels: a bar may be that narrow, and the
      // angle would be up to twice too large.
      const [a, b, c, d] = [data[p]!, data[p + 1]!, data[p + width]!, data[p + width + 1]!];
      const dx = b + d - a - c;
      const dy = c + d - a - b;
      const square = dx * dx + dy * dy;
      if (square < 2500) continue;
      const degrees = Math.floor((Math.atan2(dy, dx) * 180) / Math.PI + 270) % 180;
      histogram[degrees] = histogram[degrees]! + Math.sqrt(square);
    }
  const around = (centre: number, reach: number) => {
    let sum = 0;
    let moment = 0;
    for (let k = -reach; k <= reach; k++) {
      const value = histogram[(centre + k + 180) % 180]!;
      sum += value;
      moment += value * (centre + k + 0.5);
    }
    return { sum, mean: sum ? moment / sum : centre };
  };
  let best = 90;
  for (let i = 45; i <= 135; i++) if (around(i, 2).sum > around(best, 2).sum) best = i;
  return around(best, 3).mean - 90;
};

interface EnergyMap {
  width: number;
  height: number;
  data: Uint8Array;
  /** Page pixels per map pixel. */
  factor: number;
}

const REACH = 6;

/** Horizontal contrast, averaged over small cells and a square around each. */
const energyOf = (image: Grey): EnergyMap => {
  const factor = Math.max(1, Math.round(Math.max(image.width, image.height) / 520));
  const width = Math.floor(image.width / factor);
  const height = Math.floor(image.height / factor);
  const stride = width + 1;
  const sums = new Float64Array(stride * (height + 1));
  for (let y = 0; y < height; y++) {
    let row = 0;
    for (let x = 0; x < width; x++) {
      let cell = 0;
      const inside = x && y && x < width - 1 && y < height - 1;
      for (let j = 0; inside && j < factor; j++) {
        const p = (y * factor + j) * image.width + x * factor;
        for (let i = 0; i < factor; i++) cell += Math.abs(image.data[p + i + 1]! - image.data[p + i - 1]!);
      }
      row += cell / (factor * factor);
      sums[(y + 1) * stride + x + 1] = sums[y * stride + x + 1]! + row;
    }
  }
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [x0, x1] = [Math.max(0, x - REACH), Math.min(width, x + REACH + 1)];
      const [y0, y1] = [Math.max(0, y - REACH), Math.min(height, y + REACH + 1)];
      const sum = sums[y1 * stride + x1]! - sums[y0 * stride + x1]! - sums[y1 * stride + x0]! + sums[y0 * stride + x0]!;
      data[y * width + x] = Math.min(255, sum / ((x1 - x0) * (y1 - y0)));
    }
  return { width, height, data, factor };
};

/**
 * The largest connected patch of high contrast, as pixel indices; undefined if there is hardly any.
 */
const densestPatch = ({ width, height, data }: EnergyMap): number[] | undefined => {
  const high = Uint8Array.from(data).sort()[Math.floor(data.length * 0.93)]!;
  if (high < 20) return undefined;
  const seen = new Uint8Array(data.length);
  let best: number[] = [];
  const stack: number[] = [];
  const visit = (q: number) => {
    if (seen[q] || data[q]! < high * 0.5) return;
    seen[q] = 1;
    stack.push(q);
  };
  for (let start = 0; start < data.length; start++) {
    visit(start);
    const patch: number[] = [];
    for (let q = stack.pop(); q !== undefined; q = stack.pop()) {
      patch.push(q);
      const x = q % width;
      if (x) visit(q - 1);
      if (x < width - 1) visit(q + 1);
      if (q >= width) visit(q - width);
      if (q < width * (height - 1)) visit(q + width);
    }
    if (patch.length > best.length) best = patch;
  }
  return best.length < 0.01 * data.length ? undefined : best;
};

type Line = readonly [slope: number, offset: number];

const leastSquares = (points: readonly Corner[]): Line => {
  let [sx, sy, sxx, sxy] = [0, 0, 0, 0];
  for (const [x, y] of points) {
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  const n = points.length;
  const spread = n * sxx - sx * sx;
  const slope = spread ? (n * sxy - sx * sy) / spread : 0;
  return [slope, (sy - slope * sx) / n];
};

/** A line through the ends of columns or rows; the worst quarter is dropped repeatedly. */
const trimmedLine = (ends: ReadonlyMap<number, number>): Line => {
  const all = [...ends].sort(([a], [b]) => a - b);
  const cut = Math.floor(all.length * 0.12);
  let points: Corner[] = all.slice(cut, all.length - cut);
  let line = leastSquares(points);
  for (let round = 0; round < 5; round++) {
    const off = ([x, y]: Corner) => Math.abs(y - line[0] * x - line[1]);
    const errors = points.map(off).sort((a, b) => a - b);
    const limit = Math.max(1.5, errors[Math.floor(errors.length * 0.75)] ?? 0);
    points = points.filter((point) => off(point) <= limit);
    line = leastSquares(points);
  }
  return line;
};

/** Crossing of y = a x + b with x = c y + d. */
const crossing = ([a, b]: Line, [c, d]: Line): Corner => {
  const x = (c * b + d) / (1 - c * a);
  return [x, a * x + b];
};

/**
 * The four corners of the block of bars with a margin, in pixels of the image; undefined if no
 * block stands out.
 */
export const barBlock = (image: Grey): Quad | undefined => {
  const map = energyOf(image);
  const patch = densestPatch(map);
  if (!patch) return undefined;
  const ends = {
    top: new Map<number, number>(),
    bottom: new Map<number, number>(),
    left: new Map<number, number>(),
    right: new Map<number, number>(),
  };
  for (const q of patch) {
    const x = q % map.width;
    const y = Math.floor(q / map.width);
    ends.top.set(x, Math.min(y, ends.top.get(x) ?? y));
    ends.bottom.set(x, Math.max(y, ends.bottom.get(x) ?? y));
    ends.left.set(y, Math.min(x, ends.left.get(y) ?? x));
    ends.right.set(y, Math.max(x, ends.right.get(y) ?? x));
  }
  const top = trimmedLine(ends.top);
  const bottom = trimmedLine(ends.bottom);
  const left = trimmedLine(ends.left);
  const right = trimmedLine(ends.right);
  const corners = [crossing(top, left), crossing(top, right), crossing(bottom, right), crossing(bottom, left)];
  const cx = corners.reduce((sum, [x]) => sum + x, 0) / 4;
  const cy = corners.reduce((sum, [, y]) => sum + y, 0) / 4;
  return corners.map(
    ([x, y]): Corner => [(cx + (x - cx) * 1.04) * map.factor, (cy + (y - cy) * 1.06) * map.factor],
  ) as unknown as Quad;
};
