import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { newDataKey, openBytes, openStream, sealBytes, sealStream } from './index.ts';

const key = newDataKey();
const chunksOf = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
const sealed = (bytes: Buffer, size = 10_000) =>
  buffer(Readable.from(chunksOf(bytes, size)).pipe(sealStream(key, 'media:1')));
const opened = (bytes: Buffer, context = 'media:1', size = 7_777) =>
  new Promise<Buffer>((resolve, reject) => {
    const stream = Readable.from(chunksOf(bytes, size)).pipe(openStream(key, context));
    stream.on('error', reject);
    buffer(stream).then(resolve, reject);
  });

describe('a sealed stream', () => {
  test.each([0, 1, 65_535, 65_536, 65_537, 200_000])('returns %i bytes', async (length) => {
    const bytes = randomBytes(length);
    expect((await opened(await sealed(bytes))).equals(bytes)).toBe(true);
  });

  test('does not open when cut off, altered, re-ordered or read in another context', async () => {
    const bytes = await sealed(randomBytes(200_000));
    const segment = 64 * 1024 + 16;
    const swapped = Buffer.concat([
      bytes.subarray(0, 16),
      bytes.subarray(16 + segment, 16 + 2 * segment),
      bytes.subarray(16, 16 + segment),
      bytes.subarray(16 + 2 * segment),
    ]);
    const altered = Buffer.from(bytes);
    altered[100_000]! ^= 1;
    for (const broken of [
      bytes.subarray(0, 16 + segment),
      bytes.subarray(0, -1),
      swapped,
      altered,
      bytes.subarray(0, 10),
    ])
      await expect(opened(broken)).rejects.toThrow('does not open');
    await expect(opened(bytes, 'media:2')).rejects.toThrow('does not open');
  });
});

describe('sealed bytes', () => {
  test.each([0, 1, 65_535, 65_536, 65_537, 200_000])('of %i bytes equal a stream of them', async (length) => {
    const bytes = randomBytes(length);
    expect((await opened(sealBytes(key, 'media:1', bytes))).equals(bytes)).toBe(true);
    expect(openBytes(key, 'media:1', await sealed(bytes)).equals(bytes)).toBe(true);
  });

  test('do not open when cut off, altered or read in another context', () => {
    const bytes = sealBytes(key, 'media:1', randomBytes(70_000));
    const altered = Buffer.from(bytes);
    altered[40_000]! ^= 1;
    const cut = [0, 10, 20, 16 + 64 * 1024 + 16, bytes.length - 1].map((length) => bytes.subarray(0, length));
    for (const broken of [...cut, altered]) expect(() => openBytes(key, 'media:1', broken)).toThrow();
    expect(() => openBytes(key, 'media:2', bytes)).toThrow();
  });
});
