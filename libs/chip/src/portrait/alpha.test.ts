import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { ChipError } from '../errors.ts';
import { readDataGroup2 } from '../lds/portrait.ts';
import { PORTRAIT } from '../software/portrait.ts';
import { sample } from '../testing/samples.ts';
import { withoutAlpha } from './alpha.ts';
import { createPortraitDecoder } from './index.ts';

const decoder = createPortraitDecoder();
afterAll(() => decoder.close());

interface Encoder {
  getDecodedBuffer(frame: object): Uint8Array;
  getEncodedBuffer(): Uint8Array;
  encode(): void;
}
let codec: { J2KEncoder: new () => Encoder };
let size: { width: number; height: number };
let rgba: Buffer;
beforeAll(async () => {
  const load = createRequire(import.meta.url)('@cornerstonejs/codec-openjpeg/wasmjs');
  codec = await load({ print: () => undefined, printErr: () => undefined });
  const { data, info } = await sharp(PORTRAIT).ensureAlpha(0.5).raw().toBuffer({ resolveWithObject: true });
  rgba = data;
  size = { width: info.width, height: info.height };
});

/** A lossless codestream whose components are these channels of the portrait. */
const encoded = (...channels: readonly number[]): Buffer => {
  const pixels = Buffer.from(
    Array.from({ length: size.width * size.height }, (_, at) => channels.map((one) => rgba[at * 4 + one]!)).flat(),
  );
  const encoder = new codec.J2KEncoder();
  const frame = { ...size, bitsPerSample: 8, componentCount: channels.length, isSigned: false };
  encoder.getDecodedBuffer({ ...frame, isUsingColorTransform: false }).set(pixels);
  encoder.encode();
  return Buffer.from(encoder.getEncodedBuffer());
};

const uint16s = (...values: readonly number[]): Buffer =>
  Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 0xff])));
const box = (type: string, ...content: readonly Buffer[]): Buffer => {
  const bytes = Buffer.concat(content);
  return Buffer.concat([uint16s(0, 8 + bytes.length), Buffer.from(type, 'latin1'), bytes]);
};
/** A JP2 file of four components in this colour space, with these additional boxes. */
const fileOf = (stream: Buffer, space: number, ...more: readonly Buffer[]): Buffer =>
  Buffer.concat([
    box('jP  ', Buffer.from('0d0a870a', 'hex')),
    box('ftyp', Buffer.from('jp2 \0\0\0\0jp2 ')),
    box(
      'jp2h',
      box('ihdr', uint16s(0, size.height, 0, size.width, 4), Buffer.from([7, 7, 0, 0])),
      box('colr', Buffer.from([1, 0, 0]), uint16s(0, space)),
      ...more,
    ),
    box('jp2c', stream),
  ]);
/**
 * Channel definitions: component, kind (0 is a colour, 1 an opacity), and the colour of the
 * channel.
 */
const definitions = (...channels: readonly (readonly [number, number, number])[]): Buffer =>
  box('cdef', uint16s(channels.length, ...channels.flat()));

const [RED, GREEN, BLUE, OPACITY] = [0, 1, 2, 3];
const SRGB = 16;

describe('a portrait in JPEG 2000 with an opacity', () => {
  test.each([
    ['as a codestream', () => encoded(RED, GREEN, BLUE, OPACITY)],
    ['in a file', () => fileOf(encoded(RED, GREEN, BLUE, OPACITY), SRGB)],
    [
      'whose channels are in another order',
      () => fileOf(encoded(OPACITY, BLUE, GREEN, RED), SRGB, definitions([0, 1, 0], [1, 0, 3], [2, 0, 2], [3, 0, 1])),
    ],
  ])('%s is the picture without it', async (_name, picture) => {
    const { bytes, ...plain } = await decoder.decode(encoded(RED, GREEN, BLUE));
    const read = await decoder.decode(picture());
    expect(read).toMatchObject(plain);
    expect(read.bytes.equals(bytes)).toBe(true);
  });

  test('is left to the codec if its fourth component is an ink', async () => {
    const inks = fileOf(encoded(RED, GREEN, BLUE, OPACITY), 12);
    expect(withoutAlpha(inks)).toBe(inks);
    await expect(decoder.decode(inks)).resolves.toMatchObject(size);
  });

  test('is refused if its channels do not define three colours', async () => {
    for (const channels of [
      [[0, 0, 1]],
      [
        [9, 0, 1],
        [1, 0, 2],
        [2, 0, 3],
      ],
      [],
    ] as const) {
      const odd = fileOf(encoded(RED, GREEN, BLUE, OPACITY), SRGB, definitions(...channels));
      await expect(decoder.decode(odd)).rejects.toBeInstanceOf(ChipError);
    }
  });

  test('cut anywhere is read or refused, and the next one is read', async () => {
    const whole = fileOf(
      encoded(RED, GREEN, BLUE, OPACITY),
      SRGB,
      definitions([0, 0, 1], [1, 0, 2], [2, 0, 3], [3, 1, 0]),
    );
    for (let length = 0; length < 160; length += 1) {
      const cut = whole.subarray(0, length);
      expect(withoutAlpha(cut)).toBeInstanceOf(Buffer);
    }
    await expect(decoder.decode(whole.subarray(0, whole.indexOf('jp2c') + 90))).rejects.toBeInstanceOf(ChipError);
    await expect(decoder.decode(whole)).resolves.toMatchObject(size);
  });
});

test('a portrait without an opacity is left as it is', () => {
  for (const file of ['mustermann/DG2.bin', 'dg2-39794-mandatory.bin']) {
    const { bytes } = readDataGroup2(sample(file));
    expect(withoutAlpha(bytes)).toBe(bytes);
  }
});
