import type { Page } from './image.ts';
import type { MrzReading } from './mrz/read.ts';
import { PITCH } from './quality/framing.ts';
import type { DocumentSide, Recognition } from './recognition/recognise.ts';
import type { SurplusPicture } from './surplus.ts';
import { counterpartModel, counterpartSeen } from './viz/counterpart.ts';
import { labelledValues } from './viz/labels.ts';
import type { ExpectedValues } from './viz/match.ts';
import type { Area, Ocr } from './viz/ocr.ts';
import { readVisualZone } from './viz/read.ts';

/** What is beside the document, on the picture with its machine-readable zone. */
export interface Beside {
  /** Boxes of print found there, whether read or not. */
  found: number;
  /** The content of the strip with the most print, if it is enough for a document. */
  print?: SurplusPicture;
  /** The type of that document by its printed words, if they say one. */
  model?: Recognition;
}

/** A rectangle of a page, in its pixels. */
export interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * The least width of a strip beside the document, as a share of the document's longer side: a
 * narrower strip has no room for a portrait and hardly for a value of another document.
 */
const ROOM = 0.2;
/** Print is found at the first size, labels at the second. */
const PIXELS_PER_MM = { notice: 4, read: 7 };
/** Fewer boxes are no document: none of them is read. */
export const FEWEST_BOXES = 6;
/** As many as a passport page has, with its labels. */
const MOST_READ = 30;

/** The strips of a page around a document that are wide enough for another one. */
export const stripsAround = (
  { left, top, right, bottom }: Bounds,
  { width, height }: { width: number; height: number },
  reduction: number,
): Area[] => {
  const room = ROOM * Math.max(right - left, bottom - top);
  const strip = (x: number, y: number, toX: number, toY: number): Area => {
    const from = [Math.max(0, Math.floor(x)), Math.max(0, Math.floor(y))] as const;
    const to = [Math.min(width, Math.ceil(toX)), Math.min(height, Math.ceil(toY))] as const;
    return { left: from[0], top: from[1], width: to[0] - from[0], height: to[1] - from[1], reduction };
  };
  return [
    strip(0, 0, left, height),
    strip(right, 0, width, height),
    strip(left, 0, right, top),
    strip(left, bottom, right, height),
  ].filter((area) => area.width >= room && area.height >= room);
};

interface BesideInput {
  side: DocumentSide;
  /** The upright page with the zone, and where the document is on it. */
  page: Page;
  document: Bounds;
  mrz: MrzReading;
  expected: ExpectedValues;
  ocr: Ocr;
}

/**
 * Looks for print beside the document if the picture has room for another document. Print found
 * there confirms nothing about the document. Undefined if there is no room.
 */
export const lookBeside = async (input: BesideInput): Promise<Beside | undefined> => {
  const { side, page, document, mrz, expected, ocr } = input;
  const reductionTo = (pixels: number) => Math.max(1, mrz.pitch / PITCH / pixels);
  const areas = stripsAround(document, page, reductionTo(PIXELS_PER_MM.notice));
  if (areas.length === 0) return undefined;
  const noticed: { area: Area; boxes: number }[] = [];
  for (const area of areas) noticed.push({ area, boxes: (await ocr.detect(page, area)).length });
  const found = noticed.reduce((sum, { boxes }) => sum + boxes, 0);
  if (found < FEWEST_BOXES) return { found };
  const [fullest] = noticed.sort((a, b) => b.boxes - a.boxes);
  const area = { ...fullest!.area, reduction: reductionTo(PIXELS_PER_MM.read) };
  const strip = { side, page, upright: true, area, titled: true };
  const visual = await readVisualZone([strip], expected, ocr, { everything: false, most: MOST_READ });
  const opposite = side === 'FRONT' ? 'BACK' : 'FRONT';
  const model = counterpartModel(visual.lines, opposite);
  return {
    found,
    ...(model && { model }),
    print: {
      visual,
      sameDocument: counterpartSeen(visual.lines, opposite, expected),
      labelled: labelledValues(visual.lines, undefined),
    },
  };
};
