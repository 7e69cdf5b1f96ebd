import { expect, test } from '@jest/globals';
import type { Page } from '../image.ts';
import { readFurther } from './further.ts';
import type { ExpectedValues } from './match.ts';
import type { Ocr, TextBox, TextLine } from './ocr.ts';

type Print = readonly [text: string, left: number, y: number, height?: number];
const box = ([text, left, y, height = 30]: Print): TextBox => {
  const right = left + text.length * height * 0.53;
  return { left, right, x: (left + right) / 2, y, height, slope: 0, offset: y, top: -10, bottom: 10 };
};
const field = (label: string, value: string, left: number, y: number): Print[] => [
  [label, left, y - 26, 18],
  [value, left, y],
];

/** The labels that are read on a passport page with this number, all of whose values were seen. */
const labelsRead = async (number: string): Promise<string[]> => {
  const prints = [
    ...field('Passport No.', number, 800, 100),
    ...field('Date of birth', '12 MAY 1980', 300, 180),
    ...field('Date of issue', '18 MAR 2021', 300, 260),
    ...field('Date of expiry', '17 MAR 2031', 300, 340),
  ];
  const lines = new Map(prints.map((print) => [box(print), print[0]]));
  const lineOf = (at: TextBox): TextLine => ({ text: lines.get(at)!, confidence: 0.99, box: at });
  const ocr: Ocr = {
    detect: async () => [],
    read: async (_, part) => lineOf([...lines.keys()].find(({ left, y }) => left === part.left && y === part.y)!),
  };
  const boxes = [...lines.keys()];
  const read = new Map(boxes.filter(({ height }) => height === 30).map((one) => [one, lineOf(one)]));
  const expected: ExpectedValues = { documentNumber: number, birthDate: '1980-05-12', expiryDate: '2031-03-17' };
  const after = await readFurther({ page: {} as Page, boxes, read }, expected, ocr);
  return [...after].filter(([one]) => !read.has(one)).map(([, { text }]) => text);
};

test.each(['X1234567', 'XN8308374', 'C12106477', 'C12102020'])(
  'the label of the third date is read beside the number %s',
  async (number) => {
    expect(await labelsRead(number)).toContain('Date of issue');
  },
);
