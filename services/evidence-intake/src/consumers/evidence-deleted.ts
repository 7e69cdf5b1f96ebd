import { type DataOf, type Envelope, type evidenceDeleted, parseDateTime } from '@assay/contracts';
import type { MediaStorage } from '../flows/media-storage.ts';
import type { EvidenceStore } from '../store/evidences.ts';
import type { MediaStore } from '../store/media.ts';

export interface Deps {
  evidences: EvidenceStore;
  media: MediaStore;
  storage: MediaStorage;
}

/**
 * evidence.deleted: its media and crops are removed, and what was submitted with it. A repeat finds
 * nothing left to remove.
 */
export const onEvidenceDeleted =
  ({ evidences, media, storage }: Deps) =>
  async ({ identityId, data }: Envelope<DataOf<typeof evidenceDeleted>>): Promise<void> => {
    await evidences.markDeleted(data.evidenceId, identityId, parseDateTime(data.deletedAt));
    const all = await media.ofIdentity(identityId);
    await storage.withdraw(all.filter(({ evidenceId }) => evidenceId === data.evidenceId));
  };
