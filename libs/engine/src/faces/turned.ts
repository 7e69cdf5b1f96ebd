import type { Rgb } from '../raster.ts';
import { DETECTION, SELFIE } from '../rules/face-thresholds.ts';
import { detectTiny } from './detect.ts';
import { type Face, findFaces, lookTwice } from './find.ts';
import { measurePortrait } from './measures.ts';
import type { FaceNets } from './nets.ts';
import { type View, viewOf } from './view.ts';

const TURNS = [90, 270, 180] as const;

/** How certain several looks at the largest face are. */
const certaintyOf = async (nets: FaceNets, view: View, found: readonly Pick<Face, 'box'>[]): Promise<number> => {
  const [largest] = found.toSorted((a, b) => b.box.width * b.box.height - a.box.width * a.box.height);
  const looks = largest && (await lookTwice(nets, view, largest.box));
  return looks?.total ?? 0;
};

/** A head that is tilted far is taken for one that lies on its side. */
const isUpright = ([largest]: readonly Face[]): boolean =>
  largest !== undefined && Math.abs(measurePortrait(largest).roll) <= SELFIE.maxRoll;

/**
 * The faces in a selfie, largest first. A picture may have lost the mark that says how the camera
 * was held. The detectors also find a face in one that lies on its side or upside down; its
 * features are then sought in the wrong places, and it is like nobody. So the other sides are
 * looked at where the picture as it was sent leaves a doubt.
 */
export async function findSelfieFaces(nets: FaceNets, image: Rgb): Promise<Face[]> {
  const view = viewOf(image);
  const found = await findFaces(nets, view);
  if ((await certaintyOf(nets, view, found)) > DETECTION.sureSelfie) return found;
  let best: { view: View; certainty: number } = { view, certainty: DETECTION.sureSelfie };
  for (const turn of TURNS) {
    const other = viewOf(image, turn);
    const certainty = await certaintyOf(nets, other, await detectTiny(nets, other, 320));
    if (certainty > best.certainty) best = { view: other, certainty };
  }
  if (best.view === view) return found;
  const upright = await findFaces(nets, best.view);
  return isUpright(upright) ? upright : found;
}
