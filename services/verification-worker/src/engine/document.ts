import { type LicenceBarcode, readLicenceBarcode } from './barcode/read.ts';
import { type DocumentData, documentData } from './document-data.ts';
import type { CaptureDetails } from './engine.ts';
import { type Page, turnedPage } from './image.ts';
import { type MrzOptions, type MrzReading, readMrz } from './mrz/read.ts';
import { outlineOf, overhangOf } from './quality/framing.ts';
import { type ImageMeasures, measureImage } from './quality/measure.ts';
import type { Quarter } from './raster.ts';
import type { ReadingEngine } from './reading-engine.ts';
import { type DocumentSide, type Recognition, recognise } from './recognition/recognise.ts';
import { labelledValues } from './viz/labels.ts';
import type { ExpectedValues } from './viz/match.ts';
import type { TextBox } from './viz/ocr.ts';
import { readVisualZone, type VisualReading, type VisualSide } from './viz/read.ts';

/** One picture as sent: what was measured on it and how it lay. */
export interface SideReading {
  measures: ImageMeasures;
  /** Degrees the picture was turned clockwise to stand upright. */
  rotation: 0 | 90 | 180 | 270;
  /** Share of the document's longer side that lies outside the picture; absent when its outline is not known. */
  overhang?: number;
  /** Boxes of print found. */
  print: number;
}

/** Everything read from a document. Plain data; the pictures themselves are not in it. */
export interface DocumentReading {
  today: string;
  details: CaptureDetails;
  front: SideReading;
  back?: SideReading;
  mrz?: MrzReading & { side: DocumentSide };
  barcode?: LicenceBarcode & { side: DocumentSide };
  visual: VisualReading;
  recognition?: Recognition;
  data: DocumentData;
  /** OK: one document; FAILED: more than one; UNVERIFIED where that cannot be told. */
  several: 'OK' | 'FAILED' | 'UNVERIFIED';
  /** Milliseconds per step. */
  timings: Record<string, number>;
}

export interface DocumentInput {
  front: Page;
  back?: Page;
  details: CaptureDetails;
  /** `YYYY-MM-DD`; nothing here reads a clock. */
  today: string;
  engine: ReadingEngine;
}

/** The reading, and the pages turned upright for who looks for the portrait. */
export interface DocumentRead {
  reading: DocumentReading;
  upright: { front: Page; back?: Page };
}

type Sided<T> = T & { side: DocumentSide };

const stopwatch = () => {
  const timings: Record<string, number> = {};
  return {
    timings,
    time: async <T>(step: string, work: () => Promise<T> | T): Promise<T> => {
      const start = performance.now();
      const result = await work();
      timings[step] = (timings[step] ?? 0) + performance.now() - start;
      return result;
    },
  };
};

type Pages = readonly { side: DocumentSide; page: Page }[];

const firstFound = async <T>(
  pages: Pages,
  read: (page: Page) => Promise<T | undefined>,
  good: (found: T) => boolean,
): Promise<Sided<T> | undefined> => {
  let best: Sided<T> | undefined;
  for (const { side, page } of pages) {
    const found = await read(page);
    if (found !== undefined && (best === undefined || good(found))) best = { ...found, side };
    if (best && good(best)) break;
  }
  return best;
};

/** Machine-readable parts are mostly on the back where there is one, except on what is declared a passport. */
const searchOrder = (pages: Pages, { documentType }: CaptureDetails): Pages =>
  documentType === 'PASSPORT' || documentType === 'VISA' ? pages : [...pages].reverse();

const NORTH_AMERICA = new Set(['USA', 'CAN', 'MEX']);

/** Travel documents carry no licence barcode; cards with both (enhanced licences) are North American. */
const mayHaveBarcode = (mrz: MrzReading | undefined): boolean =>
  !mrz?.valid || (mrz.format === 'TD1' && NORTH_AMERICA.has(mrz.fields.issuingState));

const expectedOf = (mrz: MrzReading | undefined, barcode: LicenceBarcode | undefined): ExpectedValues => {
  const source = mrz?.fields ?? barcode?.licence;
  if (!source) return {};
  const { surname, givenNames, documentNumber, birthDate, expiryDate, sex } = source;
  const nationality = mrz?.fields.nationality;
  return {
    ...(surname && { surname }),
    givenNames,
    nameTruncated: mrz ? mrz.fields.nameTruncated : (barcode?.licence.truncated.length ?? 0) > 0,
    ...(documentNumber && { documentNumber }),
    ...(birthDate && { birthDate }),
    ...(expiryDate && { expiryDate }),
    ...(sex && { sex }),
    ...(nationality && { nationality }),
  };
};

/** Print inside the machine-readable block must not confirm itself; half a letter of room, for the box beside it may be a value. */
const outsideZone = (mrz: Sided<MrzReading> | undefined, side: DocumentSide, page: Page): VisualSide['exclude'] => {
  if (mrz?.side !== side) return undefined;
  const corners = mrz.quad.map(({ x, y }) => uprightPoint(x, y, mrz.rotation, page));
  const room = mrz.pitch / 2;
  const within = ([ax, ay]: [number, number], [bx, by]: [number, number], box: TextBox) =>
    ((bx - ax) * (box.y - ay) - (by - ay) * (box.x - ax)) / Math.hypot(bx - ax, by - ay) > -room;
  return (box) => corners.every((corner, i) => within(corner, corners[(i + 1) % 4]!, box));
};

/** A point of the picture as sent, on the page turned upright (`page` is the upright one). */
const uprightPoint = (x: number, y: number, rotation: MrzReading['rotation'], page: Page): [number, number] => {
  if (rotation === 90) return [page.width - 1 - y, x];
  if (rotation === 180) return [page.width - 1 - x, page.height - 1 - y];
  if (rotation === 270) return [y, page.height - 1 - x];
  return [x, y];
};

/** How the issuer writes dates in figures; unknown where the issuer is. */
const monthFirst = (recognition: Recognition | undefined): boolean | undefined =>
  recognition?.country === undefined ? undefined : recognition.country === 'USA';

const sideReading = (page: Page, mrz: MrzReading | undefined, rotation: SideReading['rotation']): SideReading => {
  const outline = mrz && outlineOf(mrz);
  return {
    measures: measureImage(page, outline),
    rotation,
    ...(outline && { overhang: overhangOf(outline, page.width, page.height) }),
    print: 0,
  };
};

/**
 * Reads a document from its decoded pictures: machine-readable zone, barcode, visual zone, quality and copies of each
 * side, and which model it is. The two sides may be swapped. Judges nothing: see `domain/document-indicators.ts`.
 */
export const readDocument = async ({ front, back, details, today, engine }: DocumentInput): Promise<DocumentRead> => {
  const { timings, time } = stopwatch();
  timings.decode = front.decodeMs + (back?.decodeMs ?? 0);
  const pages: Pages = [{ side: 'FRONT', page: front }, ...(back ? [{ side: 'BACK', page: back } as const] : [])];
  const order = searchOrder(pages, details);

  const zone = (search: MrzOptions['search']) =>
    time('mrz', () =>
      firstFound(
        order,
        (page) => readMrz(page, engine.recogniseLines, { today, search }),
        ({ valid }) => valid,
      ),
    );
  // Cheapest first: most zones are found at once, and the long search is for pages that have no barcode either.
  const quick = await zone('quick');
  const barcode = mayHaveBarcode(quick)
    ? await time('barcode', () => firstFound(order, readLicenceBarcode, () => true))
    : undefined;
  const thorough = quick?.valid || barcode ? undefined : await zone('rest');
  const mrz = thorough?.valid ? thorough : (quick ?? thorough);

  const rotationOf = (side: DocumentSide) => (mrz?.side === side ? mrz.rotation : 0);
  const turned = (side: DocumentSide, page: Page) => turnedPage(page, (rotationOf(side) / 90) as Quarter);
  const upright = await time('turn', () => ({
    front: turned('FRONT', front),
    ...(back && { back: turned('BACK', back) }),
  }));
  const measured = (side: DocumentSide, page: Page) =>
    time('quality', () => sideReading(page, mrz?.side === side ? mrz : undefined, rotationOf(side)));
  const frontReading = await measured('FRONT', front);
  const backReading = back && (await measured('BACK', back));

  const expected = expectedOf(mrz, barcode);
  const visual = await time('visual', () =>
    readVisualZone(
      pages.map(({ side }): VisualSide => {
        const page = side === 'FRONT' ? upright.front : upright.back!;
        const exclude = outsideZone(mrz, side, page);
        return { side, page, ...(exclude && { exclude }) };
      }),
      expected,
      engine.ocr,
      { everything: !mrz && !barcode, most: 60 },
    ),
  );
  const recognition = recognise(
    mrz,
    barcode?.licence,
    visual.lines.map(({ text }) => text),
  );
  const labelled = mrz || barcode ? undefined : labelledValues(visual.lines, monthFirst(recognition));
  const seen: VisualReading = labelled ? { ...visual, labelled } : visual;
  const reading: DocumentReading = {
    today,
    details,
    front: frontReading,
    ...(backReading && { back: backReading }),
    ...(mrz && { mrz }),
    ...(barcode && { barcode }),
    visual: seen,
    ...(recognition && { recognition }),
    data: documentData(mrz, barcode, seen, recognition),
    several: 'UNVERIFIED',
    timings,
  };
  return { reading, upright };
};
