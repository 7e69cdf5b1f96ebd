import type { Corner, Quad } from '../homography.ts';
import type { MrzFormat } from '../mrz/formats.ts';
import type { MrzReading } from '../mrz/read.ts';

/**
 * Millimetres around the block of lines: the machine-readable zone tells the outline of the
 * document.
 */
interface Sheet {
  across: number;
  left: number;
  above: number;
  below: number;
  block: number;
}

const LINE = 6.35;
const LETTERS = 3;
/** Ten characters an inch. */
export const PITCH = 2.54;

interface Format {
  width: number;
  height: number;
  characters: number;
  lines: number;
  /** From the lowest line to the edge. */
  below: number;
}

const sheet = ({ width, height, characters, lines, below }: Format): Sheet => {
  const across = characters * PITCH;
  const block = (lines - 1) * LINE + LETTERS;
  return { across, left: (width - across) / 2, block, below, above: height - below - block };
};

const SHEETS: Readonly<Record<MrzFormat, Sheet>> = {
  TD3: sheet({ width: 125, height: 88, characters: 44, lines: 2, below: 8 }),
  'MRV-A': sheet({ width: 120, height: 80, characters: 44, lines: 2, below: 7 }),
  TD2: sheet({ width: 105, height: 74, characters: 36, lines: 2, below: 8 }),
  'MRV-B': sheet({ width: 105, height: 74, characters: 36, lines: 2, below: 7 }),
  FRENCH_ID: sheet({ width: 105, height: 74, characters: 36, lines: 2, below: 7 }),
  TD1: sheet({ width: 85.6, height: 54, characters: 30, lines: 3, below: 5 }),
};

const along = (a: { x: number; y: number }, b: { x: number; y: number }, share: number): Corner => [
  a.x + (b.x - a.x) * share,
  a.y + (b.y - a.y) * share,
];

/**
 * Where the document's corners must be, extrapolated from the zone; clockwise from its own top
 * left, in page pixels. The block is short compared with the page, so the estimate uses the zone's
 * own directions, not perspective.
 */
export const outlineOf = ({ quad, format }: MrzReading): Quad => {
  const { across, left, above, below, block } = SHEETS[format];
  const [a, b, c, d] = quad;
  const unit = Math.hypot(b.x - a.x, b.y - a.y) / across;
  const right = { x: (b.x - a.x) / across, y: (b.y - a.y) / across };
  // The downward direction is perpendicular to the lines: the height of two lines is too short to
  // extrapolate from.
  const down = { x: -right.y, y: right.x };
  const mid = (p: { x: number; y: number }, q: { x: number; y: number }) => along(p, q, 0.5);
  const [tx, ty] = mid(a, b);
  const [bx, by] = mid(d, c);
  const half = across / 2 + left;
  const corner = (x: number, y: number, h: number, v: number): Corner => [
    x + right.x * h + down.x * v,
    y + right.y * h + down.y * v,
  ];
  const rise = Math.max(above, (block * above) / Math.max(block, Math.hypot(bx - tx, by - ty) / unit || block));
  return [
    corner(tx, ty, -half, -rise),
    corner(tx, ty, half, -rise),
    corner(bx, by, half, below),
    corner(bx, by, -half, below),
  ];
};

/**
 * How far the outline extends beyond the picture, as a share of the document's longer side. 0: all
 * of it is visible.
 */
export const overhangOf = (outline: Quad, width: number, height: number): number => {
  const [a, b] = outline;
  const longer = Math.hypot(b[0] - a[0], b[1] - a[1]);
  const beyond = outline.map(([x, y]) => Math.max(0, -x, -y, x - width, y - height));
  return Math.max(...beyond) / longer;
};

/** The document's longer side relative to the picture's. */
export const shareOf = ([a, b]: Quad, width: number, height: number): number =>
  Math.hypot(b[0] - a[0], b[1] - a[1]) / Math.max(width, height);

/** The outline in another scale. */
export const scaledQuad = (quad: Quad, by: number): Quad =>
  quad.map(([x, y]): Corner => [x * by, y * by]) as unknown as Quad;
