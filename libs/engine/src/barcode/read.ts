import { type ReaderOptions, readBarcodes } from 'zxing-wasm/reader';
import { rectified, rotated } from '../homography.ts';
import type { Page } from '../image.ts';
import { processorTime } from '../processor-time.ts';
import { type Grey, resample, turned } from '../raster.ts';
import { parseAamva } from './aamva.ts';
import type { AamvaReading } from './aamva-reading.ts';
import { barAngle, barBlock } from './bars.ts';

interface BarcodeReading {
  text: string;
  /** The step that read it. */
  step: Step;
}

type Step = 'plain' | 'rectified' | 'straightened' | 'double' | 'half' | 'quarterTurn' | 'triple';

const OPTIONS: ReaderOptions = {
  formats: ['PDF417'],
  tryHarder: true,
  tryRotate: true,
  tryInvert: false,
  tryDownscale: true,
  maxNumberOfSymbols: 1,
  textMode: 'Plain',
};

/** The most pixels a step may examine; only the page itself may have more. */
const MOST_PIXELS = 1.7e6;
const MOST_PIXELS_ENLARGED = 2.6e6;
const BUDGET_MS = 2000;

const decode = async (image: Grey): Promise<string | undefined> => {
  const data = new Uint8ClampedArray(image.data.length * 4);
  for (let i = 0, p = 0; i < image.data.length; i++, p += 4) {
    data[p] = data[p + 1] = data[p + 2] = image.data[i]!;
    data[p + 3] = 255;
  }
  const found = await readBarcodes({ data, width: image.width, height: image.height, colorSpace: 'srgb' }, OPTIONS);
  return found.find(({ isValid, text }) => isValid && text.length > 0)?.text;
};

const scaledBy = (image: Grey, factor: number, most: number): Grey | undefined => {
  const width = Math.round(image.width * factor);
  const height = Math.round(image.height * factor);
  return width * height > most ? undefined : resample(image, width, height);
};

const MARGIN = 30;

/** Only the block of bars, straightened, at most 1500 pixels wide. */
const blockOf = (image: Grey): Grey | undefined => {
  const quad = barBlock(image);
  if (!quad) return undefined;
  const side = (a: number, b: number) => Math.hypot(quad[a]![0] - quad[b]![0], quad[a]![1] - quad[b]![1]);
  const width = Math.max(side(0, 1), side(3, 2));
  const height = Math.max(side(0, 3), side(1, 2));
  if (!(width > 100 && height > 30 && width < 4000 && height < 4000)) return undefined;
  const scale = Math.min(2, Math.max(0.8, 1500 / width));
  if (width * height * scale * scale > MOST_PIXELS) return undefined;
  return rectified(image, quad, {
    width: Math.round(width * scale),
    height: Math.round(height * scale),
    margin: MARGIN,
  });
};

type ReadingStep = readonly [Step, () => Grey | undefined];

const ladder = (image: Grey): ReadingStep[] => {
  const angle = barAngle(image);
  const tilted = Math.abs(angle) > 0.6;
  const straight = tilted && image.width * image.height <= 4.2e6 ? rotated(image, -angle) : image;
  return [
    ['plain', () => image],
    ['rectified', () => blockOf(Math.abs(angle) > 5 ? straight : image)],
    ['straightened', () => (tilted ? (blockOf(straight) ?? straight) : undefined)],
    ['straightened', () => (tilted ? straight : undefined)],
    ['double', () => scaledBy(image, 2, MOST_PIXELS_ENLARGED)],
    ['triple', () => scaledBy(image, 3, MOST_PIXELS_ENLARGED)],
    ['half', () => (image.width >= 1400 ? scaledBy(image, 0.5, MOST_PIXELS) : undefined)],
    ['quarterTurn', () => blockOf(turned(image, 1))],
  ];
};

/**
 * Reads a PDF417: decodes the page, then prepared copies of it one after the other, until `accept`
 * accepts the text. `accept` is needed because the decoder sometimes returns garbage. Each step has
 * a limit in pixels, and time is checked between steps.
 */
export const readPdf417 = async (
  page: Page,
  accept: (text: string) => boolean = () => true,
): Promise<BarcodeReading | undefined> => {
  const spent = processorTime();
  const plain = await decode(page.grey);
  if (plain !== undefined && accept(plain)) return { text: plain, step: 'plain' };
  for (const [step, prepare] of ladder(page.grey).slice(1)) {
    if (spent() > BUDGET_MS) return undefined;
    const image = prepare();
    const text = image && (await decode(image));
    if (text !== undefined && accept(text)) return { text, step };
  }
  return undefined;
};

/** A licence barcode: its text and what it says. */
export interface LicenceBarcode extends BarcodeReading {
  licence: AamvaReading;
}

/** Reads the PDF417 of a North American licence or identity card; other barcodes are refused. */
export const readLicenceBarcode = async (page: Page): Promise<LicenceBarcode | undefined> => {
  const found = await readPdf417(page, (text) => parseAamva(text) !== undefined);
  const licence = found && parseAamva(found.text);
  return licence && { ...found, licence };
};
