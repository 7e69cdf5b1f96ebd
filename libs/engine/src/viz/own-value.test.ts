import { expect, test } from '@jest/globals';
import type { Page } from '../image.ts';
import type { ExpectedValues } from './match.ts';
import type { Ocr, TextBox, TextLine } from './ocr.ts';
import { readOwnValues } from './own-value.ts';
import type { PlacedLine } from './placed-line.ts';

const ZONE: ExpectedValues = {
  transliterated: true,
  documentNumber: 'X1234567',
  numberLabel: 'PASSPORT',
  birthDate: '1980-05-12',
  expiryDate: '2031-03-17',
  monthFirst: false,
};

type Print = readonly [text: string, left: number, y: number, height?: number];
const box = ([text, left, y, height = 30]: Print): TextBox => {
  const right = left + text.length * height * 0.53;
  return { left, right, x: (left + right) / 2, y, height, slope: 0, offset: y, top: -10, bottom: 10 };
};
/** A field: a small label with the value below it. */
const field = (label: string, value: string, left: number, y: number): Print[] => [
  [label, left, y - 26, 18],
  [value, left, y],
];

interface Sides {
  others?: readonly PlacedLine[];
  /** How surely lines are read. */
  confidence?: number;
}

/** A side of which the values of the zone were read before. */
const look = async (
  prints: readonly Print[],
  changed: ExpectedValues = {},
  { others = [], confidence = 0.99 }: Sides = {},
) => {
  const expected = { ...ZONE, ...changed };
  const lines = new Map(prints.map((print) => [box(print), print[0]]));
  let reads = 0;
  const ocr: Ocr = {
    detect: async () => [],
    read: async (_, part) => {
      reads += 1;
      const [, text = ''] = [...lines].find(([one]) => one.left === part.left && one.y === part.y) ?? [];
      const shown = Math.ceil((part.right - part.left) / (part.height * 0.53));
      return { text: text.slice(0, shown), confidence, box: part };
    },
  };
  const lineOf = (at: TextBox): TextLine => ({ text: lines.get(at)!, confidence, box: at });
  const values = [
    'X1234567',
    'A7654321B',
    'DL T64235789',
    'DD A7654321B',
    '12 MAY 1980',
    '18 MAR 2021',
    '17 MAR 2031',
    '17 MAR 2034',
  ];
  const known = [...lines.keys()].filter((one) => values.includes(lines.get(one)!) && prints.length > 0);
  const read = new Map(known.map((one) => [one, lineOf(one)]));
  const { found } = await readOwnValues({ page: {} as Page, boxes: [...lines.keys()], read }, expected, ocr, others);
  return { found, reads };
};

const GENUINE: Print[] = [
  ...field('Passport No. / No. du passeport', 'X1234567', 800, 100),
  ...field('Date of birth / Date de naissance', '12 MAY 1980', 300, 180),
  ...field('Date of issue / Date de délivrance', '18 MAR 2021', 300, 260),
  ...field("Date of expiry / Date d'expiration", '17 MAR 2031', 300, 340),
];

test('on a genuine page three labels are read, and nothing is raised', async () => {
  expect(await look(GENUINE)).toEqual({ found: [], reads: 3 });
});

test('a birth date of the zone that is printed as the day of issue contradicts', async () => {
  expect((await look(GENUINE, { birthDate: '2021-03-18' })).found).toEqual([
    { field: 'birthDate', match: 'near', seen: '12 MAY 1980' },
  ]);
});

test('so does an expiry that is printed as the day of issue, or as an extension', async () => {
  const found = [{ field: 'expiryDate', match: 'near', seen: '17 MAR 2031' }];
  expect((await look(GENUINE, { expiryDate: '2021-03-18' })).found).toEqual(found);
  const extended = [...GENUINE, ...field('Extended until', '17 MAR 2034', 700, 340)];
  expect((await look(extended, { expiryDate: '2034-03-17' })).found).toEqual(found);
  expect((await look(extended)).found).toEqual([]);
});

test('a number of the zone that is printed as the personal one contradicts, a misread one does not', async () => {
  const personal = [...GENUINE, ...field('Personal No.', 'A7654321B', 700, 340)];
  expect((await look(personal, { documentNumber: 'A7654321B' })).found).toEqual([
    { field: 'documentNumber', match: 'near', seen: 'X1234567' },
  ]);
  expect((await look(personal)).found).toEqual([]);
  const twice = [...field('Passport No.', 'X1284567', 800, 100), ['X1234567', 300, 500] satisfies Print];
  expect((await look(twice)).found).toEqual([]);
});

test('so does a number of a barcode that is printed as that of the card', async () => {
  const front: Print[] = [
    ['DL T64-235-789', 300, 100],
    ['DD A7654321B', 300, 180],
  ];
  const licence = { numberLabel: 'LICENCE', documentNumber: 'A7654321B' } as const;
  expect((await look(front, licence)).found).toEqual([{ field: 'documentNumber', match: 'near', seen: 'T64235789' }]);
  expect((await look(front, { ...licence, documentNumber: 'T64235789' })).found).toEqual([]);
});

test("a visa has its own number, and that of the passport behind the passport's label", async () => {
  const { numberLabel: _, ...visa } = ZONE;
  const prints = [...field('Passport No.', 'X1234567', 800, 100), ['A7654321B', 300, 500] satisfies Print];
  const lines = new Map(prints.map((print) => [box(print), print[0]]));
  const read = new Map([...lines].map(([at, text]) => [at, { text, confidence: 0.99, box: at }]));
  const ocr: Ocr = { detect: async () => [], read: async (_page, at) => read.get(at)! };
  const side = { page: {} as Page, boxes: [...lines.keys()], read };
  expect((await readOwnValues(side, { ...visa, documentNumber: 'A7654321B' }, ocr, [])).found).toEqual([]);
});

test('a value that is read unsurely only leaves a doubt', async () => {
  const { found } = await look(GENUINE, { birthDate: '2021-03-18' }, { confidence: 0.8 });
  expect(found).toEqual([{ field: 'birthDate', match: 'partly', seen: '12 MAY 1980' }]);
});

test('dates beside each other under one label contradict nothing', async () => {
  const one: Print[] = [
    ['Date of expiry / Date of issue', 300, 314, 18],
    ['18 MAR 2021', 300, 340],
    ['17 MAR 2031', 600, 340],
  ];
  expect((await look([...GENUINE.slice(0, 4), ...one])).found).toEqual([]);
  const merged: Print[] = [one[0]!, ['18 MAR 2021  17 MAR 2031', 300, 340]];
  expect((await look([...GENUINE.slice(0, 4), ...merged])).found).toEqual([]);
});

test('nor do labels that stand below their values, or before them', async () => {
  const below = GENUINE.map(([text, left, y, height]): Print => [text, left, height === 18 ? y + 48 : y, height ?? 30]);
  expect((await look(below)).found).toEqual([]);
  const before = GENUINE.map(
    ([text, left, y, height]): Print => (height === 18 ? [text.slice(0, 14), left - 200, y + 26, 18] : [text, left, y]),
  );
  expect((await look(before)).found).toEqual([]);
  expect((await look(before, { birthDate: '2021-03-18' })).found).toEqual([
    { field: 'birthDate', match: 'near', seen: '12 MAY 1980' },
  ]);
});

test('a label whose other language comes first is read whole', async () => {
  const finnish = GENUINE.map(
    ([text, ...at]): Print => [text.replace('Date of', 'Päivämäärä jolloin / Date of'), ...at],
  );
  expect((await look(finnish)).found).toEqual([]);
  expect((await look(finnish, { birthDate: '2021-03-18' })).found).toHaveLength(1);
});

test('labels that no language is known of contradict nothing', async () => {
  const unknown = GENUINE.map(([text, ...at]): Print => [text.replace(/.*(Date|No).*/, 'Päivä'), ...at]);
  expect((await look(unknown, { birthDate: '2021-03-18' })).found).toEqual([]);
});

test('a side that was read before says the date behind its own label', async () => {
  const front = GENUINE.map(
    (print): PlacedLine => ({ ...box(print), side: 'FRONT', text: print[0], confidence: 0.99 }),
  );
  const back = field('Extended until', '17 MAR 2034', 300, 100);
  const { found } = await look(back, { expiryDate: '2034-03-17' }, { others: front });
  expect(found).toEqual([{ field: 'expiryDate', match: 'near', seen: '2031-03-17' }]);
  expect((await look(back, {}, { others: front })).found).toEqual([]);
});
