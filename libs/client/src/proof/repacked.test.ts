import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { PROOF_PART_NAME } from '@assay/contracts';
import { expect, test } from '@jest/globals';
import { readKeys } from './keys.ts';
import { UnusableInput } from './report.ts';
import { inspectProof, verifyProof } from './verify-proof.ts';

/*
 * A proof that was packed again with the same entries is good. One that unpacks to anything else in
 * any program is refused, and no bytes from outside crash the verifier.
 */

const folder = join(import.meta.dirname, '../../test-vectors');
const keys = readKeys(readFileSync(join(folder, 'jwks.json'), 'utf8'));
const good = readFileSync(join(folder, 'good.zip'));

interface Packing {
  system?: number;
  mode?: number;
  localExtra?: (name: Buffer, packed: number, bytes: number) => Buffer;
  /** The header before the data leaves both sizes to its extra fields. */
  isWide?: boolean;
  behindData?: Buffer;
}
type Files = readonly (readonly [string, Buffer])[];

/** A ZIP as another program writes it: files deflated, folders stored. */
const pack = (
  files: Files,
  { system = 3, mode, localExtra, isWide, behindData = Buffer.alloc(0) }: Packing = {},
): Buffer => {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  for (const [path, bytes] of files) {
    const isFolder = path.endsWith('/');
    const name = Buffer.from(path);
    const packed = isFolder ? bytes : Buffer.concat([deflateRawSync(bytes), behindData]);
    const extra = localExtra?.(name, packed.length, bytes.length) ?? Buffer.alloc(0);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(isFolder ? 0 : 8, 4);
    fields.writeUInt16LE(0x21, 8);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const record = Buffer.alloc(46);
    record.writeUInt32LE(0x02014b50, 0);
    record.writeUInt16LE(system * 256 + 30, 4);
    fields.copy(record, 6);
    record.writeUInt32LE((mode ?? (isFolder ? 0o040755 : 0o100644)) * 0x10000, 38);
    record.writeUInt32LE(Buffer.concat(parts).length, 42);
    fields.writeUInt16LE(extra.length, 24);
    if (isWide) fields.fill(0xff, 14, 22);
    parts.push(Buffer.from('PK\x03\x04'), fields, name, extra, packed);
    directory.push(record, name);
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(Buffer.concat(parts).length, 16);
  return Buffer.concat([...parts, ...directory, end]);
};

const unpack = async (): Promise<{ root: string; files: Files }> => {
  const { contents } = await inspectProof(good, keys, { select: () => true });
  if (!contents) throw new Error('the good vector cannot be read');
  const { root, json, selected } = contents;
  return { root, files: [...Object.entries(json), ...selected].map(([path, bytes]) => [`${root}/${path}`, bytes]) };
};

const field = (id: number, data: Buffer): Buffer => {
  const header = Buffer.alloc(4);
  header.writeUInt16LE(id, 0);
  header.writeUInt16LE(data.length, 2);
  return Buffer.concat([header, data]);
};
/** Info-ZIP's field for a Unicode name, which applies if it has the CRC of the plain name. */
const otherName = (name: Buffer): Buffer => {
  const head = Buffer.alloc(5, 1);
  head.writeUInt32LE(crc32(name), 1);
  return field(0x7075, Buffer.concat([head, Buffer.from('evil/'), name]));
};

test('a proof that another program packed again, with its folders and times, is good', async () => {
  const { root, files } = await unpack();
  const folders: Files = [
    [`${root}/`, Buffer.alloc(0)],
    [`${root}/images/`, Buffer.alloc(0)],
  ];
  const report = await verifyProof(
    pack([...folders, ...files], { localExtra: () => field(0x5455, Buffer.alloc(5)) }),
    keys,
  );
  expect(report.reasons).toEqual([]);
  expect((await verifyProof(pack(files, { system: 0, mode: 0 }), keys)).reasons).toEqual([]);
});

test.each([2, 3, 5, 16, 30])('links are refused, whatever system the entry names (%i)', async (system) => {
  const { files } = await unpack();
  const { ok, reasons } = await verifyProof(pack(files, { system, mode: 0o120777 }), keys);
  expect(ok).toBe(false);
  expect(reasons).toEqual([
    expect.objectContaining({ check: 'zip', reason: 'an entry is neither a file nor a folder' }),
  ]);
});

test('a second name before the data is refused', async () => {
  const { files } = await unpack();
  const { reasons } = await verifyProof(pack(files, { localExtra: otherName }), keys);
  expect(reasons).toEqual([expect.objectContaining({ check: 'zip', reason: 'an entry has a second name' })]);
});

/** ZIP64's field of a local header. */
const sizes = (packed: number, bytes: number): Buffer => {
  const data = Buffer.alloc(16);
  data.writeBigUInt64LE(BigInt(bytes), 0);
  data.writeBigUInt64LE(BigInt(packed), 8);
  return field(1, data);
};

test.each([
  ['the same', (packed: number, bytes: number) => sizes(packed, bytes), []],
  ['less', (_packed: number, bytes: number) => sizes(4, bytes), ['local header and central directory differ: size']],
  ['nothing', () => Buffer.alloc(0), ['local header and central directory differ: size']],
  [
    'two things',
    (packed: number, bytes: number) => Buffer.concat([sizes(packed, bytes), sizes(4, 4)]),
    ['local header and central directory differ: size'],
  ],
])('sizes in the wide field in front of the data are believed by unzip: %s', async (_says, fieldOf, refused) => {
  const { files } = await unpack();
  const archive = pack(files, { isWide: true, localExtra: (_name, packed, bytes) => fieldOf(packed, bytes) });
  expect((await verifyProof(archive, keys)).reasons.map(({ reason }) => reason)).toEqual(refused);
});

test.each(['\r\n', '\n', ''])(
  'a boundary that stands within the archive, where a reader of the envelope ends the part, is refused: %j',
  async (line) => {
    const { root, files } = await unpack();
    const archive = pack(files, { localExtra: () => field(0x5455, Buffer.from(`${line}--B--\r\n`)) });
    const envelope = (boundary: string): Buffer =>
      Buffer.concat([
        Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${PROOF_PART_NAME}"; `),
        Buffer.from(`filename="${root}.zip"\r\nContent-Type: application/zip\r\n\r\n`),
        archive,
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ]);
    expect((await verifyProof(envelope('another'), keys)).reasons).toEqual([]);
    const { reasons } = await verifyProof(envelope('B'), keys);
    expect(reasons).toEqual([{ check: 'envelope', reason: 'the boundary of the envelope stands within the archive' }]);
  },
);

test('bytes after the data of an entry are refused', async () => {
  const { files } = await unpack();
  const { reasons } = await verifyProof(pack(files, { behindData: Buffer.from('hidden') }), keys);
  expect(reasons).toEqual([
    expect.objectContaining({ check: 'zip', reason: 'there are bytes behind the data of an entry' }),
  ]);
});

test.each(['evil/', 'proof.json/', 'images/none/'])('a folder without files is refused: %s', async (path) => {
  const { root, files } = await unpack();
  const { reasons } = await verifyProof(pack([[`${root}/${path}`, Buffer.alloc(0)], ...files]), keys);
  expect(reasons).toEqual([expect.objectContaining({ check: 'zip', reason: 'a folder that no file is in' })]);
});

test.each(['null', '[]', '7', '{"alg":{"toString":1}}', `{"alg":${'['.repeat(50_000)}${']'.repeat(50_000)}}`])(
  'an invalid header of the signature is refused: %.30s',
  async (header) => {
    const { root, files } = await unpack();
    const altered = files.map(([path, bytes]): [string, Buffer] => {
      if (path !== `${root}/proof.json`) return [path, bytes];
      const proof = JSON.parse(`${bytes}`) as { signature: string };
      const rest = proof.signature.slice(proof.signature.indexOf('.'));
      return [
        path,
        Buffer.from(JSON.stringify({ ...proof, signature: Buffer.from(header).toString('base64url') + rest })),
      ];
    });
    const { reasons } = await verifyProof(pack(altered), keys);
    expect(reasons.map(({ check }) => check)).toEqual(['signature']);
  },
);

test.each(['[null]', '[1,"x",{"code":{"toString":1}}]', '[{"message":["a"]}]'])(
  'an error reply of any shape is no proof: %s',
  async (errors) => {
    const reply = Buffer.from(`{"status":403,"errors":${errors}}`);
    await expect(verifyProof(reply, keys)).rejects.toThrow(UnusableInput);
  },
);

test.each([
  ['identityDetails.json', (unit: string) => `{"consents":[${unit}]}`],
  ['verificationAndEvaluationDetails.json', (unit: string) => `[${unit}]`],
  ['proof.json', (unit: string) => `{"ips":[${unit}]}`],
])('%s of millions of values is refused before it is parsed', async (file, text) => {
  const { root, files } = await unpack();
  const noise = Array.from(
    { length: 3000 },
    (_, n) => `"${crc32(`${n}`)}${crc32(`x${n}`)}",${'{},'.repeat(1000)}`,
  ).join('');
  const altered = files.map(([path, bytes]): [string, Buffer] => [
    path,
    path === `${root}/${file}` ? Buffer.from(text(`${noise}{}`)) : bytes,
  ]);
  const { ok, reasons } = await verifyProof(pack(altered), keys);
  expect(ok).toBe(false);
  expect(reasons).toContainEqual({ check: 'schema', reason: 'more values than a proof has', where: file });
});

test('of very many faults of shape the first is reported', async () => {
  const { root, files } = await unpack();
  const altered = files.map(([path, bytes]): [string, Buffer] => [
    path,
    path === `${root}/verificationAndEvaluationDetails.json` ? Buffer.from(`[${'{},'.repeat(60_000)}{}]`) : bytes,
  ]);
  const { reasons } = await verifyProof(pack(altered), keys);
  expect(reasons.filter(({ check }) => check === 'schema')).toHaveLength(1);
});
