import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { ChipError } from '../errors.ts';
import { imageOf } from '../lds/image.ts';
import { readDataGroup2 } from '../lds/portrait.ts';
import { PORTRAIT } from '../software/portrait.ts';
import { sample } from '../testing/samples.ts';
import { createPortraitDecoder } from './index.ts';

const decoder = createPortraitDecoder();
const folder = mkdtempSync(join(tmpdir(), 'codecs-'));
afterAll(async () => {
  await decoder.close();
  rmSync(folder, { recursive: true });
});

/** A file with a codec that throws this error for every picture. */
const codecThatThrows = (error: string): string => {
  const file = join(folder, `${error.replace(/\W/g, '')}.cjs`);
  writeFileSync(file, `module.exports = async () => ({ J2KDecoder: class { constructor() { throw ${error}; } } });`);
  return file;
};

const jpeg2000 = readDataGroup2(sample('mustermann/DG2.bin')).bytes;

/** The picture with another size in its SIZ marker. */
const claiming = (width: number, height: number, at = 8): Buffer => {
  const changed = Buffer.from(jpeg2000);
  const start = changed.indexOf(Buffer.from('ff4fff51', 'hex'));
  changed.writeUInt32BE(width, start + at);
  changed.writeUInt32BE(height, start + at + 4);
  return changed;
};

describe('portraits', () => {
  test('JPEG 2000 in both encodings, and JPEG unchanged', async () => {
    for (const file of ['mustermann/DG2.bin', 'dg2-39794-mandatory.bin']) {
      const found = readDataGroup2(sample(file));
      const decoded = await decoder.decode(found.bytes);
      expect(decoded).toMatchObject({ type: 'image/jpeg', width: found.width, height: found.height });
      expect(await sharp(decoded.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 413, height: 531 });
    }
    expect((await decoder.decode(PORTRAIT)).bytes).toEqual(PORTRAIT);
  });

  test('JPEG unchanged, though the decoder got another one', async () => {
    const damaged = PORTRAIT.subarray(0, PORTRAIT.length / 2);
    const trusting = createPortraitDecoder({ plain: () => PORTRAIT });
    expect((await trusting.decode(damaged)).bytes).toEqual(damaged);
    await trusting.close();
  });

  test('a picture that claims to be huge is not decoded', () => {
    for (const [width, height] of [
      [60_000, 60_000],
      [2 ** 31, 2 ** 31],
      [0, 531],
      [2 ** 32 - 1, 1],
    ] as const)
      expect(imageOf(claiming(width, height))).toBeUndefined();
    expect(imageOf(claiming(1, 1, 24))).toBeUndefined();
    const jpeg = Buffer.from(PORTRAIT);
    const frame = jpeg.indexOf(Buffer.from('ffc0', 'hex'));
    jpeg.writeUInt16BE(60_000, frame + 5);
    jpeg.writeUInt16BE(60_000, frame + 7);
    expect(imageOf(jpeg)).toBeUndefined();
  });

  test('damaged pictures are refused, and the next good one is right', async () => {
    const refused = expect.objectContaining({ name: 'ChipError', code: 'MALFORMED' });
    const bad = Buffer.from(jpeg2000).fill(0, 200, 400);
    const attempts = [bad, jpeg2000.subarray(0, 150), PORTRAIT.subarray(0, 300), Buffer.from('no picture')].map(
      (bytes) =>
        decoder.decode(bytes).then(
          () => 'decoded',
          (error: unknown) => error,
        ),
    );
    for (const outcome of await Promise.all(attempts)) expect(outcome).toEqual(refused);
    expect(await decoder.decode(jpeg2000)).toMatchObject({ width: 413, height: 531 });
  });

  test.each([
    ['takes too long', () => ({ timeoutMs: 1 }), 'did not answer in time'],
    ['has no codec', () => ({ codec: '/no/such/codec.cjs' }), 'ended'],
    [
      'finds no memory',
      () => ({ codec: codecThatThrows("new RangeError('Array buffer allocation failed')") }),
      'no memory',
    ],
  ])('a decoder that %s is at fault, which is no result about the picture', async (_what, options, message) => {
    const faulty = createPortraitDecoder(options());
    const error: unknown = await faulty.decode(jpeg2000).catch((thrown: unknown) => thrown);
    await faulty.close();
    expect(error).not.toBeInstanceOf(ChipError);
    expect(error).toMatchObject({ message: expect.stringContaining(message) });
  });

  test('a codec that fails at a picture is a result about the picture', async () => {
    const stumbling = createPortraitDecoder({ codec: codecThatThrows("new Error('unreachable')") });
    await expect(stumbling.decode(jpeg2000)).rejects.toBeInstanceOf(ChipError);
    await stumbling.close();
  });
});
