import { present, type Today } from '@assay/contracts';
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

/** One picture as it was sent: its measurements and its orientation. */
export interface SideReading {
  measures: ImageMeasures;
  /** By how many degrees the picture was turned clockwise to be upright. */
  rotation: 0 | 90 | 180 | 270;
  /**
   * The share of the document's longer side that is outside the picture; absent if its outline is
   * unknown.
   */
  overhang?: number;
  /** The outline is derived from a zone that was read completely: its check digits are right. */
  outlineSure?: boolean;
  /** The document's longer side relative to the picture's; absent if the outline is unknown. */
  share?: number;
}

/** Everything read from a document. It is plain data without the pictures. */
export interface DocumentReading extends MachineParts, Partial<SidesShown> {
  today: Today;
  details: DocumentHints;
  front: SideReading;
  back?: SideReading;
  /** For two pictures of a one-sided document: the picture it is on. */
  loneSide?: DocumentSide;
  /** What the other picture shows then, if the document has a machine-readable part. */
  surplus?: SurplusPicture;
  /**
   * What is beside the document, on the picture with its zone, if there is room for another
   * document.
   */
  beside?: Beside;
  /** A picture of this document shows a face that may belong to another one. */
  faceBeside?: true;
  /** Sides whose pictures are mirrored: nothing of what they say is here. */
  mirrored?: readonly DocumentSide[];
  visual: VisualReading;
  recognition?: Recognition;
  data: DocumentData;
  /** Milliseconds per step. */
  timings: Record<string, number>;
}

export interface DocumentInput {
  front: Page;
  back?: Page;
  details: DocumentHints;
  /** The date is a parameter: nothing here reads a clock. */
  today: Today;
  engine: ReadingEngine;
}

/** The reading, and the upright pages, on which the portrait is searched. */
export interface DocumentRead {
  reading: DocumentReading;
  upright: { front: Page; back?: Page };
  /** Where the document with a zone is on its upright page. */
  area?: Area;
}

/** The side, turned so that its zone is upright. If it has no zone, the print decides later. */
const visualSide = (side: DocumentSide, page: Page, mrz: Sided<MrzReading> | undefined): VisualSide => {
  if (mrz?.side !== side) return { side, page, upright: false };
  const upright = turnedPage(page, (mrz.rotation / 90) as Quarter);
  return { side, page: upright, upright: true, exclude: insideZone(mrz, upright)!, area: visualArea(mrz, upright) };
};

/**
 * What is beside the document, only if its zone was read completely: otherwise the outline is a
 * guess.
 */
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

/** The order of day and month in the issuer's dates; unknown if the issuer is unknown. */
const monthFirst = (recognition: Recognition | undefined): boolean | undefined =>
  recognition?.country === undefined ? undefined : recognition.country === 'USA';

const sideReading = (page: Page, mrz: MrzReading | undefined, quarters: Quarter): SideReading => {
  const outline = mrz && outlineOf(mrz);
  return {
    measures: measureImage(page, outline),
    rotation: mrz?.rotation ?? ((quarters * 90) as SideReading['rotation']),
    ...(mrz &&
      outline && {
        overhang: overhangOf(outline, page.width, page.height),
        outlineSure: mrz.valid,
        share: shareOf(outline, page.width, page.height),
      }),
  };
};

/**
 * What only print tells about a document with a machine-readable part. A day of issue that is the
 * day of birth or of expiry was confused with it.
 */
const besideMachinePart = (
  { issuingDate, birthPlace, authority, address }: LabelledValues,
  { birthDate, expiryDate }: ExpectedValues,
): LabelledValues => ({
  ...(issuingDate && issuingDate !== birthDate && issuingDate !== expiryDate && { issuingDate }),
  ...(birthPlace && { birthPlace }),
  ...(authority && { authority }),
  ...(address && { address }),
});

const sideRead = ({ width, height }: Page, { rotation }: SideReading): SideRead => ({ width, height, rotation });

/**
 * Reads the pictures of a document as they were sent: machine-readable zone, barcode, visual zone,
 * quality and traces of copying on each side, and the document's model. The two sides may be
 * swapped. It assesses nothing: see `rules/document-indicators.ts`.
 */
export const readAsSent = async ({ front, back, details, today, engine }: DocumentInput): Promise<DocumentRead> => {
  const { timings, time } = stopwatch();
  timings.decode = front.decodeMs + (back?.decodeMs ?? 0);
  const pages: Pages = [{ side: 'FRONT', page: front }, ...(back ? [{ side: 'BACK', page: back } as const] : [])];
  const everywhere = await readMachineParts(pages, details, today.latest, engine, time);
  const lone = back && loneMachineSide(everywhere);
  const machine = partsOn(lone, everywhere);

  const sides = await time('rotation', () => pages.map(({ side, page }) => visualSide(side, page, machine.mrz)));
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
  const labelled = everything ? found : besideMachinePart(found, expected);
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
  const shown = back && (await time('barcode', () => sidesShown({ upright, parts, read, expected })));
  const reading: DocumentReading = present({
    ...parts,
    today,
    details,
    front: frontSide!,
    back: backSide,
    ...shown,
    loneSide: back && loneSide,
    surplus,
    beside,
    visual,
    recognition,
    data: documentData(mrz, barcode, visual, recognition),
    timings,
  });
  const area = sides.find(({ side }) => side === mrz?.side)?.area;
  return present({ reading, upright: present({ front: upright[0]!, back: upright[1] }), area });
};
