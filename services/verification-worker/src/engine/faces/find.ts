import { DETECTION } from '../../domain/face-thresholds.ts';
import type { Box } from '../engine.ts';
import type { Rgb } from '../raster.ts';
import { type Detection, detectSsd, detectTiny, intersection, withoutDoubles } from './detect.ts';
import { type Affine, compose, type Point } from './geometry.ts';
import type { FaceNets } from './nets.ts';
import { planar, sample } from './sample.ts';
import { type Turn, type View, viewOf } from './view.ts';

/** A face on a page. */
export interface Face {
  /** In pixels of the view it was found in. */
  box: Box;
  score: number;
  detector: Detection['detector'];
  /** The usual 68, in pixels of the view. */
  landmarks: Point[];
  view: View;
}

/** Faces of a view, largest first: the tiny detector, then the larger one, then a closer look and a look with a border. */
export const findFaces = async (nets: FaceNets, view: View): Promise<Face[]> =>
  withLandmarks(nets, view, await detect(nets, view));

/**
 * The same on a page that may lie on its side. Where nobody knows the turn, the four are tried in order and the first sure
 * find, else the best, wins; the dear attempts are made upright only.
 */
export async function findUprightFaces(nets: FaceNets, image: Rgb, turn?: Turn): Promise<Face[]> {
  if (turn !== undefined) return findFaces(nets, viewOf(image, turn));
  let best: { view: View; found: Detection[]; score: number } | undefined;
  for (const tried of [0, 90, 270, 180] as const) {
    const view = viewOf(image, tried);
    const found = await closer(nets, view, await detectTiny(nets, view, 320));
    const score = Math.max(0, ...found.map((detection) => detection.score));
    if (score > (best?.score ?? 0)) best = { view, found, score };
    if (score > DETECTION.sureScore) break;
  }
  return best ? withLandmarks(nets, best.view, best.found) : findFaces(nets, viewOf(image));
}

async function withLandmarks(nets: FaceNets, view: View, found: readonly Detection[]): Promise<Face[]> {
  const faces: Face[] = [];
  for (const detection of found) {
    faces.push({ ...detection, landmarks: await landmarksIn(nets, view, detection.box), view });
  }
  return faces.sort((a, b) => b.box.width * b.box.height - a.box.width * a.box.height);
}

async function detect(nets: FaceNets, view: View): Promise<Detection[]> {
  const attempts = [
    () => detectTiny(nets, view, 320),
    () => detectTiny(nets, view, 320, 0.3),
    () => detectSsd(nets, view),
    () => detectTiny(nets, view, 608),
  ];
  for (const attempt of attempts) {
    const found = await closer(nets, view, await attempt());
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * A second look at each find, twice as wide as its box: boxes of small faces come out a third too large, and print on a page
 * passes for a face until it is seen larger.
 */
async function closer(nets: FaceNets, view: View, found: Detection[]): Promise<Detection[]> {
  const looks: Detection[] = [];
  for (const first of found) {
    const side = 2 * Math.max(first.box.width, first.box.height);
    const left = first.box.x + first.box.width / 2 - side / 2;
    const top = first.box.y + first.box.height / 2 - side / 2;
    const window: View = {
      ...view,
      width: side,
      height: side,
      toImage: compose(view.toImage, [1, 0, left, 0, 1, top]),
    };
    const [best] = await detectTiny(nets, window, 320);
    const moved = best && { ...best, box: { ...best.box, x: best.box.x + left, y: best.box.y + top } };
    if (moved && intersection(moved.box, first.box) > 0.2) looks.push({ ...moved, detector: first.detector });
    else if (first.score > DETECTION.sureScore) looks.push(first);
  }
  return withoutDoubles(looks, DETECTION.overlap.tiny, view);
}

const INPUT = 112;

/** The landmark net sees the box in the middle of a black square. */
async function landmarksIn(nets: FaceNets, view: View, box: Box): Promise<Point[]> {
  const side = Math.max(box.width, box.height);
  const [left, top] = [box.x - (side - box.width) / 2, box.y - (side - box.height) / 2];
  const zoom = side / INPUT;
  const half = (zoom - 1) / 2;
  const toView: Affine = [zoom, 0, left + half, 0, zoom, top + half];
  const crop = sample(view.image, compose(view.toImage, toView), INPUT, INPUT);
  blacken(crop.data, (side - box.width) / 2 / zoom, (side - box.height) / 2 / zoom);
  const shares = await nets.landmarks(planar([crop]), 1);
  return Array.from(
    { length: 68 },
    (_, index): Point => [left + (shares[index * 2] ?? 0) * side, top + (shares[index * 2 + 1] ?? 0) * side],
  );
}

/** Black bars at the sides, where the square reaches over the box. */
function blacken(data: Uint8Array, across: number, down: number): void {
  for (let y = 0; y < INPUT; y++) {
    for (let x = 0; x < INPUT; x++) {
      const inside = x + 0.5 >= across && x + 0.5 <= INPUT - across && y + 0.5 >= down && y + 0.5 <= INPUT - down;
      if (!inside) data.fill(0, (y * INPUT + x) * 3, (y * INPUT + x) * 3 + 3);
    }
  }
}

/** From pixels of the face's aligned frame, given in the view, to pixels of the image. */
export const toImage = (face: Face, inView: Affine): Affine => compose(face.view.toImage, inView);
