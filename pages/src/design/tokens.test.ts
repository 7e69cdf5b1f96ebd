import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { contrast } from './colour.ts';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
const colours = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name, light, dark]) => [
    name!,
    [light!, dark!] as const,
  ]),
);

/**
 * Text and its background need a contrast of 4.5 to 1; borders and the focus ring need 3 to 1 (WCAG
 * 2.2, 1.4.3 and 1.4.11).
 */
const PAIRS: [string, string[], number][] = [
  ['ink', ['paper', 'surface', 'sunken', 'accent-soft', 'good-soft', 'warn-soft', 'bad-soft'], 4.5],
  ['quiet', ['paper', 'surface', 'sunken'], 4.5],
  ['accent', ['paper', 'surface', 'sunken', 'accent-soft'], 4.5],
  ['on-accent', ['accent'], 4.5],
  ['good', ['paper', 'surface', 'good-soft'], 4.5],
  ['warn', ['paper', 'surface', 'warn-soft'], 4.5],
  ['bad', ['paper', 'surface', 'bad-soft'], 4.5],
  ['border', ['paper', 'surface'], 3],
  ['focus', ['paper', 'surface', 'sunken'], 3],
];

describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('the %s colours', (_name, at) => {
  test.each(PAIRS.flatMap(([front, backs, least]) => backs.map((back) => [front, back, least] as const)))(
    '%s is readable on %s',
    (front, back, least) => {
      expect(contrast(colours.get(front)![at], colours.get(back)![at])).toBeGreaterThanOrEqual(least);
    },
  );
});

test('a browser that does not know light-dark() has the light colours', () => {
  const [, instead = ''] = css.split('@supports not (color: light-dark(#000, #fff))');
  const own = new Map([...instead.matchAll(/--([\w-]+): (#\w{6});/g)].map(([, name, colour]) => [name!, colour!]));
  expect(own).toEqual(new Map([...colours].map(([name, [light]]) => [name, light])));
});

test('the contrast of black and white is that of the definition', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
});
