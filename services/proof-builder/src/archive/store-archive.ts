import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Blobs } from '@assay/mongo';
import { newDataKey, sealStream, wrapKey } from '@assay/sealing';
import type { ArchiveKeys } from '../store/archive-keys.ts';

/** What archives and their keys are bound to. */
export const archiveContext = (proofId: string): string => `proof|${proofId}`;

export interface StoreArchiveNeeds {
  archives: Blobs;
  archiveKeys: ArchiveKeys;
  fileId: string;
  proofId: string;
  masterKey: Buffer;
}

/** Stores a stream sealed under a key of its own, and gives the number of bytes that went in. Durable when it returns. */
export const storeArchive = async (
  zip: Readable,
  { archives, archiveKeys, fileId, proofId, masterKey }: StoreArchiveNeeds,
): Promise<number> => {
  const key = newDataKey();
  let bytes = 0;
  async function* counted(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  await pipeline(zip, counted, sealStream(key, archiveContext(proofId)), (sealed: AsyncIterable<Buffer>) =>
    archives.write(fileId, sealed),
  );
  // Kept last: what an attempt leaves that dies before cannot be read.
  await archiveKeys.keep(fileId, wrapKey(masterKey, key, archiveContext(proofId)));
  return bytes;
};
