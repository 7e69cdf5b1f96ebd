import type { EvidenceStore } from './store/evidences.ts';
import type { MediaStore, Medium } from './store/media.ts';
import type { Tombstones } from './store/tombstones.ts';
import type { Vault } from './vault.ts';

export interface PurgeParts {
  evidences: EvidenceStore;
  media: MediaStore;
  tombstones: Tombstones;
  vault: Vault;
}

export type Purge = (identityId: string, forgetAt: Date) => Promise<void>;
export type LetGo = (identityId: string, archiveId: string) => Promise<void>;

const isHeld = ({ heldBy = [] }: Medium): boolean => heldBy.length > 0;

/**
 * Removes all that is kept of an identity but the media of its archive, which stay sealed under keys that only the archive has, until it lets go. The tombstone
 * comes first: a submission that is being recorded at this moment either was written before, and is removed here, or sees the tombstone after its write, and
 * removes itself. An archive that lets go at this moment either did so before, or meets the tombstone and removes what it held.
 */
export const createPurge =
  ({ evidences, media, tombstones, vault }: PurgeParts): Purge =>
  async (identityId, forgetAt) => {
    await tombstones.put(identityId, forgetAt);
    const all = await media.ofIdentity(identityId);
    await vault.discard(all.filter((medium) => !isHeld(medium)));
    const held = all.filter(isHeld).map(({ _id }) => _id);
    if (held.length > 0) await media.leave(held, forgetAt);
    await evidences.removeAll(identityId);
  };

/** An archive has come to its end: what it held goes with it, unless the identity is open. May be repeated. */
export const createLetGo =
  ({ media, tombstones, vault }: Omit<PurgeParts, 'evidences'>): LetGo =>
  async (identityId, archiveId) => {
    await media.letGo(identityId, archiveId);
    if (!(await tombstones.has(identityId))) return;
    await vault.discard((await media.ofIdentity(identityId)).filter((medium) => !isHeld(medium)));
  };
