import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { decodePage } from './image.ts';
import { plainImage } from './plain-image.ts';

const FORMATS = ['jpeg', 'png', 'webp'] as const;

/** A picture with different sides, and with EXIF, a copyright and a colour profile. */
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

  test('is the same when done twice, and bytes that are no picture stay as they are', async () => {
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

/** EXIF with this many entries that all lead back to the first. A reader follows each of them. */
const endlessExif = (entries: number): Buffer => {
  const list = Buffer.alloc(entries * 12);
  for (let at = 0; at < list.length; at += 12) list.set(Buffer.from('876900040000000100000008', 'hex'), at);
  const head = Buffer.from('ffe100004578696600004d4d002a000000080000', 'hex');
  head.writeUInt16BE(head.length - 2 + list.length, 2);
  head.writeUInt16BE(entries, head.length - 2);
  return Buffer.concat([head, list]);
};

test('EXIF that leads back to itself, after bytes that are no EXIF, costs no more than its bytes', async () => {
  const whole = await picture('jpeg');
  const endless = Buffer.concat([
    ...[whole.subarray(0, 2), Buffer.from('filling')],
    ...Array<Buffer>(40).fill(endlessExif(5000)),
    whole.subarray(2),
  ]);
  expect(plainImage(endless).length).toBeLessThan(whole.length);
  expect(await decodePage(endless)).toMatchObject({ width: 32, height: 16, original: { hasCameraData: true } });
}, 60_000);

/** A grey JPEG of very many scans of a few bytes each. Every scan ends each block at once. */
const manyScans = (side: number, scans: number): Buffer => {
  const segment = (marker: number, content: number[]): number[] => [0xff, marker, 0, content.length + 2, ...content];
  const short = (value: number): number[] => [value >> 8, value & 255];
  const blocks = (side / 8) ** 2;
  const codes = (first: number, second: number): number[] => [first, second, ...Array<number>(14).fill(0)];
  const head = [
    ...[0xff, 0xd8],
    ...segment(0xdb, [0, ...Array<number>(64).fill(1)]),
    ...segment(0xc2, [8, ...short(side), ...short(side), 1, 1, 0x11, 0]),
    ...segment(0xc4, [0x00, ...codes(1, 0), 0]),
    // One code: this many blocks end here, 16,384 and the number in fourteen further bits.
    ...segment(0xc4, [0x10, ...codes(1, 0), 0xe0]),
  ];
  const bits = blocks.toString(2).slice(1).padStart(14, '0');
  const run = Number.parseInt(`0${bits}1`, 2);
  const scan = Buffer.from([...segment(0xda, [1, 1, 0, 1, 63, 0]), ...short(run)]);
  const first = Buffer.from(segment(0xda, [1, 1, 0, 0, 0, 0]));
  return Buffer.concat([
    Buffer.from(head),
    first,
    Buffer.alloc(blocks / 8),
    ...Array<Buffer>(scans).fill(scan),
    Buffer.from([0xff, 0xd9]),
  ]);
};

test('a picture of a hundred thousand scans costs what its first scans cost', async () => {
  const bomb = manyScans(1024, 100_000);
  expect(bomb.length).toBeLessThan(2_000_000);
  const plain = plainImage(bomb);
  expect(plain.length).toBeLessThan(3000);
  expect(Buffer.compare(plainImage(plain), plain)).toBe(0);
  expect(await decodePage(bomb)).toMatchObject({ width: 1024, height: 1024 });
  // As many scans as real programs write are not removed.
  const few = manyScans(1024, 30);
  expect(Buffer.compare(plainImage(few), few)).toBe(0);
}, 20_000);

test('a WebP of fifty thousand frames costs what its first one costs', async () => {
  const number = (value: number, bytes: number): Buffer => {
    const written = Buffer.alloc(bytes);
    written.writeUIntLE(value, 0, bytes);
    return written;
  };
  const chunk = (type: string, ...content: readonly Buffer[]): Buffer => {
    const all = Buffer.concat(content);
    return Buffer.concat([Buffer.from(type), number(all.length, 4), all, Buffer.alloc(all.length % 2)]);
  };
  const side = [number(399, 3), number(399, 3)];
  const still = await sharp({ create: { width: 400, height: 400, channels: 3, background: '#abc' } })
    .webp({ lossless: true })
    .toBuffer();
  const animated = (frames: number): Buffer => {
    const place = [number(0, 3), number(0, 3), ...side, number(100, 3), Buffer.alloc(1)];
    const frame = chunk('ANMF', ...place, still.subarray(12));
    const selected = [chunk('VP8X', Buffer.from([2, 0, 0, 0]), ...side), chunk('ANIM', Buffer.alloc(6))];
    return chunk('RIFF', Buffer.from('WEBP'), ...selected, ...Array<Buffer>(frames).fill(frame));
  };
  const bomb = animated(49_000);
  expect(Buffer.compare(plainImage(bomb), animated(1))).toBe(0);
  expect(await decodePage(bomb)).toMatchObject({ width: 400, height: 400 });
}, 10_000);

test.each([
  ['JPEG', 'ffd8', 'ffe00002'],
  ['PNG', '89504e470d0a1a0a', '0000000049444154' + '35af061e'],
  ['WebP', '52494646ffffff00' + '57454250', '414e4d46' + '00000000'],
])('of millions of parts in a %s only thousands are read', (_format, head, part) => {
  const bomb = Buffer.concat([Buffer.from(head, 'hex'), Buffer.alloc(8_000_000, Buffer.from(part, 'hex'))]);
  expect(plainImage(bomb).length).toBeLessThan(700_000);
});

test('bytes between scans or after the picture are removed as well', async () => {
  const whole = await sharp(await picture('jpeg'))
    .withMetadata()
    .jpeg({ progressive: true })
    .toBuffer();
  const plain = Buffer.from(plainImage(whole));
  const second = plain.indexOf(Buffer.from([0xff, 0xda]), plain.indexOf(Buffer.from([0xff, 0xda])) + 2);
  const filled = Buffer.concat([
    ...[plain.subarray(0, second), endlessExif(5000), plain.subarray(second)],
    Buffer.from('PK and a page <script>'),
  ]);
  expect(Buffer.compare(plainImage(filled), plain)).toBe(0);
});
