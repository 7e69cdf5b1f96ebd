import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { drawPassport, photograph, SPECIMEN } from '@assay/specimens';
import { beforeAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { modelsFolder } from '../folder.ts';
import { decodePage } from '../image.ts';
import { type FaceEngine, openFaceEngine } from './face-engine.ts';

const HOLDER = path.resolve(import.meta.dirname, '../../../../specimens/portraits/holder.jpg');
const PRINTED = {
  ...SPECIMEN,
  surname: 'MONROE',
  givenNames: ['CHLOE', 'RAE'],
  issuingState: 'SWE',
  nationality: 'SWE',
  number: 'PA1234567',
};

let faces: FaceEngine;
beforeAll(async () => {
  faces = await openFaceEngine(modelsFolder());
}, 60_000);

test.each([92, 75])(
  'ornaments that look like a large face are not the portrait (JPEG %d)',
  async (quality) => {
    const { front } = await drawPassport(PRINTED, { portrait: await readFile(HOLDER) });
    const photographed = await photograph(front, { width: 1600, seed: 31 });
    const page = await decodePage(await sharp(photographed).jpeg({ quality }).toBuffer());
    const whole = { x: 0, y: 0, width: page.width, height: page.height };
    for (const found of [(await faces.findAround(page, whole, 0)).inside, await faces.findOnDocument(page, 0)]) {
      expect(found).toHaveLength(1);
      expect(found[0]!.box.width).toBeLessThan(300);
    }
  },
  60_000,
);
