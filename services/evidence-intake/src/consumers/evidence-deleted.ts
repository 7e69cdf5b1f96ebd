import type { DataOf, Envelope, evidenceDeleted } from '@assay/contracts';
import { parseDateTime } from '@assay/contracts';
import type { EvidenceStore } from '../store/evidences.ts';
import type { MediaStore } from '../store/media.ts';
import type { Vault } from '../vault.ts';

export interface DeletionParts {
  evidences: EvidenceStore;
  media: MediaStore;
  vault: Vault;
}

/** evidence.deleted: its media and crops are removed, and what was submitted with it. A repeat finds nothing left to remove. */
export const onEvidenceDeleted =
  ({ evidences, media, vault }: DeletionParts) =>
  async ({ identityId, data }: Envelope<DataOf<typeof evidenceDeleted>>): Promise<void> => {
    await evidences.markDeleted(data.evidenceId, identityId, parseDateTime(data.deletedAt));
    const all = await media.ofIdentity(identityId);
    await vault.discard(all.filter(({ evidenceId }) => evidenceId === data.evidenceId));
  };
