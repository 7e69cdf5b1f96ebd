import { describe, expect, test } from '@jest/globals';
import type { Page } from '../image.ts';
import type { ExpectedValues } from './match.ts';
import type { Ocr, TextBox, TextLine } from './ocr.ts';
import { readOwnFields } from './own-field.ts';

const ZONE: ExpectedValues = { transliterated: true, surname: 'TAMM', givenNames: ['KATRIN', 'LIIS'] };

type Print = readonly [text: string, left: number, y: number, height?: number];
const box = ([text, left, y, height = 30]: Print): TextBox => {
  const right = left + text.length * height * 0.53;
  return { left, right, x: (left + right) / 2, y, height, slope: 0, offset: y, top: -10, bottom: 10 };
};
const label = (text: string, left: number, y: number): Print => [text, left, y, 18];

/** A side of which the names of the zone were read before. */
const look = async (prints: readonly Print[], expected = ZONE) => {
  const lines = new Map(prints.map((print) => [box(print), print[0]]));
  let reads = 0;
  const lineOf = (at: TextBox): TextLine => ({ text: lines.get(at) ?? '', confidence: 0.99, box: at });
  const ocr: Ocr = {
    detect: async () => [],
    read: async (_, part) => {
      reads += 1;
      return lineOf(part);
    },
  };
  const boxes = [...lines.keys()];
  const words = [expected.surname, ...(expected.givenNames ?? [])].join(' ').split(' ');
  const names = boxes.filter((one) =>
    lines
      .get(one)!
      .split(' ')
      .some((word) => words.includes(word)),
  );
  const read = new Map(names.map((one) => [one, lineOf(one)]));
  const { doubts } = await readOwnFields({ page: {} as Page, boxes, read }, expected, ocr, []);
  return { doubts, reads };
};

const GENUINE: Print[] = [
  label('Surname / Nom', 300, 74),
  ['TAMM', 300, 100],
  label('Given names', 300, 154),
  ['KATRIN LIIS', 300, 180],
  label('Place of birth', 300, 234),
  ['TARTU', 300, 260],
];

test('a genuine page raises nothing, and nothing more of it is read', async () => {
  expect(await look(GENUINE)).toEqual({ doubts: [], reads: 0 });
});

test('a word right behind a name or right below it belongs to the name', async () => {
  expect((await look([...GENUINE, ['KASK', 390, 101]])).doubts).toEqual([['surname', 'partly']]);
  expect((await look([...GENUINE, ['MARI', 300, 211]])).doubts).toEqual([['givenNames', 'partly']]);
});

test('labels, other names of the zone, numbers and what stands apart do not', async () => {
  const near: Print[] = [
    ['Nationality', 390, 101],
    ['Kood', 300, 131],
    ['12345', 380, 180],
    ['KASK', 600, 100],
  ];
  expect((await look([...GENUINE, ...near])).doubts).toEqual([]);
  const below: Print[] = [
    ['TAMM', 300, 100],
    ['KATRIN LIIS', 300, 131],
  ];
  expect((await look(below)).doubts).toEqual([]);
});

test('a surname of the zone that is printed as the place of birth contradicts', async () => {
  expect((await look(GENUINE, { ...ZONE, surname: 'TARTU' })).doubts).toEqual([['surname', 'near']]);
});

test('it does not where the holder has the name of the place, or no label says what is printed', async () => {
  const same = GENUINE.map(([text, ...at]): Print => [text === 'TARTU' ? 'TAMM' : text, ...at]);
  expect((await look(same.toReversed())).doubts).toEqual([]);
  const unknown = GENUINE.filter(([text]) => !text.startsWith('Surname'));
  expect((await look(unknown, { ...ZONE, surname: 'TARTU' })).doubts).toEqual([]);
});

test('a layout with the given names first raises nothing', async () => {
  const first: Print[] = [
    label('Given names', 300, 74),
    ['KATRIN LIIS', 300, 100],
    label('Surname', 300, 154),
    ['TAMM', 300, 180],
  ];
  expect((await look(first)).doubts).toEqual([]);
});

test('a line with the names in another script is no further name', async () => {
  const latin = { ...ZONE, surname: 'PETRENKO', issuingState: 'UKR' };
  const both: Print[] = [
    ['PETRENKO', 300, 100],
    ['NETPEHKO', 300, 131],
    ['KATRIN LIIS', 300, 200],
  ];
  expect((await look(both, latin)).doubts).toEqual([]);
  const other = both.map(([text, ...at]): Print => [text === 'NETPEHKO' ? 'KOVALENKO' : text, ...at]);
  expect((await look(other, latin)).doubts).toEqual([['surname', 'partly']]);
  expect((await look(both, { ...latin, issuingState: 'EST' })).doubts).toEqual([['surname', 'partly']]);
});

const CLAIRE = { ...ZONE, surname: 'DURAND', givenNames: ['CLAIRE'] };
const FRENCH: Print[] = [
  label('Surname / Nom', 300, 74),
  ['DURAND', 300, 100],
  label('Given names', 300, 154),
  ['CLAIRE', 300, 180],
  label('Place of birth', 700, 234),
  ['TOURS', 700, 260],
];

test('given names of the zone that are printed as the place of birth contradict', async () => {
  expect((await look(FRENCH, CLAIRE)).doubts).toEqual([]);
  expect((await look(FRENCH, { ...CLAIRE, givenNames: ['TOURS'] })).doubts).toEqual([['givenNames', 'near']]);
});

test('so does a name of which one word alone is the place of birth', async () => {
  const with2 = (surname: string) => FRENCH.map(([text, ...at]): Print => [text === 'DURAND' ? surname : text, ...at]);
  const zone = { ...CLAIRE, surname: 'MARTIN TOURS' };
  expect((await look(with2('DURAND MARTIN'), zone)).doubts).toEqual([['surname', 'near']]);
  expect((await look(with2('MARTIN'), zone)).doubts).toEqual([['surname', 'near']]);
  expect((await look(with2('MARTIN TOURS'), zone)).doubts).toEqual([]);
  const given = { ...CLAIRE, givenNames: ['CLAIRE', 'TOURS'] };
  expect((await look(FRENCH, given)).doubts).toEqual([['givenNames', 'near']]);
});

test('names in lines of their own, one below the other, are one value, and no more is read', async () => {
  const lines: Print[] = [
    label('Surname', 300, 74),
    ['MARTIN', 300, 100],
    ['TOURS', 300, 131],
    label('Given names', 300, 184),
    ['CLAIRE', 300, 210],
    ['MARIE', 300, 241],
    label('Place of birth', 300, 294),
    ['TOURS', 300, 320],
  ];
  const zone = { ...CLAIRE, surname: 'MARTIN TOURS', givenNames: ['CLAIRE', 'MARIE'] };
  expect(await look(lines, zone)).toEqual({ doubts: [], reads: 0 });
});

test('of a name in several lines the place of birth may have a word as well', async () => {
  const lines = (place: string, first: string, second: string): Print[] => [
    label('Place of birth', 300, 294),
    [place, 300, 320],
    label('Surname', 300, 74),
    [first, 300, 100],
    [second, 300, 131],
    label('Given names', 300, 184),
    ['CLAIRE', 300, 210],
  ];
  for (const [place, first, second] of [
    ['RIO DE JANEIRO', 'DE LA CRUZ', 'GOMEZ'],
    ['SANTOS', 'MARTIN', 'SANTOS'],
    ['SANTOS', 'SANTOS', 'MARTIN'],
  ] as const) {
    const zone = { ...CLAIRE, surname: `${first} ${second}` };
    expect((await look(lines(place, first, second), zone)).doubts).toEqual([]);
    expect((await look(lines(place, first, 'KASK'), zone)).doubts).not.toEqual([]);
  }
});

describe('a given name that is the surname, too', () => {
  const alike: ExpectedValues = { transliterated: true, surname: 'TAMM', givenNames: ['TAMM'] };
  const pageOf = (given: string): Print[] => [...GENUINE.slice(0, 3), [given, 300, 180], ...GENUINE.slice(4)];

  test('stands in its own place', async () => {
    expect(await look(pageOf('TAMM'), alike)).toEqual({ doubts: [], reads: 0 });
  });

  test('is contradicted by another one behind its label', async () => {
    expect((await look(pageOf('KATRIN'), alike)).doubts).toEqual([['givenNames', 'near']]);
  });
});
