import type { Indicator } from '@assay/contracts';
import type { DocumentRead, DocumentReading } from './document.ts';
import type { Box, DocumentPortrait, OnPortrait } from './engine.ts';
import type { FaceEngine } from './faces/face-engine.ts';
import { boxOnImage, type Face } from './faces/find.ts';
import type { FaceTemplate } from './faces/template.ts';
import type { Page } from './image.ts';
import { tracesOf } from './portrait/traces.ts';
import { SECOND } from './rules/face-thresholds.ts';
import { documentPortraitIndicator } from './rules/portrait-indicators.ts';
import { portraitSides } from './rules/side-rules.ts';
import { type PortraitTraces, substitutionIndicator } from './rules/substitution.ts';
import type { Area } from './viz/ocr.ts';

export interface PortraitLooked {
  portrait?: DocumentPortrait;
  raised: Indicator[];
  /** A face that may belong to another document. */
  faceBeside?: true;
}

/** The faces on a side: the document's largest one, and the others. */
interface FacesOnSide {
  page: Page;
  face?: Face;
  others: Face[];
  /** Faces beside the document, if its extent is known. */
  outside?: Face[];
}

/** A face beside the document, or on a picture of something else, belongs to another document. */
async function facesOn(
  faces: FaceEngine,
  { reading, upright, area }: DocumentRead,
  side: 'FRONT' | 'BACK',
): Promise<FacesOnSide | undefined> {
  const page = side === 'FRONT' ? upright.front : upright.back;
  if (!page) return undefined;
  const hasZone = reading.mrz?.side === side;
  const { inside, outside } =
    hasZone && area
      ? await faces.findAround(page, boxOf(area), 0)
      : { inside: await faces.findOnDocument(page, hasZone ? 0 : undefined) };
  const [face, ...others] = inside;
  return { page, others, ...(face && { face }), ...(outside && { outside }) };
}

/** The holder's portrait: the document's largest face, preferably on its front. */
export async function portraitOf(
  faces: FaceEngine,
  read: DocumentRead,
  onPortrait?: OnPortrait,
): Promise<PortraitLooked> {
  const { reading, upright } = read;
  const { sides, surely } = portraitSides(reading);
  let isBeside = false;
  for (const side of sides) {
    const seen = await facesOn(faces, read, side);
    if (!seen) continue;
    const { page, face, others, outside } = seen;
    isBeside ||= outside !== undefined && outside.length > 0;
    const { assessment, measures } = faces.documentPortraitQuality(face);
    if (!face || !measures) continue;
    const usable = assessment === 'USABLE' || assessment === 'SMALL';
    const files = await portraitFiles(faces, face, usable, (crop) => onPortrait?.({ side, crop }));
    const turned = (side === 'FRONT' ? reading.front : reading.back)?.rotation ?? 0;
    const second = files.template && (await otherPortrait(faces, { face, others, isWhole: outside !== undefined }));
    const traces: PortraitTraces = {
      ...tracesOf(page, turned, boxOnImage(face)),
      ...(files.template && second && (await secondPortrait(faces, second, files.template))),
      ...(files.template && (await surplusPortrait(faces, reading, upright, files.template))),
    };
    const portrait: DocumentPortrait = { side, box: face.box, measures, traces, ...files };
    return {
      portrait,
      raised: [documentPortraitIndicator(assessment), substitutionIndicator(traces)],
      ...((isBeside || (!outside && mayBeAnothers(face, second, traces))) && { faceBeside: true }),
    };
  }
  const raised = [documentPortraitIndicator(surely ? 'ABSENT' : 'UNUSABLE')];
  return { raised, ...(isBeside && { faceBeside: true }) };
}

const boxOf = ({ left, top, width, height }: Area): Box => ({ x: left, y: top, width, height });

/**
 * The face of another portrait on the page, if it can be compared. `isWhole`: the document's extent
 * is known.
 */
export async function otherPortrait(
  faces: FaceEngine,
  { face, others, isWhole }: { face: Face; others: readonly Face[]; isWhole: boolean },
): Promise<Face | undefined> {
  const isFit = (other: Face) =>
    other.box.width > SECOND.smallest * face.box.width &&
    faces.documentPortraitQuality(other).assessment !== 'UNUSABLE';
  const second = others.find(isFit) ?? (await faces.findSecondFace(face, isWhole));
  return second && isFit(second) ? second : undefined;
}

/**
 * For a document of unknown extent: whether a second face is too large for its second portrait, or
 * is another person's.
 */
const mayBeAnothers = (face: Face, second: Face | undefined, { secondDistance = 0 }: PortraitTraces): boolean =>
  (second !== undefined && second.box.width > SECOND.largest * face.box.width) || secondDistance > SECOND.refuseAbove;

/** The distance of another portrait on the page from the first, wherever it is. */
async function secondPortrait(faces: FaceEngine, second: Face, template: FaceTemplate): Promise<PortraitTraces> {
  const { distance } = faces.compareFaces(template, await faces.describeFace(second));
  return { secondDistance: distance };
}

/** The distance of a face on the second picture of a one-sided document from the portrait. */
async function surplusPortrait(
  faces: FaceEngine,
  { surplus, loneSide }: DocumentReading,
  { front, back }: DocumentRead['upright'],
  template: FaceTemplate,
): Promise<PortraitTraces> {
  const page = loneSide === 'FRONT' ? back : front;
  if (!surplus || !page) return {};
  const [face] = await faces.findOnDocument(page, surplus.visual.found > 0 ? 0 : undefined);
  if (!face || faces.documentPortraitQuality(face).assessment === 'UNUSABLE') return {};
  const { distance } = faces.compareFaces(template, await faces.describeFace(face));
  return { surplusDistance: distance };
}

/**
 * The crop and, if the face is suitable, its template. The crop is compressed while the nets work,
 * and is reported before they finish.
 */
export async function portraitFiles(
  faces: FaceEngine,
  face: Face,
  usable: boolean,
  onPortrait?: (crop: Uint8Array) => void,
) {
  const cropped = async () => {
    const crop = await faces.cropPortrait(face);
    onPortrait?.(crop);
    return crop;
  };
  const [crop, template] = await Promise.all([cropped(), usable ? faces.describeFace(face) : undefined]);
  return { crop, ...(template && { template }) };
}
