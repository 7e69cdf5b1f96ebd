import { expect, test } from '@jest/globals';
import type { Page } from '../image.ts';
import { readExchanged } from './exchanged.ts';
import type { ExpectedValues } from './match.ts';
import type { Ocr, TextBox, TextLine } from './ocr.ts';

const PERSON: ExpectedValues = {
  surname: 'TAMM',
  givenNames: ['KATRIN', 'LIIS'],
  birthDate: '1991-03-04',
  expiryDate: '2031-09-08',
};
const box = (left: number, y: number, width: number, height: number): TextBox => ({
  ...{ left, right: left + width, x: left + width / 2, y, height, slope: 0, offset: y, top: -10, bottom: 10 },
});

/**
 * Fields one below the other, each with its label above the value or elsewhere. The labels were not
 * read before.
 */
const look = async (
  fields: readonly (readonly [label: string, value: string])[],
  { down = -26, left = 300, leading = 90, expected = PERSON } = {},
) => {
  const labels = new Map(fields.map(([label], at) => [box(left, 100 + leading * at + down, 150, 18), label]));
  const values = new Map(fields.map(([, value], at) => [box(300, 100 + leading * at, 200, 28), value]));
  let reads = 0;
  const ocr: Ocr = {
    detect: async () => [],
    read: async (_, part): Promise<TextLine> => {
      reads += 1;
      const text = [...labels].find(([one]) => one.y === part.y)?.[1] ?? '';
      return { text, confidence: 0.99, box: part };
    },
  };
  const read = new Map([...values].map(([at, text]) => [at, { text, confidence: 0.99, box: at }]));
  const boxes = [...labels.keys(), ...values.keys()];
  return { found: await readExchanged({ page: {} as Page, boxes, read }, expected, ocr), reads };
};

test('exchanged values are detected by their labels, names and dates', async () => {
  const names = [
    ['Surname', 'Katrin Liis'],
    ['Given names', 'Tamm'],
  ] as const;
  expect((await look(names)).found).toEqual(['surname', 'givenNames']);
  const dates = [
    ['Date of birth / Date de naissance', '08 SEP 2031'],
    ['Date of expiry', '04.03.1991'],
  ] as const;
  expect((await look(dates)).found).toEqual(['birthDate', 'expiryDate']);
});

const GENUINE = [
  ['Surname / Nom', 'TAMM'],
  ['Given names', 'KATRIN LIIS'],
  ['Date of birth', '04 MAR 1991'],
  ['Date of expiry', '08 SEP 2031'],
] as const;

test('exchanged values are detected by labels before them, whatever is above', async () => {
  for (const leading of [90, 50]) {
    const before = { down: 0, left: 120, leading };
    const names = [
      ['Nom :', 'KATRIN, LIIS'],
      ['Prénom(s) :', 'TAMM'],
    ] as const;
    expect((await look(names, before)).found).toEqual(['surname', 'givenNames']);
    expect((await look(GENUINE, before)).found).toEqual([]);
    expect((await look(GENUINE.toReversed(), before)).found).toEqual([]);
  }
});

test('exchanged names are detected where the zone has cut one', async () => {
  const expected = { ...PERSON, givenNames: ['KATRIN', 'L'], nameTruncated: true };
  const names = [
    ['Surname', 'Katrin Liis'],
    ['Given names', 'Tamm'],
  ] as const;
  expect((await look(names, { expected })).found).toEqual(['surname', 'givenNames']);
  expect((await look(GENUINE, { expected })).found).toEqual([]);
  expect((await look(GENUINE.toReversed(), { expected })).found).toEqual([]);
});

test('a genuine page raises nothing, and none of its labels is read', async () => {
  expect(await look(GENUINE)).toEqual({ found: [], reads: 0 });
});

test('a genuine page in the other order raises nothing, at the cost of one label a pair', async () => {
  expect(await look(GENUINE.toReversed())).toEqual({ found: [], reads: 2 });
});

test('a layout with its labels below the values, or with unknown labels, raises nothing', async () => {
  expect((await look(GENUINE.toReversed(), { down: 26 })).found).toEqual([]);
  expect((await look(GENUINE.toReversed().map(([, value]) => ['Kood', value] as const))).found).toEqual([]);
});
