import { present } from '@assay/contracts';
import {
  type DocumentInput,
  type DocumentRead,
  type DocumentReading,
  readAsSent,
  type SideReading,
} from './document.ts';
import { documentData } from './document-data.ts';
import { mirroredPage, type Page } from './image.ts';
import type { DocumentSide } from './recognition/recognise.ts';
import { stopwatch } from './stopwatch.ts';
import type { Ocr } from './viz/ocr.ts';
import { turnUpright } from './viz/orientation.ts';

/** Print that lies as it should is read at least so surely, on the mean of a few lines. */
const SURE = 0.9;
/** So much less surely it is read the wrong way round. */
const LESS = 0.15;

/** How surely a few lines of print are read; 0 where there are too few of them to tell. */
const FEWEST = 2;
const surenessOf = async (page: Page, ocr: Ocr): Promise<number> => {
  const lines = [...(await turnUpright(page, ocr)).read.values()];
  if (lines.length < FEWEST) return 0;
  return lines.reduce((sum, { confidence }) => sum + confidence, 0) / lines.length;
};

const isMirrored = async (page: Page, ocr: Ocr): Promise<boolean> => {
  const flipped = await surenessOf(mirroredPage(page), ocr);
  return flipped > SURE && (await surenessOf(page, ocr)) < flipped - LESS;
};

/**
 * The sides on which nothing was recognised. Only on these it is worth its time to look whether the
 * picture is mirrored.
 */
const unreadSides = ({
  mrz,
  barcode,
  recognition,
  back,
  loneSide,
  counterpartSeen,
}: DocumentReading): DocumentSide[] => {
  const isRead = mrz?.valid === true || barcode !== undefined;
  const machineSide = (mrz ?? barcode)?.side;
  if (isRead) return loneSide || !back || counterpartSeen ? [] : [machineSide === 'FRONT' ? 'BACK' : 'FRONT'];
  if (recognition?.by === 'LAYOUT') return [];
  return back ? ['FRONT', 'BACK'] : ['FRONT'];
};

/** The sides whose pictures are mirrored, as the front cameras of telephones save them. */
const mirroredSides = async (
  reading: DocumentReading,
  pages: Partial<Record<DocumentSide, Page>>,
  ocr: Ocr,
): Promise<DocumentSide[]> => {
  const found: DocumentSide[] = [];
  for (const side of unreadSides(reading)) {
    const page = pages[side];
    if (page && (await isMirrored(page, ocr))) found.push(side);
  }
  return found;
};

const pictureAlone = ({ measures, rotation }: SideReading): SideReading => ({ measures, rotation });

/** The reading without what was read on mirrored sides: letters in a mirror read as others. */
const withoutMirrored = (reading: DocumentReading, mirrored: readonly DocumentSide[]): DocumentReading => {
  const { mrz, barcode, recognition, visual, several, sameSide, front, back, today, details, timings } = reading;
  const isReadable = ({ side }: { side: DocumentSide }) => !mirrored.includes(side);
  const seen = (side: DocumentSide, picture: SideReading) => (isReadable({ side }) ? picture : pictureAlone(picture));
  const machine = { ...(mrz && isReadable(mrz) && { mrz }), ...(barcode && isReadable(barcode) && { barcode }) };
  const model = machine.mrz || machine.barcode ? recognition : undefined;
  const { found, turned } = visual;
  const rest = { lines: visual.lines.filter(isReadable), found, checks: {}, machinePrint: [], turned };
  return present({
    ...machine,
    several: machine.mrz ? several : 'UNVERIFIED',
    today,
    details,
    front: seen('FRONT', front),
    back: back && seen('BACK', back),
    sameSide,
    mirrored,
    visual: rest,
    recognition: model,
    data: documentData(machine.mrz, machine.barcode, rest, model),
    timings,
  });
};

/**
 * Reads a document from its decoded pictures. Only where nothing was recognised on a side it looks
 * whether that picture is mirrored.
 */
export const readDocument = async (input: DocumentInput): Promise<DocumentRead> => {
  const read = await readAsSent(input);
  const { time, timings } = stopwatch();
  const pages = { FRONT: input.front, ...(input.back && { BACK: input.back }) };
  const mirrored = await time('mirrored', () => mirroredSides(read.reading, pages, input.engine.ocr));
  const reading = { ...read.reading, timings: { ...read.reading.timings, ...timings } };
  return mirrored.length === 0
    ? { ...read, reading }
    : { upright: read.upright, reading: withoutMirrored(reading, mirrored) };
};
