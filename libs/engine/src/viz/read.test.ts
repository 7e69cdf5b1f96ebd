import { expect, test } from '@jest/globals';
import type { Page } from '../image.ts';
import type { ExpectedValues } from './match.ts';
import type { Ocr, TextBox } from './ocr.ts';
import { readVisualZone } from './read.ts';

type Print = readonly [text: string, left: number, y: number];
const box = ([text, left, y]: Print): TextBox => {
  const right = left + text.length * 16;
  return { left, right, x: (left + right) / 2, y, height: 30, slope: 0, offset: y, top: -10, bottom: 10 };
};

/** What is seen of the surname on a page with these lines. */
const surnameOn = async (prints: readonly Print[], expected: ExpectedValues) => {
  const lines = new Map(prints.map((print) => [box(print), print[0]]));
  const ocr: Ocr = {
    detect: async () => [...lines.keys()],
    read: async (_, at) => ({ text: lines.get(at) ?? '', confidence: 0.99, box: at }),
  };
  const side = { side: 'FRONT', page: { width: 1000, height: 700 } as Page, upright: true } as const;
  const { checks } = await readVisualZone([side], expected, ocr, { everything: false, most: 60, states: true });
  return checks.surname?.match;
};

const ZONE: ExpectedValues = { transliterated: true, surname: 'MARTIN TOURS', givenNames: ['CLAIRE'] };
const PAGE: Print[] = [
  ['Surname', 300, 74],
  ['MARTIN', 300, 100],
  ['Given names', 300, 284],
  ['CLAIRE', 300, 310],
];

test('a further word is no excuse for a name of which a part is printed nowhere', async () => {
  expect(await surnameOn(PAGE, { ...ZONE, surname: 'MARTIN' })).toBe('exact');
  expect(await surnameOn(PAGE, ZONE)).toBe('absent');
  expect(await surnameOn([...PAGE, ['KASK', 300, 131]], { ...ZONE, surname: 'MARTIN' })).toBe('partly');
  expect(await surnameOn([...PAGE, ['KASK', 300, 131]], ZONE)).toBe('absent');
});
