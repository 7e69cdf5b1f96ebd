import { hasBegun, type Today } from '@assay/contracts';
import { type Beside, lookBeside } from './beside.ts';
import { type DocumentData, documentData } from './document-data.ts';
import type { DocumentHints } from './document-hints.ts';
import { type Page, turnedPage } from './image.ts';
import { loneMachineSide, partsOn, recogniseOn, valuesOn } from './lone-side.ts';
import { type MachineParts, type Pages, readMachineParts, type Sided } from './machine-parts.ts';
import type { MrzReading } from './mrz/read.ts';
import { outlineOf, overhangOf, shareOf } from './quality/framing.ts';
import { type ImageMeasures, measureImage } from './quality/measure.ts';
import type { Quarter } from './raster.ts';
import type { ReadingEngine } from './reading-engine.ts';
import type { DocumentSide, Recognition } from './recognition/recognise.ts';
import { type SidesShown, sidesShown } from './sides-shown.ts';
import { stopwatch } from './stopwatch.ts';
import { readSurplus, type SurplusPicture } from './surplus.ts';
import { inPrintedCentury } from './viz/century.ts';
import { expectedOf } from './viz/expected.ts';
import { type LabelledValues, labelledValues } from './viz/labels.ts';
import type { ExpectedValues } from './viz/match.ts';
import { numberedValues } from './viz/numbered.ts';
import type { Area } from './viz/ocr.ts';
import { placesOf, type SideRead } from './viz/places.ts';
import { printedValues } from './viz/printed.ts';
import { readVisualZone, type VisualReading, type VisualSide } from './viz/read.ts';
import { boundsOf, insideZone, visualArea } from './zone-places.ts';

/** One picture as sent: what was measured on it and how it lay. */
export interface SideReading {
  measures: ImageMeasures;
  /** Degrees the picture was turned clockwise to stand upright. */
  rotation: 0 | 90 | 180 | 270;
  /**
   * Share of the document's longer side that lies outside the picture; absent when its outline is
   * not known.
   */
  overhang?: number;
  /** The outline follows from a zone that was read whole: its check digits are right. */
  outlineSure?: boolean;
  /** The document's longer side beside the picture's; absent as the outline is. */
  share?: number;
}

/** Everything read from a document. Plain data; the pictures themselves are not in it. */
export interface DocumentReading extends MachineParts, Partial<SidesShown> {
  today: Today;
  details: DocumentHints;
  front: SideReading;
  back?: SideReading;
  /** Where two pictures came of a one-sided document: the side it is on. */
  loneSide?: DocumentSide;
  /** What the other picture shows then, where the document has a machine-readable part. */
  surplus?: SurplusPicture;
  /**
   * What lies beside the document on the picture with its zone, where there is room for another.
   */
  beside?: Beside;
  /** A face that may be another document's was seen on a picture of this one. */
  faceBeside?: true;
  visual: VisualReading;
  recognition?: Recognition;
  data: DocumentData;
  /** Milliseconds per step. */
  timings: Record<string, number>;
}

interface DocumentInput {
  front: Page;
  back?: Page;
  details: DocumentHints;
  /** Nothing here reads a clock. */
  today: Today;
  engine: ReadingEngine;
}

/** The reading, and the pages turned upright for who looks for the portrait. */
export interface DocumentRead {
  reading: DocumentReading;
  upright: { front: Page; back?: Page };
  /** Where on its upright page the document with a zone lies. */
  area?: Area;
}

/**
 * The side as it is once its zone, if it has one, is turned upright; without one the print
 * decides later.
 */
const visualSide = (side: DocumentSide, page: Page, mrz: Sided<MrzReading> | undefined): VisualSide => {
  if (mrz?.side !== side) return { side, page, upright: false };
  const upright = turnedPage(page, (mrz.rotation / 90) as Quarter);
  return { side, page: upright, upright: true, exclude: insideZone(mrz, upright)!, area: visualArea(mrz, upright) };
};

/** What lies beside the document whose zone was read whole: another zone's outline is a guess. */
const besideZone = async (
  mrz: Sided<MrzReading> | undefined,
  sides: readonly VisualSide[],
  expected: ExpectedValues,
  { ocr }: ReadingEngine,
): Promise<Beside | undefined> => {
  const page = sides.find(({ side }) => side === mrz?.side)?.page;
  if (!mrz?.valid || !page) return undefined;
  return lookBeside({ side: mrz.side, page, document: boundsOf(mrz, page), mrz, expected, ocr });
};

/** How the issuer writes dates in figures; unknown where the issuer is. */
const monthFirst = (recognition: Recognition | undefined): boolean | undefined =>
  recognition?.country === undefined ? undefined : recognition.country === 'USA';

const sideReading = (page: Page, mrz: MrzReading | undefined, turn: Quarter): SideReading => {
  const outline = mrz && outlineOf(mrz);
  return {
    measures: measureImage(page, outline),
    rotation: mrz?.rotation ?? ((turn * 90) as SideReading['rotation']),
    ...(mrz &&
      outline && {
        overhang: overhangOf(outline, page.width, page.height),
        outlineSure: mrz.valid,
        share: shareOf(outline, page.width, page.height),
      }),
  };
};

/**
 * What only print tells of a document with a machine-readable part; an issuing date only where one
 * can lie.
 */
const besideMachinePart = (
  { issuingDate, birthPlace, authority, address }: LabelledValues,
  { birthDate = '', expiryDate = '9999' }: ExpectedValues,
  today: Today,
): LabelledValues => ({
  ...(issuingDate &&
    issuingDate > birthDate &&
    issuingDate < expiryDate &&
    hasBegun(issuingDate, today) && { issuingDate }),
  ...(birthPlace && { birthPlace }),
  ...(authority && { authority }),
  ...(address && { address }),
});

const sideRead = ({ width, height }: Page, { rotation }: SideReading): SideRead => ({ width, height, rotation });

/**
 * Reads a document from its decoded pictures: machine-readable zone, barcode, visual zone, quality
 * and copies of each side, and which model it is. The two sides may be swapped. Judges nothing: see
 * `rules/document-indicators.ts`.
 */
export const readDocument = async ({ front, back, details, today, engine }: DocumentInput): Promise<DocumentRead> => {
  const { timings, time } = stopwatch();
  timings.decode = front.decodeMs + (back?.decodeMs ?? 0);
  const pages: Pages = [{ side: 'FRONT', page: front }, ...(back ? [{ side: 'BACK', page: back } as const] : [])];
  const everywhere = await readMachineParts(pages, details, today.latest, engine, time);
  const lone = back && loneMachineSide(everywhere);
  const machine = partsOn(lone, everywhere);

  const sides = await time('turn', () => pages.map(({ side, page }) => visualSide(side, page, machine.mrz)));
  const opposed = back && (machine.mrz ?? machine.barcode)?.side;
  const looked = sides
    .filter(({ side }) => (lone ?? side) === side)
    .map((side) => ({ ...side, titled: opposed !== undefined && side.side !== opposed }));
  const everything = !machine.mrz && !machine.barcode;
  const seen = await time('visual', () =>
    readVisualZone(looked, expectedOf(machine), engine.ocr, { everything, most: 60, states: true }),
  );
  const { parts, read } = inPrintedCentury(machine, seen, today.latest);
  const { mrz, barcode } = parts;
  const expected = expectedOf(parts);
  const surplus = await time('visual', () => readSurplus(sides, lone, expected, engine.ocr));
  const beside = await time('beside', () => besideZone(mrz, sides, expected, engine));
  const { recognition, loneSide } = recogniseOn(parts, read.lines, lone);
  const found = valuesOn(loneSide, read.lines, (lines) =>
    recognition?.numbered ? numberedValues(lines, today.latest) : labelledValues(lines, monthFirst(recognition)),
  );
  const labelled = everything ? found : besideMachinePart(found, expected, today);
  const printed = printedValues({ ...read, labelled, expected, country: recognition?.country });

  const turned = { ...surplus?.visual.turned, ...read.turned };
  const [frontSide, backSide] = await time('quality', () =>
    pages.map(({ side, page }) => sideReading(page, mrz?.side === side ? mrz : undefined, turned[side] ?? 0)),
  );
  const upright = sides.map(({ side, page }) => turnedPage(page, turned[side] ?? 0));
  const sidesRead = {
    FRONT: sideRead(upright[0]!, frontSide!),
    ...(backSide && { BACK: sideRead(upright[1]!, backSide) }),
  };
  const places = placesOf({ ...read, labelled: found, expected, sides: sidesRead });
  const visual = { ...read, labelled, printed, places };
  const shown = back && sidesShown({ upright, parts, read, expected });
  const reading: DocumentReading = {
    ...parts,
    today,
    details,
    front: frontSide!,
    ...(backSide && { back: backSide }),
    ...shown,
    ...(back && loneSide && { loneSide }),
    ...(surplus && { surplus }),
    ...(beside && { beside }),
    visual,
    ...(recognition && { recognition }),
    data: documentData(mrz, barcode, visual, recognition),
    timings,
  };
  const area = sides.find(({ side }) => side === mrz?.side)?.area;
  return { reading, upright: { front: upright[0]!, ...(upright[1] && { back: upright[1] }) }, ...(area && { area }) };
};
