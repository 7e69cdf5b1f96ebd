import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { decodePage } from './image.ts';
import { plainImage } from './plain-image.ts';

const FORMATS = ['jpeg', 'png', 'webp'] as const;

/** A picture whose sides differ, with EXIF, a copyright and a colour profile. */
const picture = (format: (typeof FORMATS)[number], orientation = 1): Promise<Buffer> =>
  sharp({ create: { width: 32, height: 16, channels: 3, background: '#333' } })
    .composite([{ input: { create: { width: 8, height: 8, channels: 3, background: '#c33' } }, left: 0, top: 0 }])
    .withExif({ IFD0: { Copyright: 'x'.repeat(200) } })
    .withMetadata({ orientation, icc: 'p3' })
    .toFormat(format)
    .toBuffer();

const upright = (bytes: Uint8Array) => sharp(bytes).autoOrient().raw().toBuffer({ resolveWithObject: true });

describe('a picture without what a decoder does not need', () => {
  const all = FORMATS.flatMap((format) => [1, 3, 6, 8].map((orientation) => [format, orientation] as const));
  test.each(all)('%s: has its pixels and its profile, and is turned by %i', async (format, orientation) => {
    const whole = await picture(format, orientation);
    const plain = plainImage(whole);
    expect(plain.length).toBeLessThan(whole.length);
    expect(await upright(plain)).toEqual(await upright(whole));
    expect(await sharp(plain).metadata()).toMatchObject({ format, orientation, icc: expect.anything() });
    expect(Buffer.from(plain).includes('xxxx')).toBe(false);
  });

  test('is the same again, and what is no picture stays as it is', async () => {
    for (const format of FORMATS) {
      const plain = plainImage(await picture(format));
      expect(Buffer.compare(plainImage(plain), plain)).toBe(0);
    }
    const text = Buffer.from('GIF89a and more');
    expect(plainImage(text)).toBe(text);
  });

  test('of any bytes is made without an error', async () => {
    for (const format of FORMATS) {
      const whole = await picture(format);
      for (let at = 0; at < whole.length; at += 3) {
        plainImage(whole.subarray(0, at));
        plainImage(Buffer.concat([whole.subarray(0, at), Buffer.from([0xff, 0xff, 0xff, 0xff]), whole.subarray(at)]));
      }
    }
  });
});

/** EXIF of so many entries that all lead back to the first: a reader follows each. */
const endlessExif = (entries: number): Buffer => {
  const list = Buffer.alloc(entries * 12);
  for (let at = 0; at < list.length; at += 12) list.set(Buffer.from('876900040000000100000008', 'hex'), at);
  const head = Buffer.from('ffe100004578696600004d4d002a000000080000', 'hex');
  head.writeUInt16BE(head.length - 2 + list.length, 2);
  head.writeUInt16BE(entries, head.length - 2);
  return Buffer.concat([head, list]);
};

test('EXIF that leads back to itself, behind bytes that are none, costs no more than its bytes', async () => {
  const whole = await picture('jpeg');
  const endless = Buffer.concat([
    ...[whole.subarray(0, 2), Buffer.from('filling')],
    ...Array<Buffer>(40).fill(endlessExif(5000)),
    whole.subarray(2),
  ]);
  expect(plainImage(endless).length).toBeLessThan(whole.length);
  expect(await decodePage(endless)).toMatchObject({ width: 32, height: 16, original: { hasCameraData: true } });
}, 60_000);
