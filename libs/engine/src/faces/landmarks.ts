import type { Box } from '../engine.ts';
import { type Affine, compose, type Point } from './geometry.ts';
import type { FaceNets } from './nets.ts';
import { planar, sample } from './sample.ts';
import type { View } from './view.ts';

const INPUT = 112;

/**
 * The 68 landmarks of the face in a box, in pixels of the view. The net gets the box in the middle
 * of a black square.
 */
export async function landmarksIn(nets: FaceNets, view: View, box: Box): Promise<Point[]> {
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

/** Black bars where the square extends beyond the box. */
function blacken(data: Uint8Array, across: number, down: number): void {
  for (let y = 0; y < INPUT; y++) {
    for (let x = 0; x < INPUT; x++) {
      const inside = x + 0.5 >= across && x + 0.5 <= INPUT - across && y + 0.5 >= down && y + 0.5 <= INPUT - down;
      if (!inside) data.fill(0, (y * INPUT + x) * 3, (y * INPUT + x) * 3 + 3);
    }
  }
}
