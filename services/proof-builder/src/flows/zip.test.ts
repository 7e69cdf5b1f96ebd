import { generateKeyPairSync } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fromBufferPromise } from 'yauzl';
import type { ArchiveLayout } from '../domain/archive.ts';
import { longestFlow } from '../testing/longest-flow.ts';
import { peerZip } from '../testing/peer-zip.ts';
import { archiveOf, planOf } from '../testing/plan-of.ts';
import { sizeOf, zipOf } from './zip.ts';
import { endOfDirectory } from './zip-records.ts';

const LOCAL_HEADER = 0x04034b50;
const DESCRIPTOR = 8;

/**
 * The entries as a program sees them that reads an archive as a stream, without its directory, such
 * as java.util.zip.ZipInputStream.
 */
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

  test('can be read as a stream: every header has size and CRC-32 of what follows', async () => {
    const plan = planOf(flow);
    const entries = asItComes(await archiveOf(flow, plan, pem));
    expect(entries.filter(({ deferred }) => deferred)).toEqual([]);
    expect(entries.map(({ name }) => name)).toEqual([
      ...['proof', 'identityDetails', 'verificationAndEvaluationDetails'].map((name) => `${plan.root}/${name}.json`),
      ...plan.media.map(({ path }) => `${plan.root}/${path}`),
    ]);
  });

  test('has a data descriptor after a medium whose CRC-32 was not stored with it', async () => {
    const plan = planOf(flow);
    const media = plan.media.map(({ path, reference: { crc32: _, ...reference } }) => ({ path, reference }));
    const entries = asItComes(await archiveOf(flow, { ...plan, media }, pem));
    expect(entries.map(({ deferred }) => deferred)).toEqual([false, false, false, true]);
  });
});

const TIMES = { min: new Date('1980-01-02T00:00:00Z'), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true };
const layoutOf = (sizes: readonly number[], endedAt: string): ArchiveLayout => ({
  root: 'r\u00f6\u00f6t',
  endedAt,
  files: [{ path: 'proof.json', content: '{"name":"\u00dcn\u00ef"}' }],
  media: sizes.map((bytes, at) => ({ path: `images/${at}.jpg`, mediaId: String(at), bytes })),
});

/** The same archive as yazl writes it. The content of a medium is requested when its turn comes. */
const peerOf = ({ root, endedAt, files, media }: ArchiveLayout, open: (mediaId: string) => Readable) => {
  const peer = peerZip(new Date(endedAt));
  for (const { path, content } of files) peer.addBuffer(`${root}/${path}`, Buffer.from(content));
  for (const { path, mediaId, bytes } of media) peer.addStream(`${root}/${path}`, bytes, () => open(mediaId));
  return peer.end();
};

describe('the writer of archives', () => {
  test('writes what yazl writes, byte for byte', async () => {
    const contents = fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(contents, fc.date(TIMES), async (media, at) => {
        const layout = layoutOf(
          media.map(({ length }) => length),
          at.toISOString(),
        );
        const open = (mediaId: string) => Readable.from([Buffer.from(media[Number(mediaId)]!)]);
        const own = await buffer(zipOf(layout, async (mediaId) => open(mediaId)));
        expect(own.equals(await buffer(peerOf(layout, open).output))).toBe(true);
        expect(own).toHaveLength(sizeOf(layout));
      }),
      { numRuns: 100 },
    );
  });

  test.each([
    ['a medium of 4 GiB', [0xffffffff]],
    ['a medium that begins beyond 4 GiB', [3e9, 3e9, 1]],
    ['a directory that begins beyond 4 GiB', [3e9, 2e9]],
  ])('writes as many bytes as yazl for %s', async (_what, sizes) => {
    const layout = layoutOf(sizes, '2026-03-02T10:30:00.000Z');
    const { output, size } = peerOf(layout, () => new Readable({ read: () => undefined }));
    expect(sizeOf(layout)).toBe(await size);
    output.destroy();
  });

  test.each([65_534, 65_535, 100_000])('tells readers of archives that it has %d entries', async (entries) => {
    const { entryCount } = await fromBufferPromise(endOfDirectory({ entries, offset: 0, size: 0 }));
    expect(entryCount).toBe(entries);
  });

  test.each([
    ['shorter than it was said to be', { bytes: 4 }],
    ['longer than it was said to be', { bytes: 2 }],
    ['of another CRC-32', { crc32: crc32(Buffer.from('xyz')) }],
  ])('breaks on a medium %s', async (_what, said) => {
    const layout = layoutOf([3], '2026-03-02T10:30:00.000Z');
    const media = layout.media.map((medium) => ({ ...medium, ...said }));
    const open = async () => Readable.from([Buffer.from('abc')]);
    await expect(buffer(zipOf({ ...layout, media }, open))).rejects.toThrow('images/0.jpg has');
  });
});
