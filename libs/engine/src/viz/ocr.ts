import sharp from 'sharp';
import { patchesOf } from '../components.ts';
import type { Page } from '../image.ts';
import { type InferenceSession, Tensor } from '../onnxruntime.ts';
import { type Baseline, type Strip, stripOf } from '../strip.ts';
import { blanksIn, type Step } from './blanks.ts';
import { type Glyph, type UnreadLetters, unreadIn } from './unread.ts';

/** A line of print found on a page, in page pixels. */
export interface TextBox extends Baseline {
  top: number;
  bottom: number;
  height: number;
  /** Middle of the box. */
  x: number;
  y: number;
}

export interface TextLine {
  text: string;
  /** Mean probability of the characters, 0..1. */
  confidence: number;
  box: TextBox;
  /** Letters that are printed there and were not read. */
  unread?: UnreadLetters;
}

/**
 * Part of a page to look for print on, in page pixels, and how many pixels of it make one of the
 * picture searched; at least 1.
 */
export interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
  reduction: number;
}

export interface Ocr {
  /** Lines of print on the page, or in one area of it where the document is known to lie. */
  detect: (page: Page, area?: Area) => Promise<TextBox[]>;
  read: (page: Page, box: TextBox) => Promise<TextLine>;
}

const DETECTION_SIDE = 960;
const MEAN = [0.485, 0.456, 0.406];
const DEVIATION = [0.229, 0.224, 0.225];
/** How far the detector's shrunken boxes are grown again (DB post-processing). */
const UNCLIP = 1.6;
const ROWS = 48;
const LONGEST_LINE = 1200;

const multipleOf32 = (n: number): number => Math.max(32, Math.round(n / 32) * 32);

const wholeOf = ({ width, height }: Page): Area => ({
  left: 0,
  top: 0,
  width,
  height,
  reduction: Math.max(1, Math.max(width, height) / DETECTION_SIDE),
});

const normalised = (data: Uint8Array, pixels: number): Float32Array => {
  const out = new Float32Array(3 * pixels);
  for (let c = 0; c < 3; c++) {
    const scale = 1 / (255 * DEVIATION[c]!);
    const shift = MEAN[c]! / DEVIATION[c]!;
    for (let i = 0; i < pixels; i++) out[c * pixels + i] = data[i * 3 + c]! * scale - shift;
  }
  return out;
};

const probabilityMap = async (
  session: InferenceSession,
  page: Page,
  { left, top, width: across, height: down }: Area,
  width: number,
  height: number,
) => {
  const { data } = await sharp(page.rgb.data, { raw: { width: page.width, height: page.height, channels: 3 } })
    .extract({ left, top, width: across, height: down })
    .resize(width, height, { fit: 'fill', kernel: 'linear' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const input = new Tensor('float32', normalised(data, width * height), [1, 3, height, width]);
  const output = (await session.run({ [session.inputNames[0]!]: input }))[session.outputNames[0]!]!;
  const values = output.data as Float32Array;
  // A loop, because `from` with a function takes a tenth of what the net does.
  const map = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i++) map[i] = values[i]! * 255;
  return map;
};

const detector =
  (session: InferenceSession): Ocr['detect'] =>
  async (page, area = wholeOf(page)) => {
    const width = multipleOf32(area.width / area.reduction);
    const height = multipleOf32(area.height / area.reduction);
    const map = await probabilityMap(session, page, area, width, height);
    const patches = patchesOf(map, width, height, { threshold: 76, minLength: 8, minPixels: 24 });
    const slopes = patches.filter((p) => p.length / p.thickness > 5).map(({ slope }) => slope);
    const common = slopes.sort((a, b) => a - b)[slopes.length >> 1] ?? 0;
    const fx = area.width / width;
    const fy = area.height / height;
    return patches.flatMap((patch) => {
      if (patch.thickness < 3) return [];
      const tilt = patch.length / patch.thickness > 4 ? patch.slope : common;
      const grow = (UNCLIP * patch.length * patch.thickness) / (2 * (patch.length + patch.thickness));
      const half = (patch.thickness / 2 + grow * 0.92) * fy;
      const middle = (patch.left + patch.right) / 2;
      const x = area.left + middle * fx;
      const y = area.top + (patch.slope * middle + patch.offset) * fy;
      const slope = (tilt * fy) / fx;
      const left = Math.max(0, area.left + (patch.left - grow) * fx);
      const right = Math.min(page.width - 1, area.left + (patch.right + grow) * fx);
      return [{ left, right, slope, offset: y - slope * x, top: -half, bottom: half, height: 2 * half, x, y }];
    });
  };

const reader =
  (session: InferenceSession, characters: readonly string[]): Ocr['read'] =>
  async (page, box) => {
    const length = (box.right - box.left) * Math.sqrt(1 + box.slope * box.slope);
    const width = Math.max(16, Math.min(LONGEST_LINE, Math.round((length * ROWS) / box.height)));
    const strip = stripOf(page.grey, box, box.top, box.bottom, { width, height: ROWS, oversample: 3 });
    const pixels = ROWS * width;
    const input = new Float32Array(3 * pixels);
    for (let i = 0; i < pixels; i++) input[i] = strip.data[i]! / 127.5 - 1;
    input.copyWithin(pixels, 0, pixels);
    input.copyWithin(2 * pixels, 0, pixels);
    const tensor = new Tensor('float32', input, [1, 3, ROWS, width]);
    const output = (await session.run({ [session.inputNames[0]!]: tensor }))[session.outputNames[0]!]!;
    const [, steps, classes] = output.dims as [number, number, number];
    return { ...greedy(output.data as Float32Array, steps, classes, { characters, strip }), box };
  };

interface Printed {
  characters: readonly string[];
  strip: Strip;
}

interface Character extends Step {
  p: number;
}

const greedy = (values: Float32Array, steps: number, classes: number, { characters, strip }: Printed) => {
  const read: Character[] = [];
  let previous = 0;
  let blank = 0;
  for (let t = 0; t < steps; t++) {
    let best = 0;
    for (let c = 1; c < classes; c++) if (values[t * classes + c]! > values[t * classes + best]!) best = c;
    blank = Math.max(blank, values[t * classes + classes - 1]!);
    const p = values[t * classes + best]!;
    if (best && best !== classes - 1 && best !== previous) {
      read.push({ char: characters[best]!, step: t, p, blank });
      blank = 0;
    } else if (best && best !== classes - 1) {
      const last = read.at(-1)!;
      last.p = Math.max(last.p, p);
    }
    previous = best;
  }
  return lineOf(read, steps, strip);
};

const lineOf = (read: readonly Character[], steps: number, strip: Strip) => {
  const blanks = blanksIn(read, steps, strip);
  let text = '';
  let length = 0;
  const glyphs = read.map(({ char, step, p }, i): Glyph => {
    const blankBefore = blanks[i] && /[\p{L}\p{N}]/u.test(char);
    text += blankBefore ? ` ${char}` : char;
    length += blankBefore ? 2 : 1;
    return { at: length - 1, step, p };
  });
  const confidence = read.length ? read.reduce((sum, { p }) => sum + p, 0) / read.length : 0;
  const unread = unreadIn(glyphs, steps, strip);
  return { text, confidence, ...(unread && { unread }) };
};

/** PP-OCRv4 over open sessions; `alphabet` is the recogniser's, one character a line. */
export const ocrOver = (detection: InferenceSession, recognition: InferenceSession, alphabet: string): Ocr => {
  // Class 0 is the blank, the last one a space.
  const characters = ['', ...alphabet.trimEnd().split('\n'), ' '];
  return { detect: detector(detection), read: reader(recognition, characters) };
};
