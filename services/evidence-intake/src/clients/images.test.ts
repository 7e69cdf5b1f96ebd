import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readChipKey } from '@assay/chip';
import { createAuthority, createChip } from '@assay/chip/software';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { anImage } from '../testing/rig.ts';
import { createImages, type Images } from './images.ts';

const HOLDER = {
  documentNumber: 'L898902C3',
  surname: 'ERIKSSON',
  givenNames: 'ANNA MARIA',
  dateOfBirth: '1974-08-12',
  gender: 'FEMALE' as const,
  dateOfExpiry: '2032-04-15',
};

const folder = mkdtempSync(join(tmpdir(), 'images-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A program for the processes. The first byte of an image tells it what to do. */
const program = join(folder, 'host.mjs');
writeFileSync(
  program,
  `import { appendFileSync } from 'node:fs';
  process.on('disconnect', () => process.exit(0));
  process.on('message', ({ bytes }) => {
    appendFileSync(${JSON.stringify(join(folder, 'seen'))}, JSON.stringify(process.env) + '\\n');
    if (bytes[0] === 1) process.kill(process.pid, 'SIGSEGV');
    if (bytes[0] !== 2) process.send({ value: bytes[0] === 3 ? { width: 7, height: 8 } : 5 });
  });`,
);

describe('reading images in processes of their own', () => {
  let images: Images;
  beforeAll(() => {
    images = createImages();
  });
  afterAll(() => images.close());

  test('returns size and sharpness, and nothing for bytes that are no image', async () => {
    const image = await anImage(320, 200);
    expect(await images.header(image)).toEqual({ width: 320, height: 200 });
    expect(await images.sharpness(image)).toBeGreaterThan(0);
    expect(await images.header(Buffer.from('no image'))).toBeUndefined();
    expect(await images.sharpness(image.subarray(0, 40))).toBe(-1);
  });

  test('decodes no drawing, film or document, whatever its declared type', async () => {
    const picture = sharp(await anImage(320, 200));
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200"><image href="/etc/passwd"/></svg>';
    const foreign = [
      Buffer.from(drawing),
      await picture.clone().gif().toBuffer(),
      await picture.clone().tiff().toBuffer(),
      await picture.clone().heif({ compression: 'av1' }).toBuffer(),
    ];
    for (const bytes of foreign)
      expect([await images.header(bytes), await images.sharpness(bytes)]).toEqual([undefined, -1]);
    for (const format of ['jpeg', 'png', 'webp'] as const)
      expect(await images.header(await anImage(320, 200, format))).toEqual({ width: 320, height: 200 });
  }, 60_000);
});

describe('reading the key of a chip in the process without secrets', () => {
  test('returns protocol, curve and point, or why there is no key', async () => {
    const images = createImages();
    const chip = createChip(createAuthority(), { passport: HOLDER, now: new Date(), chipAuthentication: 'ECDH' });
    const key = await images.chipKey(chip.dataGroups[14]!);
    expect(key).toEqual(readChipKey(chip.dataGroups[14]!));
    expect(await images.chipKey(chip.dataGroups[1]!)).toEqual({ refused: expect.any(String) });
    expect(await images.chipKey(Buffer.alloc(0))).toEqual({ refused: expect.any(String) });
    await images.close();
  });
});

describe('a process that reads images', () => {
  test('has no environment, whatever secrets the service has', async () => {
    process.env.A_SECRET_OF_THE_SERVICE = 'canary';
    const images = createImages({ program });
    expect(await images.header(Buffer.from([3]))).toEqual({ width: 7, height: 8 });
    expect(readFileSync(join(folder, 'seen'), 'utf8')).not.toContain('canary');
    await images.close();
  });

  test('that dies costs one image, and the next is read', async () => {
    const images = createImages({ program });
    const [bad, good] = await Promise.all([images.header(Buffer.from([1])), images.header(Buffer.from([3]))]);
    expect([bad, good]).toEqual([undefined, { width: 7, height: 8 }]);
    await images.close();
  });

  test('that takes too long is ended, and the next image is read', async () => {
    const images = createImages({ program, timeoutMs: 3000 });
    const [late, good] = await Promise.all([images.sharpness(Buffer.from([2])), images.sharpness(Buffer.from([4]))]);
    expect([late, good]).toEqual([-1, 5]);
    await images.close();
  });
});
