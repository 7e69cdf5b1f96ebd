import type { Box } from '../engine.ts';
import { type Detection, detectSsd, detectTiny } from './detect.ts';
import { type Affine, apply, compose, type Point } from './geometry.ts';
import type { FaceNets } from './nets.ts';
import { planar, sample } from './sample.ts';
import type { View } from './view.ts';

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
export async function findFaces(nets: FaceNets, view: View): Promise<Face[]> {
  const found = await detect(nets, view);
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
    const found = await attempt();
    if (found.length > 0) return found;
  }
  return [];
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

/** A point of the view, on the page as it came. */
export const onPage = (face: Face, point: Point): Point => apply(face.view.toImage, point);
