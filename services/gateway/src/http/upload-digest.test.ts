import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { digestOf, readAlong } from './upload-digest.ts';

const SECRET = Buffer.from('secret');
type Part = readonly [name: string, content: Buffer];

const formOf = (parts: readonly Part[], boundary: string): Buffer =>
  Buffer.concat([
    ...parts.flatMap(([name, content]) => [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="f"\r\n\r\n`),
      content,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);

/** A request with this body, in pieces of so many bytes. */
const requestOf = (body: Buffer, boundary: string, piece = 1000): IncomingMessage => {
  const pieces = Array.from({ length: Math.ceil(body.length / piece) }, (_, nth) =>
    body.subarray(nth * piece, (nth + 1) * piece),
  );
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  return Object.assign(Readable.from(pieces, { objectMode: false }), { headers }) as unknown as IncomingMessage;
};
const digest = (parts: readonly Part[], boundary = 'b', piece = 1000): Promise<string> =>
  digestOf(requestOf(formOf(parts, boundary), boundary, piece), SECRET, 1e6);

const front: Part = ['DocumentFront', Buffer.from('front')];
const back: Part = ['DocumentBack', Buffer.from('back')];

describe('the digest of an upload', () => {
  test('is the same for the same parts, whatever the boundary and the pieces they come in', async () => {
    const content = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
    const boundary = fc.stringMatching(/^[a-zA-Z]{12,20}$/);
    await fc.assert(
      fc.asyncProperty(content, content, boundary, fc.integer({ min: 1, max: 400 }), async (one, two, other, piece) => {
        const parts: Part[] = [
          ['DocumentFront', one],
          ['DocumentBack', two],
        ];
        expect(await digest(parts, other, piece)).toBe(await digest(parts, 'BOUNDARYBOUNDARY', 1000));
      }),
      { numRuns: 50 },
    );
  });

  test('differs for other bytes, names, order or number of parts, and under another key', async () => {
    const others = await Promise.all([
      digest([front, back]),
      digest([back, front]),
      digest([front]),
      digest([front, back, back]),
      digest([front, ['DocumentBack', Buffer.from('bacK')]]),
      digest([front, ['Portrait', back[1]]]),
      digest([]),
      digestOf(requestOf(formOf([front, back], 'b'), 'b'), Buffer.from('another'), 1e6),
    ]);
    expect(new Set(others).size).toBe(others.length);
  });

  test('does not exist for a form without its end, nor for more bytes than a form may have', async () => {
    const whole = formOf([front], 'b');
    await expect(digestOf(requestOf(whole.subarray(0, -8), 'b'), SECRET, 1e6)).rejects.toMatchObject({ status: 400 });
    await expect(digestOf(requestOf(whole, 'b'), SECRET, whole.length - 1)).rejects.toMatchObject({ status: 413 });
    await expect(digestOf(requestOf(whole, 'b'), SECRET, whole.length)).resolves.toMatch(/^[0-9a-f]{64}$/);
  });

  test('is computed while the bytes pass unchanged, also for a body that is no form', async () => {
    for (const body of [formOf([front, back], 'b'), Buffer.from('no form at all')]) {
      const along = readAlong(requestOf(body, 'b', 3), SECRET);
      expect(await buffer(along.stream)).toEqual(body);
      expect(along.isWhole()).toBe(body.includes('front'));
    }
  });
});
