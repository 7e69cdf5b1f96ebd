import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Identity, VerificationAndEvaluationDetails } from '@assay/contracts';
import { expect, test } from '@jest/globals';
import { showProof } from '../show/show-proof.ts';
import { checkConsistency } from './consistency.ts';
import { readProof } from './contents.ts';
import { readKeys } from './keys.ts';
import { inspectProof, verifyProof } from './verify-proof.ts';

const folder = join(import.meta.dirname, '../../test-vectors');
const keys = readKeys(readFileSync(join(folder, 'jwks.json'), 'utf8'));
const good = readFileSync(join(folder, 'good.zip'));
const END = '2026-03-02T10:30:00.123';

/** The good archive with another end of proofing in proof.json, which is its first entry. */
const endedAt = (time: string): Buffer => {
  const copy = Buffer.from(good);
  copy.write(time, copy.indexOf(END));
  const begin = 30 + copy.readUInt16LE(26);
  const crc = crc32(copy.subarray(begin, begin + copy.readUInt32LE(22)));
  copy.writeUInt32LE(crc, 14);
  copy.writeUInt32LE(crc, copy.readUInt32LE(copy.length - 6) + 16);
  return copy;
};

test.each([
  '2026-13-02T10:30:00.123',
  '2026-00-02T10:30:00.123',
  '2026-03-32T10:30:00.123',
  '2026-03-02T24:30:00.123',
  '2026-03-02T10:60:00.123',
  '9999-99-99T99:99:99.999',
])('an end of proofing that is no time is refused: %s', async (time) => {
  const { ok, reasons } = await verifyProof(endedAt(time), keys);
  expect(ok).toBe(false);
  expect(reasons).toMatchObject([{ check: 'schema', reason: expect.stringContaining('endDateTime') }]);
  expect((await showProof(endedAt(time), keys)).report.ok).toBe(false);
});

test.each([
  ['2026-03-02T10:30:00', '20260302103000000'],
  ['2026-03-02T10:30:00.1', '20260302103000100'],
  ['2026-03-02T10:30:00.1234567', '20260302103000123'],
])('an end of proofing may have any digits of a second: %s', async (endDateTime, timestamp) => {
  const { contents } = await inspectProof(good, keys);
  const { json } = contents!;
  const proof = readProof(json['proof.json']);
  const files = {
    root: `${proof.identityId}_${timestamp}`,
    proof: { ...proof, endDateTime },
    identity: JSON.parse(`${json['identityDetails.json']}`) as Identity,
    elements: JSON.parse(`${json['verificationAndEvaluationDetails.json']}`) as VerificationAndEvaluationDetails[],
  };
  expect(checkConsistency(files)).toEqual([]);
});
