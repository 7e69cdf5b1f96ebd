import { present } from '@assay/contracts';
import { type LicenceBarcode, readLicenceBarcode } from './barcode/read.ts';
import type { DocumentHints } from './document-hints.ts';
import type { Page } from './image.ts';
import { type MrzOptions, type MrzReading, readMrz } from './mrz/read.ts';
import { showsAnotherZone } from './mrz/second.ts';
import type { ReadingEngine } from './reading-engine.ts';
import type { DocumentSide } from './recognition/recognise.ts';
import type { Time } from './stopwatch.ts';

export type Sided<T> = T & { side: DocumentSide };
export type Pages = readonly { side: DocumentSide; page: Page }[];

/** The machine-readable parts of the document, and whether there is a second zone. */
export interface MachineParts {
  mrz?: Sided<MrzReading>;
  barcode?: Sided<LicenceBarcode>;
  /** OK: one zone; FAILED: a second zone on either picture; UNVERIFIED: no zone. */
  several: 'OK' | 'FAILED' | 'UNVERIFIED';
}

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

/** Machine-readable parts are mostly on the back, except on a declared passport. */
const searchOrder = (pages: Pages, { documentType }: DocumentHints): Pages =>
  documentType === 'PASSPORT' || documentType === 'VISA' ? pages : [...pages].reverse();

const NORTH_AMERICA = new Set(['USA', 'CAN', 'MEX']);

/**
 * Travel documents have no licence barcode; cards with both (enhanced licences) are North American.
 */
const mayHaveBarcode = (mrz: MrzReading | undefined): boolean =>
  !mrz?.valid || (mrz.format === 'TD1' && NORTH_AMERICA.has(mrz.fields.issuingState));

const severalOf = (second: boolean | undefined): MachineParts['several'] => {
  if (second === undefined) return 'UNVERIFIED';
  return second ? 'FAILED' : 'OK';
};

/**
 * Reads zone and barcode from whichever side has them. The cheapest searches come first, the long
 * one only for pages with neither.
 */
export const readMachineParts = async (
  pages: Pages,
  details: DocumentHints,
  today: string,
  engine: ReadingEngine,
  time: Time,
): Promise<MachineParts> => {
  const order = searchOrder(pages, details);
  const zone = (search: MrzOptions['search']) =>
    time('mrz', () =>
      firstFound(
        order,
        (page) => readMrz(page, engine.recogniseLines, { today, search }),
        ({ valid }) => valid,
      ),
    );
  const quick = await zone('quick');
  const barcode = mayHaveBarcode(quick)
    ? await time('barcode', () => firstFound(order, readLicenceBarcode, () => true))
    : undefined;
  const thorough = quick?.valid || barcode ? undefined : await zone('rest');
  const mrz = thorough?.valid ? thorough : (quick ?? thorough);
  const second = mrz && (await time('mrz', () => showsAnotherZone(pages, mrz, engine.recogniseLines, today)));
  return present({ mrz, barcode, several: severalOf(second) });
};
