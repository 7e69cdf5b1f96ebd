/** A connected patch above a threshold, described by the straight line that fits it. */
export interface Patch {
  left: number;
  right: number;
  slope: number;
  offset: number;
  /** Pixels per column: how thick the patch is. */
  thickness: number;
  /** Root mean square distance from the line. */
  residual: number;
  length: number;
}

interface Runs {
  count: number;
  from: Int32Array;
  to: Int32Array;
  row: Int32Array;
  parent: Int32Array;
}

interface Moments {
  n: number;
  x: number;
  y: number;
  xx: number;
  xy: number;
  yy: number;
  left: number;
  right: number;
}

const grown = (old: Int32Array): Int32Array<ArrayBuffer> => {
  const next = new Int32Array(old.length * 2);
  next.set(old);
  return next;
};

const rootOf = (parent: Int32Array, start: number): number => {
  let i = start;
  while (parent[i] !== i) {
    parent[i] = parent[parent[i]!]!;
    i = parent[i]!;
  }
  return i;
};

const addRow = (runs: Runs, map: Uint8Array, width: number, y: number, threshold: number): void => {
  const base = y * width;
  for (let x = 0; x < width; ) {
    while (x < width && map[base + x]! <= threshold) x++;
    if (x >= width) break;
    const start = x;
    while (x < width && map[base + x]! > threshold) x++;
    if (runs.count === runs.from.length) {
      runs.from = grown(runs.from);
      runs.to = grown(runs.to);
      runs.row = grown(runs.row);
      runs.parent = grown(runs.parent);
    }
    runs.from[runs.count] = start;
    runs.to[runs.count] = x - 1;
    runs.row[runs.count] = y;
    runs.parent[runs.count] = runs.count;
    runs.count++;
  }
};

const joinRows = ({ from, to, parent }: Runs, above: number, here: number, end: number): void => {
  for (let i = above, j = here; i < here && j < end; ) {
    if (to[i]! < from[j]!) i++;
    else if (to[j]! < from[i]!) j++;
    else {
      const a = rootOf(parent, i);
      const b = rootOf(parent, j);
      if (a < b) parent[b] = a;
      else parent[a] = b;
      if (to[i]! < to[j]!) i++;
      else j++;
    }
  }
};

const squaresTo = (n: number): number => (n * (n + 1) * (2 * n + 1)) / 6;

const momentsOf = (runs: Runs, width: number): Iterable<Moments> => {
  const all = new Map<number, Moments>();
  for (let i = 0; i < runs.count; i++) {
    const root = rootOf(runs.parent, i);
    const m = all.get(root) ?? { n: 0, x: 0, y: 0, xx: 0, xy: 0, yy: 0, left: width, right: 0 };
    all.set(root, m);
    const a = runs.from[i]!;
    const b = runs.to[i]!;
    const y = runs.row[i]!;
    const n = b - a + 1;
    const sum = ((a + b) * n) / 2;
    m.n += n;
    m.x += sum;
    m.y += y * n;
    m.xx += squaresTo(b) - (a ? squaresTo(a - 1) : 0);
    m.xy += sum * y;
    m.yy += y * y * n;
    m.left = Math.min(m.left, a);
    m.right = Math.max(m.right, b);
  }
  return all.values();
};

const patchOf = (m: Moments): Patch => {
  const length = m.right - m.left + 1;
  const spread = m.xx - (m.x * m.x) / m.n;
  const covariance = m.xy - (m.x * m.y) / m.n;
  const slope = spread > 0 ? covariance / spread : 0;
  const residual = Math.sqrt(Math.max(0, (m.yy - (m.y * m.y) / m.n - slope * covariance) / m.n));
  const offset = (m.y - slope * m.x) / m.n;
  return { left: m.left, right: m.right, slope, offset, thickness: m.n / length, residual, length };
};

/**
 * Patches of a map above `threshold`, at least `minLength` wide and `minPixels` large. One pass
 * over runs of pixels with union-find; line fits come from closed forms per run, so no pixel is
 * read twice.
 */
export const patchesOf = (
  map: Uint8Array,
  width: number,
  height: number,
  limits: { threshold: number; minLength: number; minPixels: number },
): Patch[] => {
  const size = 4096;
  const runs: Runs = {
    count: 0,
    from: new Int32Array(size),
    to: new Int32Array(size),
    row: new Int32Array(size),
    parent: new Int32Array(size),
  };
  for (let y = 0, above = 0; y < height; y++) {
    const here = runs.count;
    addRow(runs, map, width, y, limits.threshold);
    joinRows(runs, above, here, runs.count);
    above = here;
  }
  const patches: Patch[] = [];
  for (const m of momentsOf(runs, width))
    if (m.right - m.left + 1 >= limits.minLength && m.n >= limits.minPixels) patches.push(patchOf(m));
  return patches;
};
