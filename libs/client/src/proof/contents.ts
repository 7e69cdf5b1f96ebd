import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Proof, type ProofMedia, ProofSchema, violationsOf } from '@assay/contracts';
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
  kept: Map<string, Buffer>;
}

export interface ReadOptions {
  /** Told of each file as it was read. */
  onFile?: ((file: ProofFile) => void) | undefined;
  /** Which files other than JSON to keep whole, by path and size. */
  keep?: (path: string, bytes: number) => boolean;
}

const readEntry = async ({ zip }: ZipLayout, { entry, name }: ZipEntry, keep: boolean) => {
  const hash = createHash('sha256');
  const chunks: Buffer[] = [];
  let crc = 0;
  let bytes = 0;
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      const block = chunk as Buffer;
      hash.update(block);
      crc = crc32(block, crc);
      bytes += block.length;
      if (keep) chunks.push(block);
    }
  } catch {
    throw new Refusal('the data of an entry cannot be unpacked', name);
  }
  if (crc >>> 0 !== entry.crc32 || bytes !== entry.uncompressedSize)
    throw new Refusal('the CRC of an entry is wrong', name);
  return { bytes, sha256: hash.digest('hex'), content: Buffer.concat(chunks) };
};

const rootOf = (entries: readonly ZipEntry[]): string => {
  const roots = new Set(entries.map(({ name }) => name.slice(0, name.indexOf('/') + 1)));
  const [root] = roots;
  if (roots.size !== 1 || !root) throw new Refusal('the archive has not exactly one root folder');
  return root.slice(0, -1);
};

/** Reads every entry once. */
export const readContents = async (layout: ZipLayout, { onFile, keep }: ReadOptions = {}): Promise<Contents> => {
  const root = rootOf(layout.entries);
  const files: ProofFile[] = [];
  const json: Partial<Record<JsonFile, Buffer>> = {};
  const contents = new Map<string, Buffer>();
  for (const entry of layout.entries.filter(({ isFolder }) => !isFolder)) {
    const path = entry.name.slice(root.length + 1);
    const size = entry.entry.uncompressedSize;
    const jsonFile = JSON_FILES.find((name) => name === path);
    if (jsonFile && size > JSON_LIMIT) throw new Refusal('a JSON file is too large', path);
    const wanted = keep?.(path, size) ?? false;
    const { bytes, sha256, content } = await readEntry(layout, entry, wanted || jsonFile !== undefined);
    if (jsonFile) json[jsonFile] = content;
    else if (wanted) contents.set(path, content);
    files.push({ path, bytes, sha256 });
    onFile?.(files.at(-1)!);
  }
  for (const name of JSON_FILES) if (!json[name]) throw new Refusal('a file is missing', name);
  return { root, json: json as Record<JsonFile, Buffer>, files, kept: contents };
};

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Parses a JSON file of the archive. */
export const parseJson = (bytes: Buffer, where: string): unknown => {
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
  const [violation] = violationsOf(ProofSchema, parsed);
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
