import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type Blobs, writeThrough } from '@assay/mongo';
import { newDataKey, openStream, type SealingKeys, sealStream } from '@assay/sealing';
import type { ArchiveLayout } from '../domain/archive.ts';
import type { ArchiveKeys } from '../store/archive-keys.ts';

/**
 * What is stored of an archive: its layout, and the keys of its media, base64 by media id. The
 * media themselves stay with evidence-intake.
 */
interface StoredLayout {
  layout: ArchiveLayout;
  mediaKeys: Record<string, string>;
}

export interface Layouts {
  /** Stores a layout sealed under a key of its own. Durable when it resolves. */
  add(archiveId: string, proofId: string, stored: StoredLayout): Promise<void>;
  /** Undefined once its key is destroyed. */
  find(archiveId: string, proofId: string): Promise<StoredLayout | undefined>;
  /** Destroys the key: from now on neither the layout nor the media can be read by anyone. */
  destroyKey(archiveId: string): Promise<void>;
  remove(archiveIds: readonly string[]): Promise<void>;
}

const contextOf = (proofId: string): string => `proof|${proofId}`;

export const createLayouts = ({
  blobs,
  keys,
  sealing,
}: {
  blobs: Blobs;
  keys: ArchiveKeys;
  sealing: SealingKeys;
}): Layouts => ({
  add: async (archiveId, proofId, stored) => {
    const key = newDataKey();
    const context = contextOf(proofId);
    const bytes = Readable.from([Buffer.from(JSON.stringify(stored))]);
    await writeThrough(blobs, archiveId, bytes, sealStream(key, context));
    // Stored last: without its key, nothing that an interrupted attempt left can be read.
    await keys.add(archiveId, sealing.seal(context, key));
  },
  find: async (archiveId, proofId) => {
    const wrapped = await keys.find(archiveId);
    if (!wrapped) return undefined;
    const context = contextOf(proofId);
    const key = sealing.open(context, wrapped);
    return (await pipeline(blobs.read(archiveId), openStream(key, context), json)) as StoredLayout;
  },
  destroyKey: (archiveId) => keys.destroy(archiveId),
  remove: (archiveIds) => blobs.remove(archiveIds),
});
