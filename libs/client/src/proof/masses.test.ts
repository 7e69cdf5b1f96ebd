import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { showProof } from '../show/show-proof.ts';
import { readKeys } from './keys.ts';
import { inspectProof, verifyProof } from './verify-proof.ts';

/*
 * Small archives from outside that name very much, or unpack to very much. They are refused as fast
 * as they can be read, with bounded memory and a readable report.
 */

const folder = join(import.meta.dirname, '../../test-vectors');
const keys = readKeys(readFileSync(join(folder, 'jwks.json'), 'utf8'));
const good = readFileSync(join(folder, 'good.zip'));

/** A header of a stored entry. The header in the directory has the position of the local one. */
const headerOf = (name: string, bytes: Buffer, place?: number): Buffer => {
  const inDirectory = place !== undefined;
  const header = Buffer.alloc(inDirectory ? 46 : 30);
  const fields = header.subarray(inDirectory ? 6 : 4);
  header.writeUInt32LE(inDirectory ? 0x02014b50 : 0x04034b50, 0);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(0x21, 8);
  fields.writeUInt32LE(crc32(bytes), 10);
  fields.writeUInt32LE(bytes.length, 14);
  fields.writeUInt32LE(bytes.length, 18);
  fields.writeUInt16LE(name.length, 22);
  if (inDirectory) header.writeUInt32LE(place, 42);
  return Buffer.concat([header, Buffer.from(name)]);
};

const zipOf = (files: readonly (readonly [string, Buffer])[]): Buffer => {
  let place = 0;
  const directory: Buffer[] = [];
  const parts = files.flatMap(([name, bytes]) => {
    directory.push(headerOf(name, bytes, place));
    const local = headerOf(name, bytes);
    place += local.length + bytes.length;
    return [local, bytes];
  });
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(place, 16);
  return Buffer.concat([...parts, ...directory, end]);
};

/** The good archive, with one of its JSON files changed. */
const archive = async (file: string, change: (json: never) => unknown): Promise<Buffer> => {
  const { contents } = await inspectProof(good, keys, { select: () => true });
  if (!contents) throw new Error('the good vector cannot be read');
  const { root, json, selected } = contents;
  const files = [...Object.entries(json), ...selected].map(([path, bytes]): [string, Buffer] => {
    const changed = path === file ? Buffer.from(JSON.stringify(change(JSON.parse(`${bytes}`) as never))) : bytes;
    return [`${root}/${path}`, changed];
  });
  return zipOf(files);
};
const many = <T>(count: number, one: (nth: number) => T): T[] => Array.from({ length: count }, (_, nth) => one(nth));

interface Named {
  hashes: object;
  signature: string;
}
const manyMedia = ({ signature, hashes, ...proof }: Named) => ({
  ...proof,
  hashes: {
    ...hashes,
    images: many(200_000, (n) => ({ hash: 'a'.repeat(64), id: `i${n}`, path: `images/i${n}.jpg` })),
  },
  signature,
});
const manyElements = ([first]: [object]) =>
  many(40_000, (n) => ({
    ...first,
    participantContextId: `x${n}`,
    identityOperation: { name: 'CONSENTS', type: 'ADD' },
  }));
const manyFaults = (identity: object) => ({ ...identity, consents: many(200_000, () => ({})) });

test.each([
  ['names 200,000 media', 'proof.json', manyMedia, ['hashes']],
  ['has 40,000 elements', 'verificationAndEvaluationDetails.json', manyElements, ['consistency', 'hashes']],
  ['is of a wrong shape in 400,000 places', 'identityDetails.json', manyFaults, ['hashes', 'schema']],
])(
  'an archive that %s is refused in time',
  async (_what, file, change, checks) => {
    const { ok, reasons } = await verifyProof(await archive(file, change), keys);
    expect(ok).toBe(false);
    expect([...new Set(reasons.map(({ check }) => check))]).toEqual(expect.arrayContaining(checks));
    expect(reasons.length).toBeLessThan(5000);
  },
  30_000,
);

test('a page contains a limited number of bytes of images and names the others', async () => {
  const imagesIn = async (most?: number) => (await showProof(good, keys, most)).html.split('<img ').length - 1;
  const all = await imagesIn();
  expect(all).toBeGreaterThan(1);
  expect(await imagesIn(0)).toBe(0);
});
