import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readKeys } from './keys.ts';
import { verifyProof } from './verify-proof.ts';

const folder = join(import.meta.dirname, '../../test-vectors');
const keys = readKeys(readFileSync(join(folder, 'jwks.json'), 'utf8'));
const zip = readFileSync(join(folder, 'good.zip'));
const envelope = readFileSync(join(folder, 'good.mime'));

const altered = (bytes: Buffer, at: number, by: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at]! ^= by;
  return copy;
};
const isRefused = async (bytes: Buffer): Promise<boolean> => {
  const { ok, reasons } = await verifyProof(bytes, keys);
  return !ok && reasons.length > 0;
};

test.each([
  ['archive', zip],
  ['envelope', envelope],
])(
  'one byte changed anywhere in the %s is refused',
  async (_name, bytes) => {
    const places = fc.record({ at: fc.nat(bytes.length - 1), by: fc.integer({ min: 1, max: 255 }) });
    await fc.assert(
      fc.asyncProperty(places, ({ at, by }) => isRefused(altered(bytes, at, by))),
      { numRuns: 300 },
    );
  },
  60_000,
);

test('every byte of the structure around the files counts', async () => {
  const directory = zip.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
  const headers = Array.from({ length: 30 }, (_, at) => at);
  const records = Array.from({ length: zip.length - directory }, (_, at) => directory + at);
  const accepted: number[] = [];
  for (const at of [...headers, ...records]) if (!(await isRefused(altered(zip, at, 1)))) accepted.push(at);
  expect(accepted).toEqual([]);
}, 120_000);

test('one byte less, or one more, is refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(zip.length - 1), fc.integer({ min: 0, max: 255 }), async (at, value) => {
      const less = Buffer.concat([zip.subarray(0, at), zip.subarray(at + 1)]);
      const more = Buffer.concat([zip.subarray(0, at), Buffer.of(value), zip.subarray(at)]);
      return (await isRefused(less)) && (await isRefused(more));
    }),
    { numRuns: 100 },
  );
}, 60_000);
