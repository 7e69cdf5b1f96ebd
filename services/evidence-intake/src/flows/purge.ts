import type { Tombstones } from '@assay/mongo';
import type { Stored } from '../domain/medium.ts';
import type { EvidenceStore } from '../store/evidences.ts';
import type { MediaStore } from '../store/media.ts';
import type { MediaStorage } from './media-storage.ts';

export interface Deps {
  evidences: EvidenceStore;
  media: MediaStore;
  tombstones: Tombstones;
  storage: MediaStorage;
}

export type Purge = (identityId: string, forgetAt: Date) => Promise<void>;
export type Release = (identityId: string, archiveId: string) => Promise<void>;

const isRetained = ({ heldBy = [] }: Stored): boolean => heldBy.length > 0;

/**
 * Removes all that is stored of an identity but the media of its archive, which stay sealed under
 * keys that only the archive has, until it releases them. The tombstone comes first: a submission
 * that is being recorded at this moment either was written before, and is removed here, or sees the
 * tombstone after its write, and removes itself. An archive that releases them at this moment
 * either did so before, or meets the tombstone and removes them.
 */
export const createPurge =
  ({ evidences, media, tombstones, storage }: Deps): Purge =>
  async (identityId, forgetAt) => {
    await tombstones.put(identityId, forgetAt);
    const all = await media.ofIdentity(identityId);
    await storage.withdraw(all.filter((medium) => !isRetained(medium)));
    const retained = all.filter(isRetained).map(({ _id }) => _id);
    if (retained.length > 0) await media.orphan(retained, forgetAt);
    await evidences.removeAll(identityId);
  };

/**
 * The archive has ended: the media of a closed identity that no other archive retains are removed.
 * May be repeated.
 */
export const createRelease =
  ({ media, tombstones, storage }: Omit<Deps, 'evidences'>): Release =>
  async (identityId, archiveId) => {
    await media.release(identityId, archiveId);
    if (!(await tombstones.has(identityId))) return;
    await storage.withdraw((await media.ofIdentity(identityId)).filter((medium) => !isRetained(medium)));
  };
