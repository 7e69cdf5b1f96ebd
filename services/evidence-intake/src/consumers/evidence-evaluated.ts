import { type DataOf, type Envelope, type evidenceEvaluated, isStable } from '@assay/contracts';
import { mediaIds } from '../domain/medium.ts';
import type { MediaStorage } from '../flows/media-storage.ts';
import type { EvidenceStore } from '../store/evidences.ts';
import type { MediaStore } from '../store/media.ts';

export interface Deps {
  evidences: EvidenceStore;
  media: MediaStore;
  storage: MediaStorage;
}

/**
 * evidence.evaluated: which evidences have had their word. One that waits for an operator is in the
 * hands of the case, which has its own expiry. A chip's portrait that nobody consented to keep was
 * stored until its hash was checked: it goes now.
 */
export const onEvidenceEvaluated =
  ({ evidences, media, storage }: Deps) =>
  async ({ identityId, data }: Envelope<DataOf<typeof evidenceEvaluated>>): Promise<void> => {
    for (const { evidenceId, evidenceRevision, status } of data.evidences) {
      if (status === 'PROCESSING') continue;
      const evidence = await evidences.settled(evidenceId, identityId, evidenceRevision);
      if (!isStable(status) || evidence?.session?.request.kind !== 'CHIP') continue;
      const loose = await media.looseFiles(identityId, [evidenceId]);
      const attached = new Set(evidence.media.map(({ mediaId }) => mediaId));
      await storage.discard(loose.filter((stored) => !mediaIds(stored).some((id) => attached.has(id))));
    }
  };
