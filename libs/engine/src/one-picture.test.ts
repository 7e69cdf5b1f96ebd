import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { createPictureWatch } from './one-picture.ts';

const SPECIMENS = join(import.meta.dirname, '../../../specimens');

const watched = (image: Buffer, bytesAtOnce = image.length): string | undefined => {
  const watch = createPictureWatch();
  let found: string | undefined;
  for (let at = 0; at < image.length; at += bytesAtOnce) found = watch(image.subarray(at, at + bytesAtOnce));
  return found;
};

const picture = sharp({
  create: {
    width: 64,
    height: 48,
    channels: 3,
    background: '#777',
    noise: { type: 'gaussian', mean: 128, sigma: 30 },
  },
});

/** A chunk of a PNG. */
const chunk = (type: string, content: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};
const HEADER_OF_PNG = 33;
const pngWith = async (...chunks: readonly Buffer[]): Promise<Buffer> => {
  const png = await picture.clone().png().toBuffer();
  return Buffer.concat([png.subarray(0, HEADER_OF_PNG), ...chunks, png.subarray(HEADER_OF_PNG)]);
};
const gamma = (value: number): Buffer => {
  const content = Buffer.alloc(4);
  content.writeUInt32BE(value);
  return chunk('gAMA', content);
};

const SCAN = Buffer.from([0xff, 0xda]);
/** A progressive JPEG that repeats its first scan so many times. */
const withMoreScans = async (more: number): Promise<Buffer> => {
  const jpeg = await picture.clone().jpeg({ progressive: true }).toBuffer();
  const begin = jpeg.indexOf(SCAN);
  const behindFirst = jpeg.indexOf(Buffer.from([0xff, 0xc4]), begin);
  const first = jpeg.subarray(begin, behindFirst);
  return Buffer.concat([jpeg.subarray(0, begin), ...Array<Buffer>(more).fill(first), jpeg.subarray(begin)]);
};

/** A JPEG with a colour profile of so many segments of 65,000 bytes, and as many that are none. */
const withProfile = async (segments: number): Promise<Buffer> => {
  const jpeg = await picture.clone().jpeg().toBuffer();
  const segment = (prefix: string): Buffer =>
    Buffer.concat([Buffer.from([0xff, 0xe2, 0xfd, 0xe8]), Buffer.from(prefix, 'latin1'), Buffer.alloc(64_986)]);
  const all = Array.from({ length: segments }, () => [segment('ICC_PROFILE\0'), segment('MPF\0MPF\0MPF\0')]).flat();
  return Buffer.concat([jpeg.subarray(0, 2), ...all, jpeg.subarray(2)]);
};

const animatedWebp = async (): Promise<Buffer> => {
  const pictures = [picture.clone().png().toBuffer(), picture.clone().negate().png().toBuffer()];
  return sharp(await Promise.all(pictures), { join: { animated: true } })
    .webp()
    .toBuffer();
};

const SCANS = 'more than 32 scans';
const PROFILE = 'a colour profile that is too large';
const DIFFERENT: readonly (readonly [string, () => Promise<Buffer>, string])[] = [
  ['a JPEG whose last scans are another picture', () => withMoreScans(30), SCANS],
  ['a JPEG with a profile of megabytes', () => withProfile(17), PROFILE],
  ['an animated WebP', animatedWebp, 'an animation'],
  ['an animated PNG', () => pngWith(chunk('acTL', Buffer.alloc(8))), 'an animation'],
  [
    'an animated PNG that says so late',
    () => pngWith(chunk('juNk', Buffer.alloc(300_000)), chunk('acTL', Buffer.alloc(8))),
    'an animation',
  ],
  ['a PNG with a gamma that turns its colours black', () => pngWith(gamma(2000)), 'a gamma of no screen'],
  ['a PNG with a gamma that turns its colours white', () => pngWith(gamma(1_000_000)), 'a gamma of no screen'],
  ['a PNG with a large profile', () => pngWith(chunk('iCCP', Buffer.alloc(70_000))), PROFILE],
];

const SAME: readonly (readonly [string, () => Promise<Buffer>])[] = [
  ['a progressive JPEG', () => withMoreScans(0)],
  ['a JPEG of as many scans as are looked at', () => withMoreScans(22)],
  ['a JPEG with a profile of half a megabyte', () => withProfile(8)],
  ['a WebP', () => picture.clone().webp().toBuffer()],
  ['a lossless WebP', () => picture.clone().webp({ lossless: true }).toBuffer()],
  ['a PNG', () => pngWith()],
  ['a PNG with the gamma of a screen', () => pngWith(gamma(45_455))],
];

describe('whether people see the picture that the engine looks at', () => {
  test.each(DIFFERENT)('not of %s', async (_what, make, found) => {
    const image = await make();
    expect(watched(image)).toBe(found);
    for (const bytes of [1, 7, 65_536]) expect(watched(image, bytes)).toBe(found);
  });

  test.each(SAME)('so of %s', async (_what, make) => {
    const image = await make();
    expect(watched(image)).toBeUndefined();
    for (const bytes of [1, 7, 65_536]) expect(watched(image, bytes)).toBeUndefined();
  });

  test('so of the specimens, with whatever stands behind the picture', () => {
    const names = readdirSync(SPECIMENS).filter((name) => /\.(jpg|png|webp)$/.test(name));
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      const specimen = readFileSync(join(SPECIMENS, name));
      expect([name, watched(Buffer.concat([specimen, Buffer.alloc(1000, SCAN)]))]).toEqual([name, undefined]);
    }
  });
});

test.each([
  ['a JPEG', 'ffd8', 'ff00'],
  ['a JPEG of restarts', 'ffd8', 'ffd0'],
  ['a PNG', '89504e470d0a1a0a', '000000004944415435af061e'],
  ['a WebP', '52494646ffffff0057454250', '5650385800000000'],
])('of any bytes it is known in a time that grows with their number: %s', (_what, head, part) => {
  const image = Buffer.concat([Buffer.from(head, 'hex'), Buffer.alloc(15_000_000, Buffer.from(part, 'hex'))]);
  const before = process.cpuUsage();
  expect(watched(image, 65_536)).toBeUndefined();
  expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
});
