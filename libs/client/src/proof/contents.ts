import { createHash } from 'node:crypto';
import { pipeline, type Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { countValues, firstViolationOf, type Proof, type ProofMedia, ProofSchema } from '@assay/contracts';
import { STORED } from './as-written.ts';
import { repeated } from './lookups.ts';
import { type ProofFile, type Reason, Refusal } from './report.ts';
import type { ZipEntry, ZipLayout } from './zip-layout.ts';

const JSON_FILES = ['proof.json', 'identityDetails.json', 'verificationAndEvaluationDetails.json'] as const;
type JsonFile = (typeof JSON_FILES)[number];
const JSON_LIMIT = 64 * 1024 * 1024;

/** Everything the archive holds: the JSON files whole, of all others length and SHA-256. */
export interface Contents {
  root: string;
  json: Record<JsonFile, Buffer>;
  files: ProofFile[];
  /** Files kept whole because they were asked for, by path below the root folder. */
  selected: Map<string, Buffer>;
}

export interface ReadOptions {
  /** Told of each file as it was read. */
  onFile?: ((file: ProofFile) => void) | undefined;
  /** Which files other than JSON to keep whole, by path and size. */
  select?: (path: string, bytes: number) => boolean;
}

/** The data of an entry, and how many of its packed bytes they were made of once they are read. */
const openEntry = async (
  { zip }: ZipLayout,
  { entry }: ZipEntry,
): Promise<{ data: Readable; packedBytes: () => number }> => {
  if (entry.compressionMethod === STORED)
    return { data: await zip.openReadStreamPromise(entry), packedBytes: () => entry.compressedSize };
  const inflate = createInflateRaw();
  pipeline(await zip.openReadStreamPromise(entry, { decompress: false }), inflate, () => undefined);
  return { data: inflate, packedBytes: () => inflate.bytesWritten };
};

const readEntry = async (layout: ZipLayout, placed: ZipEntry, select: boolean) => {
  const { entry, name } = placed;
  const hash = createHash('sha256');
  const chunks: Buffer[] = [];
  let crc = 0;
  let bytes = 0;
  let packed = 0;
  try {
    const { data, packedBytes } = await openEntry(layout, placed);
    for await (const chunk of data) {
      const block = chunk as Buffer;
      if (bytes + block.length > entry.uncompressedSize) throw new RangeError('more bytes than the entry says');
      hash.update(block);
      crc = crc32(block, crc);
      bytes += block.length;
      if (select) chunks.push(block);
    }
    packed = packedBytes();
  } catch {
    throw new Refusal('the data of an entry cannot be unpacked', name);
  }
  if (crc >>> 0 !== entry.crc32 || bytes !== entry.uncompressedSize)
    throw new Refusal('the CRC of an entry is wrong', name);
  if (packed !== entry.compressedSize) throw new Refusal('there are bytes behind the data of an entry', name);
  return { bytes, sha256: hash.digest('hex'), content: Buffer.concat(chunks) };
};

const rootOf = (entries: readonly ZipEntry[]): string => {
  const roots = new Set(entries.map(({ name }) => name.slice(0, name.indexOf('/') + 1)));
  const [root] = roots;
  if (roots.size !== 1 || !root) throw new Refusal('the archive has not exactly one root folder');
  return root.slice(0, -1);
};

/** Reads every entry once. */
export const readContents = async (layout: ZipLayout, { onFile, select }: ReadOptions = {}): Promise<Contents> => {
  const root = rootOf(layout.entries);
  const files: ProofFile[] = [];
  const json: Partial<Record<JsonFile, Buffer>> = {};
  const contents = new Map<string, Buffer>();
  for (const entry of layout.entries.filter(({ isFolder }) => !isFolder)) {
    const path = entry.name.slice(root.length + 1);
    const size = entry.entry.uncompressedSize;
    const jsonFile = JSON_FILES.find((name) => name === path);
    if (jsonFile && size > JSON_LIMIT) throw new Refusal('a JSON file is too large', path);
    const wanted = select?.(path, size) ?? false;
    const { bytes, sha256, content } = await readEntry(layout, entry, wanted || jsonFile !== undefined);
    if (jsonFile) json[jsonFile] = content;
    else if (wanted) contents.set(path, content);
    files.push({ path, bytes, sha256 });
    onFile?.(files.at(-1)!);
  }
  for (const name of JSON_FILES) if (!json[name]) throw new Refusal('a file is missing', name);
  return { root, json: json as Record<JsonFile, Buffer>, files, selected: contents };
};

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Values of one JSON file: several times those of the largest proof that the limits of one identity
 * allow.
 */
const MOST_VALUES = 2_000_000;

/** Parses a JSON file of the archive. */
export const parseJson = (bytes: Buffer, where: string): unknown => {
  if (countValues(bytes) > MOST_VALUES) throw new Refusal('more values than a proof has', where);
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new Refusal('not JSON in UTF-8', where);
  }
};

/**
 * proof.json, which must be exactly as the format has it: minimized, of the published shape, and
 * the signature its last member.
 */
export const readProof = (bytes: Buffer): Proof => {
  const parsed = parseJson(bytes, 'proof.json');
  const [violation] = firstViolationOf(ProofSchema, parsed);
  if (violation) throw new Refusal(`proof.json: ${violation.field} ${violation.message}`, 'proof.json');
  if (JSON.stringify(parsed) !== bytes.toString('utf8')) throw new Refusal('not minimized JSON', 'proof.json');
  const proof = parsed as Proof;
  if (Object.keys(proof).at(-1) !== 'signature')
    throw new Refusal('the signature is not the last member', 'proof.json');
  return proof;
};

/** Media that proof.json names, with the folder they must be in. */
export const namedMedia = ({ hashes }: Proof): { media: ProofMedia; folder: string }[] =>
  (['images', 'videos', 'additionalFiles'] as const).flatMap((folder) =>
    (hashes[folder] ?? []).map((media) => ({ media, folder })),
  );

/**
 * Whether files lie in the order in which the service writes them: the JSON files, then each list
 * of media as proof.json has it.
 */
export const isInOrder = (proof: Proof, files: readonly Pick<ProofFile, 'path'>[]): boolean => {
  const paths = files.map(({ path }) => path);
  const places = new Map(paths.map((path, at) => [path, at]));
  const lists = (['images', 'videos', 'additionalFiles'] as const).map((list) =>
    (proof.hashes[list] ?? []).map(({ path }) => places.get(path) ?? 0),
  );
  const isRising = (list: readonly number[]): boolean => list.every((place, at) => at === 0 || place > list[at - 1]!);
  return JSON_FILES.every((name, at) => paths[at] === name) && lists.every(isRising);
};

/** A file of a chip is in the folder of its evidence, under its own name. */
export const chipFileOf = (path: string): { evidenceId: string; name: string } | undefined => {
  const [, evidenceId, name] = /^chip\/([\w-]+)\/([a-z0-9-]+\.(?:bin|json))$/.exec(path) ?? [];
  return evidenceId && name ? { evidenceId, name } : undefined;
};

const isInPlace = ({ media: { path, id }, folder }: ReturnType<typeof namedMedia>[number]): boolean =>
  (path.startsWith(`${folder}/${id}.`) && path.split('/').length === 2) ||
  (folder === 'additionalFiles' && chipFileOf(path) !== undefined);

/**
 * Compares the files of the archive with what proof.json says: each named once, each there, each
 * with its hash, and nothing else.
 */
export const compareHashes = (proof: Proof, files: readonly ProofFile[]): Reason[] => {
  const media = namedMedia(proof);
  const expected = new Map([
    ['identityDetails.json', proof.hashes.identityDetails],
    ['verificationAndEvaluationDetails.json', proof.hashes.verificationAndEvaluationDetails],
    ...media.map(({ media: { path, hash } }) => [path, hash] as const),
  ]);
  const found = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  const reason = (text: string, where: string): Reason => ({ check: 'hashes', reason: text, where });
  return [
    ...repeated(media.map(({ media: { path } }) => path)).map((path) =>
      reason('a path is named twice in proof.json', path),
    ),
    ...repeated(media.map(({ media: { id } }) => id)).map((id) => reason('an id is named twice in proof.json', id)),
    ...media
      .filter((named) => !isInPlace(named))
      .map(({ media: { path } }) => reason('a path is not folder/<id>.<extension> nor a file of a chip', path)),
    ...[...expected.keys()].filter((path) => !found.has(path)).map((path) => reason('a file is missing', path)),
    ...[...found.keys()]
      .filter((path) => path !== 'proof.json' && !expected.has(path))
      .map((path) => reason('a file that proof.json does not name', path)),
    ...[...expected]
      .filter(([path, hash]) => found.has(path) && found.get(path) !== hash)
      .map(([path]) => reason('the file is not the one that was signed: its SHA-256 differs', path)),
  ];
};
