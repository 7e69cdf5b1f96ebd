import { errorObject, type Indicator } from '@assay/contracts';
import { type DocumentRead, type DocumentReading, readDocument } from './document.ts';
import type {
  Box,
  DocumentJob,
  DocumentPortrait,
  DocumentResult,
  OnPortrait,
  PortraitJob,
  PortraitResult,
  PortraitSeen,
  Timings,
  Unreadable,
} from './engine.ts';
import { type FaceEngine, openFaceEngine, seenFace } from './faces/face-engine.ts';
import { boxOnImage, type Face } from './faces/find.ts';
import type { Comparison, FaceTemplate } from './faces/template.ts';
import { decodePage, type Page, UnreadableImage } from './image.ts';
import { tracesOf } from './portrait/traces.ts';
import { openReadingEngine, type ReadingEngine } from './reading-engine.ts';
import { faultsOf, indicatorsOf } from './rules/document-indicators.ts';
import { documentPortraitIndicator, selfieErrors, selfieIndicators } from './rules/portrait-indicators.ts';
import { countsSeveral, type PortraitRefusal } from './rules/portrait-rules.ts';
import { portraitSides } from './rules/side-rules.ts';
import { type PortraitTraces, substitutionIndicator } from './rules/substitution.ts';
import type { Area } from './viz/ocr.ts';

/** What one engine process can do, its models loaded. */
export interface Jobs {
  document(job: DocumentJob, onPortrait?: OnPortrait): Promise<DocumentResult>;
  portrait(job: PortraitJob): Promise<PortraitResult>;
  compare(a: FaceTemplate, b: FaceTemplate): Promise<Comparison>;
}

export async function openJobs(modelsDir: string): Promise<Jobs> {
  const reading = await openReadingEngine({ modelsDir });
  const faces = await openFaceEngine(modelsDir);
  return {
    document: (job, onPortrait) => seeDocument(reading, faces, job, onPortrait),
    portrait: (job) => seePortrait(faces, job),
    compare: async (a, b) => faces.compareFaces(a, b),
  };
}

/** The page, or error 1500 on that part of the upload. */
async function decoded(bytes: Uint8Array, field: string): Promise<Page | Unreadable> {
  return decodePage(bytes).catch((error: unknown) => {
    if (error instanceof UnreadableImage) return { error: errorObject('BAD_IMAGE', field) };
    throw error;
  });
}

async function seeDocument(
  reading: ReadingEngine,
  faces: FaceEngine,
  job: DocumentJob,
  onPortrait?: OnPortrait,
): Promise<DocumentResult> {
  const start = performance.now();
  const front = await decoded(job.front, 'DocumentFront');
  if ('error' in front) return front;
  const back = job.back && (await decoded(job.back, 'DocumentBack'));
  if (back && 'error' in back) return back;
  const read = await readDocument({
    front,
    ...(back && { back }),
    details: job.details,
    today: job.today,
    engine: reading,
  });
  const lookedAt = performance.now();
  const { portrait, raised } =
    job.settings?.portrait === false ? { raised: [] } : await portraitOf(faces, read, onPortrait);
  const indicators = [...indicatorsOf(read.reading), ...raised];
  const end = performance.now();
  return {
    reading: read.reading,
    indicators,
    errors: faultsOf(read.reading, indicators),
    ...(portrait && { portrait }),
    timings: { ...read.reading.timings, portrait: end - lookedAt, total: end - start },
  };
}

/**
 * The holder's portrait: the largest face of the document, on its front first. A face beside the
 * document, or on a picture of something else, is another's.
 */
async function portraitOf(
  faces: FaceEngine,
  { reading, upright, area }: DocumentRead,
  onPortrait?: OnPortrait,
): Promise<{ portrait?: DocumentPortrait; raised: Indicator[] }> {
  const { sides, surely } = portraitSides(reading);
  for (const side of sides) {
    const page = side === 'FRONT' ? upright.front : upright.back;
    const hasZone = reading.mrz?.side === side;
    if (!page) continue;
    const [face] = await faces.findOnDocument(page, hasZone ? 0 : undefined, hasZone ? area && boxOf(area) : undefined);
    if (!face) continue;
    const { verdict, measures } = faces.documentPortraitQuality(face);
    if (!measures) continue;
    const usable = verdict === 'USABLE' || verdict === 'SMALL';
    const files = await portraitFiles(faces, face, usable, (crop) => onPortrait?.({ side, crop }));
    const turned = (side === 'FRONT' ? reading.front : reading.back)?.rotation ?? 0;
    const traces = {
      ...tracesOf(page, turned, boxOnImage(face)),
      ...(files.template && (await secondPortrait(faces, face, files.template))),
      ...(files.template && (await surplusPortrait(faces, reading, upright, files.template))),
    };
    const portrait: DocumentPortrait = { side, box: face.box, measures, traces, ...files };
    return { portrait, raised: [documentPortraitIndicator(verdict), substitutionIndicator(traces)] };
  }
  return { raised: [documentPortraitIndicator(surely ? 'ABSENT' : 'UNUSABLE')] };
}

const boxOf = ({ left, top, width, height }: Area): Box => ({ x: left, y: top, width, height });

/** How far the smaller portrait beside the first is from it, where there is one. */
async function secondPortrait(faces: FaceEngine, first: Face, template: FaceTemplate): Promise<PortraitTraces> {
  const second = await faces.findSecondFace(first);
  if (!second || faces.documentPortraitQuality(second).verdict === 'UNUSABLE') return {};
  const { distance } = faces.compareFaces(template, await faces.describeFace(second));
  return { secondDistance: distance };
}

/** How far a face on the second picture of a one-sided document is from the portrait. */
async function surplusPortrait(
  faces: FaceEngine,
  { surplus, loneSide }: DocumentReading,
  { front, back }: DocumentRead['upright'],
  template: FaceTemplate,
): Promise<PortraitTraces> {
  const page = loneSide === 'FRONT' ? back : front;
  if (!surplus || !page) return {};
  const [face] = await faces.findOnDocument(page, surplus.visual.found > 0 ? 0 : undefined);
  if (!face || faces.documentPortraitQuality(face).verdict === 'UNUSABLE') return {};
  const { distance } = faces.compareFaces(template, await faces.describeFace(face));
  return { surplusDistance: distance };
}

/**
 * The crop and, of a face fit for it, the template; the crop is compressed beside the nets' work,
 * and reported before they are done.
 */
async function portraitFiles(faces: FaceEngine, face: Face, usable: boolean, onPortrait?: (crop: Uint8Array) => void) {
  const cropped = async () => {
    const crop = await faces.cropPortrait(face);
    onPortrait?.(crop);
    return crop;
  };
  const [crop, template] = await Promise.all([cropped(), usable ? faces.describeFace(face) : undefined]);
  return { crop, ...(template && { template }) };
}

type Seen = Omit<PortraitSeen, 'timings'>;

/**
 * A portrait that an issuer took: judged as the one on a page. A glance is enough for one that is
 * not described.
 */
async function seeIssued(faces: FaceEngine, page: Page, isDescribed: boolean): Promise<Seen> {
  const plain = { indicators: [], errors: [], warnings: [] };
  const glanced = isDescribed ? undefined : await faces.glanceAtPortrait(page);
  if (glanced) return { ...plain, usable: true, refusals: [], faceCount: 1, measures: glanced };
  const found = await faces.findPortraitFaces(page);
  const [face] = found;
  const { verdict, measures } = faces.documentPortraitQuality(face);
  const refusals: PortraitRefusal[] = countsSeveral(found.map(seenFace)) ? ['SEVERAL_FACES'] : [];
  const usable = refusals.length === 0 && (verdict === 'USABLE' || verdict === 'SMALL');
  return {
    ...{ ...plain, usable, refusals, faceCount: found.length },
    ...(measures && { measures }),
    ...(face && usable && isDescribed && { template: await faces.describeFace(face) }),
  };
}

async function seeSelfie(faces: FaceEngine, page: Page, isDescribed: boolean): Promise<Seen> {
  const found = await faces.findFaces(page);
  const [face] = found;
  const { verdict, measures } = faces.portraitQuality(found);
  const usable = verdict.refusals.length === 0;
  return {
    usable,
    indicators: selfieIndicators(verdict),
    errors: selfieErrors(verdict),
    ...verdict,
    faceCount: found.length,
    ...(measures && { measures }),
    ...(face && (await portraitFiles(faces, face, usable && isDescribed))),
  };
}

async function seePortrait(faces: FaceEngine, job: PortraitJob): Promise<PortraitResult> {
  const timings: Timings = {};
  const start = performance.now();
  const page = await decoded(job.image, 'Portrait');
  if ('error' in page) return page;
  timings.decode = performance.now() - start;
  const see = job.of === 'DOCUMENT' ? seeIssued : seeSelfie;
  const seen: PortraitResult = { ...(await see(faces, page, job.describe !== false)), timings };
  timings.total = performance.now() - start;
  return seen;
}
