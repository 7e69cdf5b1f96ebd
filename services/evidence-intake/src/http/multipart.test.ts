import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { ApiError } from '@assay/http';
import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readMultipart } from './multipart.ts';

type Part = [name: string, bytes: string];
let server: Server;
let port: number;
let aborted: unknown[];

beforeAll(async () => {
  aborted = [];
  server = createServer(async (request, response) => {
    const parts: Part[] = [];
    const outcome = await readMultipart(request, { totalBytes: 100_000, parts: 8 }, async (name, bytes) => {
      if (name === 'refuse') throw new ApiError('BAD_IMAGE', { field: name });
      parts.push([name, (await buffer(bytes)).toString('latin1')]);
    }).then(
      () => ({ parts }),
      (error: unknown) => ({ refused: error instanceof ApiError ? error.status : 'crash' }),
    );
    if (!request.complete) aborted.push(outcome);
    response.end(JSON.stringify(outcome));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(
  () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
);

const send = (
  chunks: Buffer[],
  contentType = 'multipart/form-data; boundary=B',
): Promise<{ parts?: Part[]; refused?: unknown }> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(
      { port, method: 'POST', agent: false, headers: { 'content-type': contentType } },
      (response) => buffer(response).then((bytes) => resolve(JSON.parse(bytes.toString())), reject),
    );
    request.on('error', reject);
    for (const chunk of chunks) request.write(chunk);
    request.end();
  });

const cut = (bytes: Buffer, at: number[]): Buffer[] => {
  const cuts = [...new Set(at.map((one) => one % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...cuts]
    .map((from, index) => bytes.subarray(from, cuts[index] ?? bytes.length))
    .filter(({ length }) => length > 0);
};
const body = (parts: Part[], boundary = 'B'): Buffer =>
  Buffer.from(
    `${parts.map(([name, bytes]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${bytes}\r\n`).join('')}--${boundary}--\r\n`,
    'latin1',
  );

describe('a multipart body', () => {
  const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array).toString('latin1'));
  const part = fc.tuple(
    fc.constantFrom('DocumentFront', 'x', '__proto__'),
    bytes.filter((text) => !text.includes('--B')),
  );

  test('is read the same however it is cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), fc.array(fc.nat()), async (parts, cuts) => {
        const { parts: read } = await send(cut(body(parts), cuts));
        expect([...(read ?? [])].sort()).toEqual([...parts].sort());
      }),
      { numRuns: 60 },
    );
  });

  test('may have blanks and tabs behind each boundary, and has those of its parts', async () => {
    const parts: Part[] = [
      ['DocumentFront', ' \t--B \r\n --B'],
      ['x', '\t '],
    ];
    const padded = Buffer.from(
      body(parts).toString('latin1').replaceAll('--B\r\nContent', '--B \t \r\nContent').replace(/--B--/, '--B-- \t'),
      'latin1',
    );
    expect(padded.length).toBe(body(parts).length + 8);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat()), async (cuts) => {
        expect((await send(cut(padded, cuts))).parts?.toSorted()).toEqual(parts);
      }),
      { numRuns: 40 },
    );
    const bytewise = Array.from(padded, (byte) => Buffer.from([byte]));
    expect((await send(bytewise)).parts?.toSorted()).toEqual(parts);
  });

  test.each([
    'X: y',
    'Content-Disposition: attachment; name="x"',
    `Content-Disposition: form-data; name="x"; filename*=UTF-8''a%0d%0ab`,
  ])('is read to its end if it has a part that nobody takes: %s', async (head) => {
    const wanted: Part = ['DocumentFront', 'front'];
    for (const length of [100, 16_384, 20_000, 65_000, 70_000]) {
      const skipped = Buffer.from(`--B\r\n${head}\r\n\r\n${'x'.repeat(length)}\r\n`);
      const whole = Buffer.concat([skipped, body([wanted])]);
      for (const cuts of [[], [length], [65_536]]) expect(await send(cut(whole, cuts))).toEqual({ parts: [wanted] });
    }
  });

  test('that is garbage is refused or skipped; the process survives', async () => {
    const piece = fc.constantFrom(
      '--B',
      '\r\n',
      '--',
      'Content-Disposition: form-data; name="a"',
      '__proto__: x',
      'x',
      '\r\n\r\n',
      ':',
    );
    const garbage = fc.oneof(
      fc.array(piece, { maxLength: 20 }).map((list) => list.join('')),
      bytes,
    );
    await fc.assert(
      fc.asyncProperty(garbage, fc.array(fc.nat()), async (text, cuts) => {
        const { refused } = await send(cut(Buffer.from(text, 'latin1'), cuts));
        expect([undefined, 400]).toContain(refused);
      }),
      { numRuns: 100 },
    );
  });

  test.each<[string, Buffer[], string | undefined, number]>([
    ['without a boundary', [Buffer.from('{}')], 'multipart/form-data', 400],
    [
      'with a boundary longer than any may be',
      [Buffer.from('{}')],
      `multipart/form-data; boundary=${'B'.repeat(300)}`,
      400,
    ],
    ['of another type', [Buffer.from('{}')], 'application/json', 415],
    ['of too many parts', [body(Array.from({ length: 9 }, (): Part => ['x', '']))], undefined, 400],
    [
      'over the limit',
      Array.from({ length: 30 }, (_, at) => (at === 0 ? body([['x', '']]).subarray(0, 50) : Buffer.alloc(10_000, 120))),
      undefined,
      413,
    ],
    [
      'with a part that is refused while more is coming',
      [
        body([
          ['refuse', 'a'.repeat(3000)],
          ['x', 'b'.repeat(70_000)],
        ]),
      ],
      undefined,
      400,
    ],
  ])('%s is refused', async (_what, chunks, type, status) => {
    expect(await send(chunks, type)).toEqual({ refused: status });
  });

  test('that breaks off is refused, also after the closing delimiter', async () => {
    const whole = body([['x', 'abc']]);
    const request = httpRequest({
      port,
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'multipart/form-data; boundary=B', 'content-length': whole.length + 1 },
    });
    request.on('error', () => undefined);
    request.write(whole, () => setImmediate(() => request.destroy()));
    expect(await waitFor('the outcome', () => aborted[0])).toEqual({ refused: 400 });
  });
});
