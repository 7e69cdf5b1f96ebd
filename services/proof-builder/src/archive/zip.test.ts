import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { longestFlow } from '../testing/longest-flow.ts';
import { archiveOf, planOf } from '../testing/plan-of.ts';

const LOCAL_HEADER = 0x04034b50;
const DESCRIPTOR = 8;

/** The entries as a program meets them that reads an archive as it comes, without its directory: java.util.zip.ZipInputStream is one. */
const asItComes = (bytes: Buffer): { name: string; deferred: boolean; size: number }[] => {
  const entries: { name: string; deferred: boolean; size: number }[] = [];
  for (let at = 0; bytes.readUInt32LE(at) === LOCAL_HEADER; ) {
    const nameEnd = at + 30 + bytes.readUInt16LE(at + 26);
    const size = bytes.readUInt32LE(at + 18);
    const deferred = (bytes.readUInt16LE(at + 6) & DESCRIPTOR) !== 0;
    entries.push({ name: bytes.subarray(at + 30, nameEnd).toString(), deferred, size });
    at = nameEnd + bytes.readUInt16LE(at + 28) + size;
  }
  return entries;
};

describe('an archive', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const flow = longestFlow('as it comes', { videosInProof: true });

  test('can be read as it comes: every header says size and CRC-32 of what follows', async () => {
    const plan = planOf(flow);
    const entries = asItComes(await archiveOf(flow, plan, pem));
    expect(entries.filter(({ deferred }) => deferred)).toEqual([]);
    expect(entries.map(({ name }) => name)).toEqual([
      ...['proof', 'identityDetails', 'verificationAndEvaluationDetails'].map((name) => `${plan.root}/${name}.json`),
      ...plan.media.map(({ path }) => `${plan.root}/${path}`),
    ]);
  });

  test('says behind a medium what was not taken of it when it was stored', async () => {
    const plan = planOf(flow);
    const media = plan.media.map(({ path, reference: { crc32: _, ...reference } }) => ({ path, reference }));
    const entries = asItComes(await archiveOf(flow, { ...plan, media }, pem));
    expect(entries.map(({ deferred }) => deferred)).toEqual([false, false, false, true]);
  });
});
