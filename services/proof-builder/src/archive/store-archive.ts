import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { newDataKey, sealStream, wrapKey } from '@assay/sealing';
import type { ArchiveKeys } from '../store/archive-keys.ts';
import type { Archives } from '../store/archives.ts';

/** What archives and their keys are bound to. */
export const archiveContext = (proofId: string): string => `proof|${proofId}`;

export interface StoredArchive {
  bytes: number;
  sha256: string;
}

export interface StoreArchiveNeeds {
  archives: Archives;
  archiveKeys: ArchiveKeys;
  fileId: string;
  proofId: string;
  masterKey: Buffer;
}

/** Stores a stream sealed under a key of its own, and tells the length and SHA-256 of what went in. Durable when it returns. */
export const storeArchive = async (
  zip: Readable,
  { archives, archiveKeys, fileId, proofId, masterKey }: StoreArchiveNeeds,
): Promise<StoredArchive> => {
  const key = newDataKey();
  const hash = createHash('sha256');
  let bytes = 0;
  const measured = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(zip, measured, sealStream(key, archiveContext(proofId)), archives.write(fileId));
  // Kept last: what an attempt leaves that dies before cannot be read.
  await archiveKeys.keep(fileId, wrapKey(masterKey, key, archiveContext(proofId)));
  return { bytes, sha256: hash.digest('hex') };
};
