import { expect, test } from '@jest/globals';
import type { Page } from '../image.ts';
import { readNationality } from './nationality.ts';
import type { Ocr, TextBox, TextLine } from './ocr.ts';

type Print = readonly [text: string, left: number, y: number, height?: number];
const box = ([text, left, y, height = 30]: Print): TextBox => {
  const right = left + text.length * height * 0.53;
  return { left, right, x: (left + right) / 2, y, height, slope: 0, offset: y, top: -10, bottom: 10 };
};

/** A page of which dates were read before. */
const look = async (prints: readonly Print[], nationality: string, confidence = 0.99) => {
  const lines = new Map(prints.map((print) => [box(print), print[0]]));
  let reads = 0;
  const ocr: Ocr = {
    detect: async () => [],
    read: async (_, part) => {
      reads += 1;
      const [, text = ''] = [...lines].find(([one]) => one.left === part.left && one.y === part.y) ?? [];
      return { text, confidence, box: part };
    },
  };
  const dates = [...lines].filter(([, text]) => /\d/.test(text));
  const read = new Map(dates.map(([at, text]): [TextBox, TextLine] => [at, { text, confidence, box: at }]));
  const { other } = await readNationality({ page: {} as Page, boxes: [...lines.keys()], read }, { nationality }, ocr);
  return { other, reads };
};

const PAGE: Print[] = [
  ['Nationality / Nationalité', 300, 74, 18],
  ['FRANÇAISE', 300, 100],
  ['Date of birth', 300, 154, 18],
  ['12 MAY 1980', 300, 180],
  ['Place of birth', 700, 154, 18],
  ['ITALIE', 700, 180],
];

test('a nationality that is printed as a word of another state contradicts', async () => {
  expect((await look(PAGE, 'USA')).other).toBe('FRA');
});

test('the own one does not, nor one that is read unsurely, nor what stands behind another label', async () => {
  expect((await look(PAGE, 'FRA')).other).toBeUndefined();
  expect((await look(PAGE, 'USA', 0.8)).other).toBeUndefined();
  expect((await look(PAGE.slice(2), 'USA')).other).toBeUndefined();
});

test('nothing is read where the nationality was seen', async () => {
  const seen = await look([...PAGE, ['USA 12', 300, 300]], 'USA');
  expect(seen).toEqual({ other: undefined, reads: 0 });
});
