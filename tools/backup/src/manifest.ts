import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** One collection of a backup. */
export interface StoredCollection {
  /** Without the prefix. */
  database: string;
  collection: string;
  documents: number;
  sha256: string;
  /** Of the file that names its indexes; backups before 0.1.0 have none. */
  metadataSha256?: string;
}

/** What a folder of a backup says of itself. */
export interface Manifest {
  format: 1;
  kind: 'state' | 'keys';
  startedAt: string;
  endedAt: string;
  /**
   * `snapshot`: all of it is the state of one moment. `in turn`: each document is as it was when it
   * was read.
   */
  moment: 'snapshot' | 'in turn';
  prefix: string;
  collections: StoredCollection[];
}

const FILE = 'manifest.json';

/** Where the documents of a collection are, and what else mongodump stores of it. */
export const filesOf = (
  folder: string,
  { prefix }: Pick<Manifest, 'prefix'>,
  { database, collection }: Pick<StoredCollection, 'database' | 'collection'>,
): { documents: string; metadata: string } => {
  const stem = join(folder, `${prefix}${database}`, collection);
  return { documents: `${stem}.bson`, metadata: `${stem}.metadata.json` };
};

export const writeManifest = (folder: string, manifest: Manifest): void =>
  writeFileSync(join(folder, FILE), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flag: 'wx' });

const hashOf = async (file: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
};

/**
 * The manifest of a folder whose files are whole, those that name the indexes too.
 * @throws naming the first file that is not what was stored, or when the folder holds something
 * else
 */
export const readWhole = async (folder: string, kind: Manifest['kind']): Promise<Manifest> => {
  const manifest = JSON.parse(readFileSync(join(folder, FILE), 'utf8')) as Manifest;
  if (manifest.format !== 1 || manifest.kind !== kind) throw new Error(`${folder} is no backup of ${kind}`);
  for (const stored of manifest.collections) {
    const { documents, metadata } = filesOf(folder, manifest, stored);
    const { sha256, metadataSha256 } = stored;
    if ((await hashOf(documents)) !== sha256) throw new Error(`${documents} is not what was stored`);
    const found = await hashOf(metadata);
    if (metadataSha256 !== undefined && found !== metadataSha256) throw new Error(`${metadata} is not what was stored`);
  }
  return manifest;
};
