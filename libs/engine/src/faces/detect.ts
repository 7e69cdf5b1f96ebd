import type { Box } from '../engine.ts';
import { DETECTION } from '../rules/face-thresholds.ts';
import { type Affine, compose } from './geometry.ts';
import type { FaceNets } from './nets.ts';
import { planar, sample } from './sample.ts';
import type { View } from './view.ts';

export interface Detection {
  /** In pixels of the view. */
  box: Box;
  /** 0 to 1. */
  score: number;
  detector: 'tiny' | 'ssd';
}

/** Anchor sizes of the tiny detector, in cells. */
const ANCHORS: readonly (readonly [number, number])[] = [
  [1.603231, 2.094468],
  [6.041143, 7.080126],
  [2.882459, 3.518061],
  [4.266906, 5.178857],
  [9.041765, 10.66308],
];

const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value));

/**
 * Runs the tiny detector on the whole view, reduced to `size`. `margin` (a share of the longest
 * side) adds a border that repeats the edge.
 */
export async function detectTiny(nets: FaceNets, view: View, size: number, margin = 0): Promise<Detection[]> {
  const frame = letterbox(view, size, margin);
  const { grid, cells } = await nets.tiny(frame.pixels, size);
  const area = cells * cells;
  const found: Detection[] = [];
  for (let anchor = 0; anchor < ANCHORS.length; anchor++) {
    const [wide = 0, high = 0] = ANCHORS[anchor] ?? [];
    for (let cell = 0; cell < area; cell++) {
      const value = (part: number) => grid[(anchor * 5 + part) * area + cell] ?? 0;
      const score = sigmoid(value(4));
      if (score <= DETECTION.tinyScore) continue;
      const width = (Math.exp(value(2)) * wide) / cells;
      const height = (Math.exp(value(3)) * high) / cells;
      const x = ((cell % cells) + sigmoid(value(0))) / cells - width / 2;
      const y = (Math.floor(cell / cells) + sigmoid(value(1))) / cells - height / 2;
      found.push({ box: frame.toView({ x, y, width, height }), score, detector: 'tiny' });
    }
  }
  return withoutDoubles(found, DETECTION.overlap.tiny, view);
}

/** The larger detector takes ten times as long, and misses other faces. */
export async function detectSsd(nets: FaceNets, view: View): Promise<Detection[]> {
  const frame = letterbox(view, 512, 0);
  const { encodings, classes, priors } = await nets.ssd(frame.pixels);
  const found: Detection[] = [];
  for (let index = 0; index < priors.length / 4; index++) {
    const score = sigmoid(classes[index * 3 + 1] ?? 0);
    if (score > DETECTION.ssdScore) {
      found.push({ box: frame.toView(decode(encodings, priors, index * 4)), score, detector: 'ssd' });
    }
  }
  return withoutDoubles(found, DETECTION.overlap.ssd, view);
}

function decode(encodings: Float32Array, priors: Float32Array, at: number): Box {
  const part = (array: Float32Array, offset: number) => array[at + offset] ?? 0;
  const priorHeight = part(priors, 2) - part(priors, 0);
  const priorWidth = part(priors, 3) - part(priors, 1);
  const height = Math.exp(part(encodings, 2) / 5) * priorHeight;
  const width = Math.exp(part(encodings, 3) / 5) * priorWidth;
  const y = (part(encodings, 0) / 10) * priorHeight + part(priors, 0) + priorHeight / 2 - height / 2;
  const x = (part(encodings, 1) / 10) * priorWidth + part(priors, 1) + priorWidth / 2 - width / 2;
  return { x, y, width, height };
}

interface Frame {
  pixels: Float32Array;
  /** From shares of the frame to pixels of the view. */
  toView: (box: Box) => Box;
}

/** The view at the top left of a black square, which its longest side and a margin fill. */
function letterbox(view: View, size: number, margin: number): Frame {
  const border = margin * Math.max(view.width, view.height);
  const zoom = (Math.max(view.width, view.height) + 2 * border) / size;
  const width = Math.min(size, Math.round((view.width + 2 * border) / zoom));
  const height = Math.min(size, Math.round((view.height + 2 * border) / zoom));
  const half = (zoom - 1) / 2;
  const toView: Affine = [zoom, 0, half - border, 0, zoom, half - border];
  const seen = sample(view.image, compose(view.toImage, toView), width, height);
  const square = new Uint8Array(size * size * 3);
  for (let row = 0; row < height; row++) {
    square.set(seen.data.subarray(row * width * 3, (row + 1) * width * 3), row * size * 3);
  }
  const span = zoom * size;
  return {
    pixels: planar([{ width: size, height: size, data: square }]),
    toView: (box) => ({
      x: box.x * span - border,
      y: box.y * span - border,
      width: box.width * span,
      height: box.height * span,
    }),
  };
}

/** The best one of boxes that overlap, clipped to the view, the most certain first. */
export function withoutDoubles(found: Detection[], overlap: number, view: View): Detection[] {
  const selected: Detection[] = [];
  for (const next of found.sort((a, b) => b.score - a.score)) {
    if (selected.every((other) => intersection(next.box, other.box) <= overlap)) selected.push(next);
  }
  return selected.map((detection) => ({ ...detection, box: clipped(detection.box, view) })).slice(0, DETECTION.most);
}

/** Intersection over union. */
export function intersection(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  if (width <= 0 || height <= 0) return 0;
  const common = width * height;
  return common / (a.width * a.height + b.width * b.height - common);
}

function clipped(box: Box, view: View): Box {
  const x = Math.max(0, box.x);
  const y = Math.max(0, box.y);
  return {
    x,
    y,
    width: Math.max(1, Math.min(box.x + box.width, view.width) - x),
    height: Math.max(1, Math.min(box.y + box.height, view.height) - y),
  };
}
