import { type DataOf, type Envelope, type evidenceEvaluated, isStable } from '@assay/contracts';
import { mediaIds } from '../domain/medium.ts';
import type { MediaStorage } from '../flows/media-storage.ts';
import type { Evidence, EvidenceStore } from '../store/evidences.ts';
import type { Discarded, MediaStore } from '../store/media.ts';

type Settled = Pick<Evidence, '_id' | 'session' | 'media'>;

export interface Deps {
  evidences: EvidenceStore;
  media: MediaStore;
  storage: MediaStorage;
}

/** The readings of a chip to remove; for one that a former release stored, the store is asked. */
const unattachedOf = async (
  media: MediaStore,
  identityId: string,
  { _id, session, media: references }: Settled,
): Promise<readonly Discarded[]> => {
  if (session?.unattached) return session.unattached.map((reading) => ({ _id: reading }));
  const loose = await media.looseFiles(identityId, [_id]);
  const attached = new Set(references.map(({ mediaId }) => mediaId));
  return loose.filter((stored) => !mediaIds(stored).some((id) => attached.has(id)));
};

/**
 * evidence.evaluated: ends the wait of the evidences in it. One in ADJUDICATION depends on the
 * case, which has an expiry of its own. The portrait of a chip that must not be stored without a
 * consent was stored until its hash was checked: it is removed now.
 */
export const onEvidenceEvaluated =
  ({ evidences, media, storage }: Deps) =>
  async ({ identityId, data }: Envelope<DataOf<typeof evidenceEvaluated>>): Promise<void> => {
    for (const { evidenceId, evidenceRevision, status } of data.evidences) {
      if (status === 'PROCESSING') continue;
      const evidence = await evidences.settled(evidenceId, identityId, evidenceRevision);
      if (!isStable(status) || evidence?.session?.request.kind !== 'CHIP') continue;
      await storage.discard(await unattachedOf(media, identityId, evidence));
    }
  };
