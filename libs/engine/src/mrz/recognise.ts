import { type InferenceSession, Tensor } from '../onnxruntime.ts';
import type { Strip } from '../strip.ts';

/** One recognised character, and the other characters that the network considered there. */
export interface Cell {
  char: string;
  p: number;
  alternatives: { char: string; p: number }[];
  /** Its middle, as a share of the strip's width; absent for a filler that was put in. */
  at?: number;
}

export interface LineText {
  text: string;
  cells: Cell[];
  /** Mean probability of the characters, 0..1. */
  confidence: number;
  /** Middle of the first and of the last character, as shares of the strip's width. */
  ends: readonly [number, number];
}

export type RecogniseLines = (strips: readonly Strip[]) => Promise<LineText[]>;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<';
/** Height of the strips the network takes. */
export const STRIP_HEIGHT = 24;
/** Widest strip: 46 characters at about fifteen pixels. */
export const STRIP_WIDTH = 704;
const SURE = 0.985;
const CONSIDERED = 0.015;

const normalise = (strip: Strip, into: Float32Array, at: number, width: number): void => {
  const { data } = strip;
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < data.length; i++) {
    sum += data[i]!;
    squares += data[i]! * data[i]!;
  }
  const mean = sum / data.length;
  const scale = 1 / (Math.sqrt(Math.max(0, squares / data.length - mean * mean)) + 8);
  for (let y = 0; y < strip.height; y++)
    for (let x = 0; x < strip.width; x++) into[at + y * width + x] = (data[y * strip.width + x]! - mean) * scale;
};

const largest = (values: Float32Array, from: number, classes: number): number => {
  let best = 0;
  for (let c = 1; c < classes; c++) if (values[from + c]! > values[from + best]!) best = c;
  return best;
};

/** Greedy CTC that records, for each character, the alternatives on its time steps. */
const decode = (values: Float32Array, from: number, steps: number, classes: number) => {
  const cells: { char: string; p: number; others: Map<string, number>; first: number; last: number }[] = [];
  let previous = 0;
  for (let t = 0; t < steps; t++) {
    const at = from + t * classes;
    const best = largest(values, at, classes);
    const p = values[at + best]!;
    if (best && best !== previous)
      cells.push({ char: ALPHABET[best - 1]!, p: 0, others: new Map(), first: t, last: t });
    const cell = cells.at(-1);
    if (best && cell) {
      cell.p = Math.max(cell.p, p);
      cell.last = t;
      for (let c = 1; p < SURE && c < classes; c++) {
        const other = ALPHABET[c - 1]!;
        if (c !== best && values[at + c]! > CONSIDERED)
          cell.others.set(other, Math.max(values[at + c]!, cell.others.get(other) ?? 0));
      }
    }
    previous = best;
  }
  const middle = (cell: (typeof cells)[number] | undefined) => (cell ? (cell.first + cell.last + 1) / 2 / steps : 0);
  return {
    text: cells.map(({ char }) => char).join(''),
    ends: [middle(cells[0]), middle(cells.at(-1))] as const,
    cells: cells.map((cell) => ({
      char: cell.char,
      p: cell.p,
      alternatives: [...cell.others].map(([other, value]) => ({ char: other, p: value })),
      at: middle(cell),
    })),
    confidence: cells.length ? cells.reduce((sum, { p }) => sum + p, 0) / cells.length : 0,
  };
};

/**
 * The recogniser over an open session. The network accepts any count and width, so strips are read
 * in one batch.
 */
export const recogniserOver =
  (session: InferenceSession): RecogniseLines =>
  async (strips) => {
    const width = Math.ceil(Math.max(...strips.map((s) => s.width)) / 16) * 16;
    const input = new Float32Array(strips.length * STRIP_HEIGHT * width);
    strips.forEach((strip, i) => {
      normalise(strip, input, i * STRIP_HEIGHT * width, width);
    });
    const tensor = new Tensor('float32', input, [strips.length, 1, STRIP_HEIGHT, width]);
    const output = (await session.run({ x: tensor })).y!;
    const [, steps, classes] = output.dims as [number, number, number];
    const values = output.data as Float32Array;
    return strips.map((strip, i) => {
      const line = decode(values, i * steps * classes, steps, classes);
      // The batch is as wide as its widest strip.
      const share = width / strip.width;
      const cells = line.cells.map((cell) => ({ ...cell, at: cell.at * share }));
      return { ...line, cells, ends: [line.ends[0] * share, line.ends[1] * share] as const };
    });
  };
