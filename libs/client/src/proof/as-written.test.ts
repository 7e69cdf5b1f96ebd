import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { isInOrder, readProof } from './contents.ts';
import { readKeys } from './keys.ts';
import { inspectProof, verifyProof } from './verify-proof.ts';

/*
 * What both headers of an entry say in agreement is what the service wrote, or the archive was
 * packed again as a whole.
 */

const folder = join(import.meta.dirname, '../../test-vectors');
const keys = readKeys(readFileSync(join(folder, 'jwks.json'), 'utf8'));
const good = readFileSync(join(folder, 'good.zip'));

const recordsOf = (bytes: Buffer): number[] => {
  const records: number[] = [];
  for (let at = bytes.readUInt32LE(bytes.length - 6); at < bytes.length - 22; at += 46 + bytes.readUInt16LE(at + 28))
    records.push(at);
  return records;
};

/** The archive with one bit changed in both headers of these entries. */
const changed = (records: readonly number[], field: number, bit: number): Buffer => {
  const copy = Buffer.from(good);
  for (const record of records)
    for (const at of [record + field, copy.readUInt32LE(record + 42) + field - 2]) copy[at]! ^= bit;
  return copy;
};

const FIELDS = { flags: 8, 'higher flags': 9, time: 12, date: 14, 'higher byte of the date': 15 };

describe.each(Object.entries(FIELDS))('%s', (_name, field) => {
  test.each([2, 4, 16, 128])('changed by %i in both headers of one entry are refused', async (bit) => {
    const { reasons } = await verifyProof(changed(recordsOf(good).slice(1, 2), field, bit), keys);
    expect(reasons).toEqual([expect.objectContaining({ check: 'zip', reason: 'the header of an entry was altered' })]);
  });

  test('changed in all headers are those of an archive that was packed again', async () => {
    expect(await verifyProof(changed(recordsOf(good), field, 2), keys)).toMatchObject({ ok: true, repacked: true });
  });
});

test('an archive in another order was packed again, one as the service wrote it was not', async () => {
  expect(await verifyProof(good, keys)).toMatchObject({ ok: true, repacked: false });
  expect(await verifyProof(join(folder, 'good-reordered.zip'), keys)).toMatchObject({ ok: true, repacked: true });
});

test('entries in another order than the directory lists them were packed again', async () => {
  const records = recordsOf(good);
  const begin = records[0]!;
  const each = records.map((at, index) => good.subarray(at, records[index + 1] ?? good.length - 22));
  const archive = Buffer.concat([good.subarray(0, begin), ...each.toReversed(), good.subarray(-22)]);
  expect(await verifyProof(archive, keys)).toMatchObject({ ok: true, repacked: true });
});

test('media in another order than proof.json lists them are in another order', async () => {
  const { contents } = await inspectProof(good, keys);
  const proof = readProof(contents!.json['proof.json']);
  const [first, second] = proof.hashes.images!;
  const swapped = contents!.files.map((file) =>
    file.path === first!.path ? second! : file.path === second!.path ? first! : file,
  );
  expect(isInOrder(proof, contents!.files)).toBe(true);
  expect(isInOrder(proof, swapped)).toBe(false);
});
