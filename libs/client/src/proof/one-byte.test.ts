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

/** A ZIP with the end and directory records that it would have above 4 GB. */
const asZip64 = (bytes: Buffer): Buffer => {
  const { files, records } = partsOf(bytes);
  const wide = records.map((record) => wideRecord(record));
  const directory = Buffer.concat(wide);
  const end64 = Buffer.alloc(56 + 20 + 22);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(44n, 4);
  end64.writeUInt16LE(0x033f, 12);
  end64.writeUInt16LE(45, 14);
  end64.writeBigUInt64LE(BigInt(wide.length), 24);
  end64.writeBigUInt64LE(BigInt(wide.length), 32);
  end64.writeBigUInt64LE(BigInt(directory.length), 40);
  end64.writeBigUInt64LE(BigInt(files.length), 48);
  end64.writeUInt32LE(0x07064b50, 56);
  end64.writeBigUInt64LE(BigInt(files.length + directory.length), 64);
  end64.writeUInt32LE(1, 72);
  end64.writeUInt32LE(0x06054b50, 76);
  end64.fill(0xff, 84, 96);
  return Buffer.concat([files, directory, end64]);
};

const partsOf = (bytes: Buffer): { files: Buffer; records: Buffer[] } => {
  const begin = bytes.readUInt32LE(bytes.length - 6);
  const records: Buffer[] = [];
  for (let at = begin; at < bytes.length - 22; at += records.at(-1)!.length)
    records.push(bytes.subarray(at, at + 46 + bytes.readUInt16LE(at + 28)));
  return { files: bytes.subarray(0, begin), records };
};

/** Changes all records except the first: archives above 4 GB have both kinds. */
const wideRecord = (record: Buffer): Buffer => {
  if (record.readUInt32LE(42) === 0) return record;
  const field = Buffer.alloc(28);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(24, 2);
  field.writeBigUInt64LE(BigInt(record.readUInt32LE(24)), 4);
  field.writeBigUInt64LE(BigInt(record.readUInt32LE(20)), 12);
  field.writeBigUInt64LE(BigInt(record.readUInt32LE(42)), 20);
  const wide = Buffer.concat([record, field]);
  wide.writeUInt16LE(45, 6);
  wide.fill(0xff, 20, 28);
  wide.writeUInt16LE(28, 30);
  wide.fill(0xff, 42, 46);
  return wide;
};

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at);
const directoryOf = (bytes: Buffer): number[] =>
  range(bytes.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02])), bytes.length);
const headersOf = (bytes: Buffer): number[] =>
  partsOf(bytes).records.flatMap((record) => {
    const at = record.readUInt32LE(42);
    return range(at, at + 30 + record.readUInt16LE(28));
  });

test.each([
  ['headers and directory of the archive', zip, [...headersOf(zip), ...directoryOf(zip)]],
  ['directory and ends of a ZIP64 archive', asZip64(zip), directoryOf(asZip64(zip))],
])(
  'every byte is verified: %s',
  async (_what, bytes, places) => {
    expect((await verifyProof(bytes, keys)).reasons).toEqual([]);
    const accepted: number[] = [];
    for (const at of places) if (!(await isRefused(altered(bytes, at, 1)))) accepted.push(at);
    expect(accepted).toEqual([]);
  },
  240_000,
);

test('an unneeded ZIP64 end is refused: programs would read different directories', async () => {
  const { files, records } = partsOf(zip);
  const hidden = asZip64(zip).subarray(-98, -22);
  const field = Buffer.from([0x99, 0x99, hidden.length, 0]);
  const last = Buffer.concat([records.at(-1)!, field, hidden]);
  last.writeUInt16LE(field.length + hidden.length, 30);
  const directory = Buffer.concat([...records.slice(0, -1), last]);
  const end = Buffer.from(zip.subarray(-22));
  end.writeUInt32LE(directory.length, 12);
  const { reasons } = await verifyProof(Buffer.concat([files, directory, end]), keys);
  expect(reasons.map(({ reason }) => reason).join()).toContain('two directories');
});

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
