import { expect, test } from '@jest/globals';
import type { Page } from '../image.ts';
import type { Ocr, TextBox, TextLine } from './ocr.ts';
import { readSex } from './sex.ts';

/** The slant of a page that lies on a table. */
const SLOPE = 0.06;
const box = (left: number, row: number, width: number, height: number): TextBox => {
  const x = left + width / 2;
  const y = row + SLOPE * x;
  return { left, right: left + width, x, y, height, slope: SLOPE, offset: y - SLOPE * x, top: -10, bottom: 10 };
};
const LABEL = box(300, 200, 32, 18);
const OTHER_LABEL = box(800, 200, 130, 18);
const DATE = box(800, 226, 180, 28);

/** A row of two fields. The net found one value; `letter` is printed at the place of the other. */
const look = async (label: string, letter: string, confidence = 0.99, known: [TextBox, string][] = []) => {
  const places: TextBox[] = [];
  const ocr: Ocr = {
    detect: async () => [],
    read: async (_, part): Promise<TextLine> => {
      if (part === LABEL) return { text: label, confidence: 0.99, box: part };
      places.push(part);
      return { text: letter, confidence, box: part };
    },
  };
  const before = new Map(known.map(([at, text]) => [at, { text, confidence: 0.99, box: at }]));
  const boxes = [LABEL, OTHER_LABEL, DATE, ...known.map(([at]) => at)];
  const read = await readSex({ page: {} as Page, boxes, read: before }, { sex: 'M' }, ocr);
  return { texts: [...read.values()].map(({ text }) => text), places };
};

test('a letter that the net missed is read below its label, in the row of the other values', async () => {
  const { texts, places } = await look('Sex / Sexe', 'F');
  expect(texts).toEqual(['Sex / Sexe', 'F']);
  const [place] = places;
  expect(place!.left).toBeLessThan(LABEL.left);
  expect(Math.abs(place!.y - (226 + SLOPE * place!.x))).toBeLessThan(1);
});

test('print that is no single letter, or was read uncertainly, gives no value', async () => {
  expect((await look('Sex', 'FR')).texts).toEqual(['Sex']);
  expect((await look('Sex', 'F', 0.6)).texts).toEqual(['Sex']);
});

test('nothing is read below another label, or if the sex was read already', async () => {
  expect((await look('Height', 'F')).places).toEqual([]);
  expect((await look('Sex', 'F', 0.99, [[box(300, 400, 20, 28), 'M']])).places).toEqual([]);
});
