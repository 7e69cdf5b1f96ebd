import type { Box } from '../engine.ts';
import type { Rgb } from '../raster.ts';
import { DETECTION, SECOND } from '../rules/face-thresholds.ts';
import { type Detection, detectSsd, detectTiny, intersection, withoutDoubles } from './detect.ts';
import { type Affine, apply, compose, invert, type Point } from './geometry.ts';
import { landmarksIn } from './landmarks.ts';
import type { FaceNets } from './nets.ts';
import { type Rotation, type View, viewOf } from './view.ts';

/** A face on a page. */
export interface Face {
  /** In pixels of the view in which it was found. */
  box: Box;
  score: number;
  detector: Detection['detector'];
  /** The usual 68 landmarks, in pixels of the view. */
  landmarks: Point[];
  view: View;
}

/**
 * The faces in a view, largest first: with the tiny detector, then the larger one, then a closer
 * look and a look with a border.
 */
export const findFaces = async (nets: FaceNets, view: View): Promise<Face[]> =>
  withLandmarks(nets, view, await detect(nets, view));

/**
 * The faces in a portrait that an issuer took, largest first. A face that fills the picture is
 * found in a quarter of the pixels, and the closer look is the same. Otherwise it works as for any
 * view.
 */
export async function findPortraitFaces(nets: FaceNets, view: View): Promise<Face[]> {
  const found = await closer(nets, view, await detectTiny(nets, view, DETECTION.portraitSize));
  const fills = found.some(({ box }) => box.width > DETECTION.portraitShare * view.width);
  return fills ? withLandmarks(nets, view, found) : findFaces(nets, view);
}

/**
 * The face in a portrait that an issuer took, if the first look leaves no doubt that there is
 * exactly one. A closer look would also find just this face; the box is approximate.
 */
export async function glanceAtPortrait(nets: FaceNets, view: View): Promise<Face | undefined> {
  const found = await detectTiny(nets, view, DETECTION.portraitSize);
  const [only] = found;
  const isSure = only && only.score > DETECTION.sureScore && only.box.width > DETECTION.glance.share * view.width;
  return found.length === 1 && isSure ? (await withLandmarks(nets, view, found))[0] : undefined;
}

/**
 * The faces on a page that may lie on its side, largest first. If the rotation is unknown, each
 * candidate is examined closely from all four sides, and the most certain looks tell the
 * orientation of the page. A distant look is not enough: the detector also finds faces that are
 * upside down.
 */
export async function findUprightFaces(nets: FaceNets, image: Rgb, rotation?: Rotation): Promise<Face[]> {
  if (rotation !== undefined) return findOnPage(nets, viewOf(image, rotation));
  let best: Looks | undefined;
  for (const tried of ROTATIONS) {
    const { toImage } = viewOf(image, tried);
    for (const { box } of await detectTiny(nets, viewOf(image, tried), 320)) {
      const looks = await lookFromAllSides(nets, image, boxOn(toImage, box));
      if (looks && looks.total > (best?.total ?? 0)) best = looks;
    }
    if (best && best.total > DETECTION.sureLooks) break;
  }
  if (!best) return findFaces(nets, viewOf(image));
  const others = await closer(nets, best.view, await detectTiny(nets, best.view, 320));
  return withLandmarks(nets, best.view, withoutDoubles([best.found, ...others], DETECTION.overlap.tiny, best.view));
}

/** The faces on the document and beside it, each largest first. */
export interface FacesAround {
  inside: Face[];
  outside: Face[];
}

/**
 * The faces within an area of the page, and beside it. The area is searched separately only if the
 * largest face of the page is elsewhere, since that face hides others from the detector.
 */
export async function findFacesAround(
  nets: FaceNets,
  image: Rgb,
  rotation: Rotation = 0,
  area: Box,
): Promise<FacesAround> {
  const isInside = (face: Face): boolean => {
    const box = boxOnImage(face);
    const [x, y] = [box.x + box.width / 2 - area.x, box.y + box.height / 2 - area.y];
    return x > 0 && y > 0 && x < area.width && y < area.height;
  };
  const view = viewOf(image, rotation);
  const found = await findOnPage(nets, view);
  const outside = found.filter((face) => !isInside(face));
  if (outside[0] !== found[0] || found.length === 0) return { inside: found.filter(isInside), outside };
  const { x, y, width, height } = boxOn(invert(view.toImage), area);
  const part = { ...view, width, height, toImage: compose(view.toImage, [1, 0, x, 0, 1, y]) };
  return { inside: await findOnPage(nets, part), outside };
}

/**
 * The parts of a view to the left and right of a face that have room for another one, the wider
 * first.
 */
const bandsBeside = ({ box, view }: Face): View[] => {
  const before = box.x - SECOND.apart * box.width;
  const behind = box.x + (1 + SECOND.apart) * box.width;
  const top = Math.max(0, box.y - SECOND.above * box.height);
  const height = Math.min(view.height, box.y + SECOND.below * box.height) - top;
  return [[behind, view.width - behind] as const, [0, before] as const]
    .filter(([, width]) => width >= SECOND.narrowest * box.width)
    .sort(([, a], [, b]) => b - a)
    .map(([left, width]) => ({ ...view, width, height, toImage: compose(view.toImage, [1, 0, left, 0, 1, top]) }));
};

/**
 * The smaller portrait that many documents have beside the holder's. It is searched at the height
 * of `face`, in the wider part of the view to its left or right, because it is too small and too
 * faint for the whole view. If the document's extent is unknown, another face may be of any size
 * and on either side.
 */
export async function findSecondFace(nets: FaceNets, first: Face, isDocumentKnown = true): Promise<Face | undefined> {
  const { width } = first.box;
  const most = isDocumentKnown ? SECOND.largest * width : Number.POSITIVE_INFINITY;
  const isFitting = ({ box }: Detection): boolean => box.width > SECOND.smallest * width && box.width < most;
  for (const band of bandsBeside(first).slice(0, isDocumentKnown ? 1 : 2)) {
    const looks = await closer(nets, band, (await detectTiny(nets, band, 416)).filter(isFitting));
    const [second] = await withLandmarks(nets, band, looks.filter(isFitting));
    if (second) return second;
  }
  return undefined;
}

const ROTATIONS = [0, 90, 270, 180] as const;
const WINDOWS = [1.6, 2, 2.6];

/**
 * Several looks at one place in one view: the most certain find, and the mean score of the round,
 * in which windows without a find count as zero.
 */
interface Looks {
  view: View;
  found: Detection;
  total: number;
}

/** Examines a box of the page from the four sides. Returns at once if upright is certain. */
async function lookFromAllSides(nets: FaceNets, image: Rgb, box: Box): Promise<Looks | undefined> {
  let best: Looks | undefined;
  for (const rotation of ROTATIONS) {
    const view = viewOf(image, rotation);
    const looks = await lookTwice(nets, view, boxOn(invert(view.toImage), box));
    if (looks && looks.total > (best?.total ?? 0)) best = looks;
    if (best && best.total > DETECTION.sureLooks) break;
  }
  return best;
}

/** A round of looks through every window, and a second round about the better box. */
export async function lookTwice(nets: FaceNets, view: View, box: Box): Promise<Looks | undefined> {
  const seen: Detection[] = [];
  let about = box;
  for (const _round of [1, 2]) {
    for (const window of WINDOWS) {
      const look = await lookAt(nets, view, about, window);
      if (look) seen.push(look);
    }
    const [surest] = seen.sort((a, b) => b.score - a.score);
    if (!surest) return undefined;
    about = surest.box;
  }
  const [found] = seen;
  return found && { view, found, total: seen.reduce((sum, { score }) => sum + score, 0) / 2 };
}

/**
 * The faces on a document, largest first. Its ornaments and labels together may look like one large
 * face: it is none if no window about it shows it again, and one about another face does.
 */
async function findOnPage(nets: FaceNets, view: View): Promise<Face[]> {
  const found = await findFaces(nets, view);
  const [largest, ...others] = found;
  if (!largest || others.length === 0 || largest.score > DETECTION.sureScore) return found;
  if (await lookTwice(nets, view, largest.box)) return found;
  for (const { box } of others) if (await lookTwice(nets, view, box)) return others;
  return found;
}

/** The face's box in pixels of the image that its view shows. */
export const boxOnImage = ({ box, view }: Face): Box => boxOn(view.toImage, box);

/** A box after a rotation by quarters. */
function boxOn(toPage: Affine, { x, y, width, height }: Box): Box {
  const [ax, ay] = apply(toPage, [x, y]);
  const [bx, by] = apply(toPage, [x + width, y + height]);
  return { x: Math.min(ax, bx), y: Math.min(ay, by), width: Math.abs(ax - bx), height: Math.abs(ay - by) };
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
 * A second look at each find, twice as wide as its box: boxes of small faces are a third too large,
 * and print is taken for a face until it is seen larger.
 */
async function closer(nets: FaceNets, view: View, found: Detection[]): Promise<Detection[]> {
  const looks: Detection[] = [];
  for (const first of found) {
    const look = await lookAt(nets, view, first.box);
    if (look) looks.push({ ...look, detector: first.detector });
    else if (first.score > DETECTION.sureScore) looks.push(first);
  }
  return withoutDoubles(looks, DETECTION.overlap.tiny, view);
}

/** The most certain face near a box, seen in a window of a multiple of its size. */
async function lookAt(nets: FaceNets, view: View, box: Box, window = 2): Promise<Detection | undefined> {
  const side = window * Math.max(box.width, box.height);
  const left = box.x + box.width / 2 - side / 2;
  const top = box.y + box.height / 2 - side / 2;
  const part: View = { ...view, width: side, height: side, toImage: compose(view.toImage, [1, 0, left, 0, 1, top]) };
  const [best] = await detectTiny(nets, part, 320);
  const moved = best && { ...best, box: { ...best.box, x: best.box.x + left, y: best.box.y + top } };
  return moved && intersection(moved.box, box) > 0.2 ? moved : undefined;
}

/** From pixels of the face's aligned frame, given in the view, to pixels of the image. */
export const toImage = (face: Face, inView: Affine): Affine => compose(face.view.toImage, inView);
