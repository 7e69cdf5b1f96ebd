import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contrast } from '../design/colour.ts';
import { brandColours, SURFACES } from './brand.ts';

const colour = fc
  .tuple(fc.nat(255), fc.nat(255), fc.nat(255))
  .map((channels) => `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`);
const pairOf = (value: string): string[] => [...value.matchAll(/#[0-9a-f]{6}/g)].map(([found]) => found);

test('the colour of a tenant is readable on the page, and so is text on it', () => {
  fc.assert(
    fc.property(colour, (given) => {
      const worn = brandColours(given)!;
      const [light, dark] = pairOf(worn['--accent']!);
      const [onLight, onDark] = pairOf(worn['--on-accent']!);
      for (const surface of SURFACES.light) expect(contrast(light!, surface)).toBeGreaterThanOrEqual(4.5);
      for (const surface of SURFACES.dark) expect(contrast(dark!, surface)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(light!, onLight!)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(dark!, onDark!)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test('a readable colour is not changed, and a value that is no colour is not used', () => {
  expect(brandColours('#7a1f5c')?.['--accent']).toContain('light-dark(#7a1f5c,');
  expect(brandColours('#7a1f5c', false)).toMatchObject({ '--accent': '#7a1f5c', '--on-accent': '#ffffff' });
  expect(brandColours('red;}')).toBeUndefined();
});

test('the surfaces are those of the design', () => {
  const css = readFileSync(join(import.meta.dirname, '../design/tokens.css'), 'utf8');
  for (const [at, name] of ['surface', 'paper'].entries())
    expect(css).toContain(`--${name}: light-dark(${SURFACES.light[at]}, ${SURFACES.dark[at]})`);
});
