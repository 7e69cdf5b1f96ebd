import { expect, test } from '@jest/globals';
import type { Page } from '../image.ts';
import type { Ocr, TextBox, TextLine } from './ocr.ts';
import { readStates } from './states.ts';

const box = (left: number, y: number, width: number, height: number): TextBox => ({
  ...{ left, right: left + width, x: left + width / 2, y, height, slope: 0, offset: y },
  ...{ top: -height / 2, bottom: height / 2 },
});
/** Labels above values, like on a page. */
const page = (fields: readonly (readonly [label: string, value: string])[], confidence = 0.99) => {
  const texts = new Map(
    fields.flatMap(([label, value], at) => [
      [box(300 * at, 100, 12 * label.length, 16), label] as const,
      [box(300 * at, 130, 20 * value.length, 28), value] as const,
    ]),
  );
  let reads = 0;
  const ocr: Ocr = {
    detect: async () => [...texts.keys()],
    read: async (_, part): Promise<TextLine> => {
      reads += 1;
      const [found] = [...texts].filter(([one]) => one.left === part.left && one.y === part.y);
      return { text: found?.[1] ?? '', confidence, box: part };
    },
  };
  const look = async (issuingState: string, nationality: string) => {
    const { others } = await readStates(
      { page: {} as Page, boxes: [...texts.keys()], read: new Map() },
      { issuingState, nationality },
      ocr,
    );
    return others;
  };
  return { look, reads: () => reads };
};
const PAGE = [
  ['Code of State', 'UTO'],
  ['Nationality', 'UTO'],
] as const;

test('another code at the label of the state, or of the nationality, is reported', async () => {
  const { look } = page(PAGE);
  expect(await look('DEU', 'DEU')).toEqual({ state: 'UTO', nationality: 'UTO' });
  expect(await look('UTO', 'FRA')).toEqual({ nationality: 'UTO' });
  expect(await look('UTO', 'UTO')).toEqual({});
});

test('another printed nationality is reported though the state is right', async () => {
  const altered = [PAGE[0], ['Nationality', 'FRA']] as const;
  expect(await page(altered).look('UTO', 'UTO')).toEqual({ nationality: 'FRA' });
  expect(await page(altered).look('UTO', 'FRA')).toEqual({});
});

test('no label is read if the codes are those of the zone', async () => {
  const { look, reads } = page(PAGE);
  await look('UTO', 'UTO');
  expect(reads()).toBe(PAGE.length);
});

test('a code that is read uncertainly, is invalid, or has another label raises nothing', async () => {
  expect(await page(PAGE, 0.8).look('DEU', 'DEU')).toEqual({});
  expect(await page([['Nationality', 'SMI']]).look('DEU', 'DEU')).toEqual({});
  expect(await page([['Place of birth', 'ROM']]).look('D', 'D')).toEqual({});
});

test('the letter of a state and its three-letter code are equal', async () => {
  expect(
    await page([
      ['Code', 'DEU'],
      ['Nationality', 'DEU'],
    ]).look('D', 'D'),
  ).toEqual({});
});

test('labels in the form of codes are not read in their place', async () => {
  const labels = ['Sex', 'Obs', 'Lic', 'End', 'Typ'].map((text, i) => [box(60 * i, 300, 30, 16), text] as const);
  const code = [box(0, 130, 64, 28), 'FRA'] as const;
  const seen = [box(0, 30, 200, 28), 'SPECIMEN'] as const;
  const label = [box(0, 100, 130, 16), 'Nationality'] as const;
  const texts = new Map([...labels, seen, label, code]);
  const lineOf = (at: TextBox): TextLine => {
    const [found] = [...texts].filter(([one]) => one.left === at.left && one.y === at.y);
    return { text: found?.[1] ?? '', confidence: 0.99, box: at };
  };
  const ocr: Ocr = { detect: async () => [], read: async (_, part) => lineOf(part) };
  const side = { page: {} as Page, boxes: [...texts.keys()], read: new Map([[seen[0], lineOf(seen[0])]]) };
  const { others } = await readStates(side, { issuingState: 'FRA', nationality: 'USA' }, ocr);
  expect(others).toEqual({ nationality: 'FRA' });
});
