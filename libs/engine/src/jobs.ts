import { errorObject } from '@assay/contracts';
import type { DocumentReading } from './document.ts';
import { type PortraitLooked, portraitFiles, portraitOf } from './document-portrait.ts';
import type {
  DocumentJob,
  DocumentResult,
  OnPortrait,
  PortraitJob,
  PortraitResult,
  PortraitSeen,
  Timings,
  Unreadable,
} from './engine.ts';
import { type FaceEngine, openFaceEngine, seenFace } from './faces/face-engine.ts';
import type { Comparison, FaceTemplate } from './faces/template.ts';
import { decodePage, type Page, UnreadableImage } from './image.ts';
import { readDocument } from './mirrored.ts';
import { openReadingEngine, type ReadingEngine } from './reading-engine.ts';
import { faultsOf } from './rules/document-faults.ts';
import { indicatorsOf } from './rules/document-indicators.ts';
import { DOCUMENT_PORTRAIT } from './rules/face-thresholds.ts';
import { selfieErrors, selfieIndicators } from './rules/portrait-indicators.ts';
import { countsSeveral, type PortraitRefusal } from './rules/portrait-rules.ts';

/** What an engine process with loaded models can do. */
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
  const { portrait, raised, faceBeside }: PortraitLooked =
    job.settings?.portrait === false ? { raised: [] } : await portraitOf(faces, read, onPortrait);
  const seen: DocumentReading = { ...read.reading, ...(faceBeside && { faceBeside }) };
  const indicators = [...indicatorsOf(seen), ...raised];
  const end = performance.now();
  return {
    reading: seen,
    indicators,
    errors: faultsOf(seen, indicators),
    ...(portrait && { portrait }),
    timings: { ...read.reading.timings, portrait: end - lookedAt, total: end - start },
  };
}

type Seen = Omit<PortraitSeen, 'timings'>;

/**
 * A portrait that an issuer took is assessed like one on a page. A quick look is enough if no
 * template is asked for.
 */
async function seeIssued(faces: FaceEngine, page: Page, isDescribed: boolean): Promise<Seen> {
  const plain = { indicators: [], errors: [], warnings: [] };
  const glanced = isDescribed ? undefined : await faces.glanceAtPortrait(page);
  if (glanced) return { ...plain, usable: true, refusals: [], faceCount: 1, measures: glanced };
  const found = await faces.findPortraitFaces(page);
  const [face] = found;
  const { assessment, measures } = faces.documentPortraitQuality(face);
  const refusals: PortraitRefusal[] = countsSeveral(found.map(seenFace), DOCUMENT_PORTRAIT.secondFaceScore)
    ? ['SEVERAL_FACES']
    : [];
  const usable = refusals.length === 0 && (assessment === 'USABLE' || assessment === 'SMALL');
  return {
    ...plain,
    usable,
    refusals,
    faceCount: found.length,
    ...(measures && { measures }),
    ...(face && usable && isDescribed && { template: await faces.describeFace(face) }),
  };
}

async function seeSelfie(faces: FaceEngine, page: Page, isDescribed: boolean): Promise<Seen> {
  const found = await faces.findOnSelfie(page);
  const [face] = found;
  const { assessment, measures } = faces.portraitQuality(found);
  const usable = assessment.refusals.length === 0;
  return {
    usable,
    indicators: selfieIndicators(assessment),
    errors: selfieErrors(assessment),
    ...assessment,
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
