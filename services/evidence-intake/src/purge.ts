import type { EvidenceStore } from './store/evidences.ts';
import type { MediaStore } from './store/media.ts';
import type { Tombstones } from './store/tombstones.ts';
import type { Vault } from './vault.ts';

export type Purge = (identityId: string, forgetAt: Date) => Promise<void>;

/**
 * Removes all that is kept of an identity. The tombstone comes first: a submission that is being recorded at this moment either was written
 * before, and is removed here, or sees the tombstone after its write, and removes itself.
 */
export const createPurge =
  (parts: { evidences: EvidenceStore; media: MediaStore; tombstones: Tombstones; vault: Vault }): Purge =>
  async (identityId, forgetAt) => {
    await parts.tombstones.put(identityId, forgetAt);
    await parts.vault.discard(await parts.media.ofIdentity(identityId));
    await parts.evidences.removeAll(identityId);
  };
