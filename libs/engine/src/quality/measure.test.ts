import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import sharp, { type Sharp } from 'sharp';
import { decodePage } from '../image.ts';
import * as rules from '../rules/quality-rules.ts';
import { measureImage } from './measure.ts';

let passport: Buffer;
beforeAll(async () => {
  const file = await readFile(path.resolve(import.meta.dirname, '../../../../specimens/passport.jpg'));
  passport = await sharp(file).resize(1000).png({ compressionLevel: 1 }).toBuffer();
}, 60_000);

const side = async (change: (image: Sharp) => Sharp) => ({
  measures: measureImage(await decodePage(await change(sharp(passport)).jpeg({ quality: 90 }).toBuffer())),
  rotation: 0 as const,
});

describe('pictures', () => {
  test('a good one raises nothing', async () => {
    const good = await side((image) => image);
    const checks = [rules.blurOf, rules.glareOf, rules.darknessOf, rules.photocopyOf, rules.lcdOf, rules.screenshotOf];
    expect(checks.map((rule) => rule(good))).toEqual(Array(checks.length).fill('OK'));
  }, 120_000);

  test('blur, darkness and missing colour are detected', async () => {
    expect(rules.blurOf(await side((image) => image.blur(4)))).toBe('FAILED');
    expect(rules.darknessOf(await side((image) => image.linear(0.15, 0)))).toBe('FAILED');
    expect(rules.photocopyOf(await side((image) => image.greyscale()))).toBe('FAILED');
    const copy = await sharp(passport).greyscale().toColourspace('srgb').png({ compressionLevel: 1 }).toBuffer();
    const tinted = await sharp(copy).linear([0.95, 0.88, 0.78], [4, 2, 0]).jpeg({ quality: 90 }).toBuffer();
    expect(rules.photocopyOf({ measures: measureImage(await decodePage(tinted)), rotation: 0 })).toBe('WARNING');
  }, 120_000);

  test('a highlight over the print is glare', async () => {
    const spot = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="280" height="200"><ellipse cx="140" cy="100" rx="130" ry="92" fill="#fff"/></svg>',
    );
    const seen = await side((image) => image.composite([{ input: spot, left: 460, top: 190 }]));
    expect(seen.measures.glare).toBeGreaterThan(0.03);
    expect(rules.glareOf(seen)).not.toBe('OK');
  }, 120_000);

  test('resolution and keystone need a machine-readable zone, and report its absence', () => {
    expect(rules.keystoneOf(undefined)).toBe('UNVERIFIED');
    expect(rules.worst(['OK', 'UNVERIFIED', 'WARNING'])).toBe('WARNING');
    expect(rules.worst([])).toBe('UNVERIFIED');
  });
});
