import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { degrade, drawUsLicence, pick, randomPerson, seeded, US_STATES } from '@assay/specimens';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodePage } from '../image.ts';
import { openReadingEngine, type ReadingEngine } from '../reading-engine.ts';
import { readLicenceBarcode } from './read.ts';

const portraits = path.resolve(import.meta.dirname, '../../../../specimens/portraits');

let engine: ReadingEngine;
let portrait: Buffer;
beforeAll(async () => {
  engine = await openReadingEngine();
  portrait = await readFile(path.join(portraits, 'holder.jpg'));
}, 60_000);
afterAll(() => engine.close());

describe('the barcode of a licence', () => {
  test.each([15, -15])(
    'is read when the picture is tilted by %i degrees',
    async (rotation) => {
      const random = seeded(rotation + 100);
      const drawn = await drawUsLicence(randomPerson(random), pick(random, US_STATES), { portrait, random });
      const photo = await degrade(drawn.back!, { quality: 65, rotation, noise: 5, seed: 1 });
      const barcode = await readLicenceBarcode(await decodePage(photo));
      expect(barcode?.licence.documentNumber).toBe(drawn.truth.machine.number);
    },
    30_000,
  );
});
