import { seeded } from '@assay/specimens';
import { expect, test } from '@jest/globals';
import sharp from 'sharp';
import { decodePage, turnedPage } from '../image.ts';
import { WIDEST_GAP } from '../rules/substitution.ts';
import { tracesOf } from './traces.ts';

const FACE = { x: 320, y: 240, width: 200, height: 200 };

/** Soft blots on every scale that a block can show, like print and faces. */
const texture = async (width: number, height: number, seed: number): Promise<Buffer> => {
  const random = seeded(seed);
  const data = Buffer.from(Array.from({ length: width * height * 3 }, () => 255 * random()));
  return sharp(data, { raw: { width, height, channels: 3 } })
    .blur(1.2)
    .png()
    .toBuffer();
};

/** A page from a first JPEG file, saved again, with the portrait inserted in between. */
const saved = async (pasted: boolean): Promise<Buffer> => {
  const first = await sharp(await texture(800, 640, 1))
    .jpeg({ quality: 70 })
    .toBuffer();
  const input = await texture(300, 300, 2);
  return sharp(first)
    .composite(pasted ? [{ input, left: 270, top: 190 }] : [])
    .jpeg({ quality: 94 })
    .toBuffer();
};

test('a portrait inserted into a finished picture lacks the traces of its compression', async () => {
  const forged = tracesOf(await decodePage(await saved(true)), 0, FACE);
  const genuine = tracesOf(await decodePage(await saved(false)), 0, FACE);
  expect(forged.historyGap).toBeGreaterThan(WIDEST_GAP);
  expect(genuine.historyGap).toBeLessThan(WIDEST_GAP / 2);
});

test('so does one on a page that was turned', async () => {
  const page = await decodePage(
    await sharp(await saved(true))
      .extract({ left: 0, top: 0, width: 797, height: 635 })
      .png()
      .toBuffer(),
  );
  const turned = turnedPage(page, 1);
  const face = { x: 635 - FACE.y - FACE.height, y: FACE.x, width: 200, height: 200 };
  expect(tracesOf(turned, 90, face).historyGap).toBeGreaterThan(WIDEST_GAP);
  expect(tracesOf(turnedPage(page, 3), 270, { ...face, x: FACE.y, y: 797 - 520 }).historyGap).toBeGreaterThan(
    WIDEST_GAP,
  );
});

test('there is no result for a page that was shrunk', async () => {
  const page = await decodePage(await saved(true));
  expect(tracesOf({ ...page, scale: 0.5 }, 0, FACE)).toEqual({});
});
