import type { Blobs } from '@assay/mongo';
import type { Clock, Log } from '@assay/runtime';
import type { ArchiveKeys } from '../store/archive-keys.ts';
import type { ProofDocument, Proofs } from '../store/proofs.ts';

export interface GraceNeeds {
  proofs: Proofs;
  archives: Blobs;
  archiveKeys: ArchiveKeys;
  now: Clock;
  log: Log;
}

/** The end of archives: the key first, then the bytes, then the record. Each step may be repeated. */
export const createGrace = ({ proofs, archives, archiveKeys, now, log }: GraceNeeds) => {
  const destroy = async ({ _id, files, identityId }: ProofDocument): Promise<void> => {
    await proofs.condemn(_id);
    for (const fileId of files) await archiveKeys.destroy(fileId);
    await archives.remove(files);
    await proofs.remove(_id);
    log.info({ msg: 'proof.destroyed', proofId: _id, identityId });
  };

  return {
    /** The identity closed: the archive that was retrieved stays for its grace period, any other goes now. */
    closed: async (identityId: string, proofId: string | undefined, closedAt: Date): Promise<void> => {
      for (const proof of await proofs.others(identityId, proofId)) await destroy(proof);
      const retrieved = proofId === undefined ? undefined : await proofs.find(proofId);
      if (retrieved) await proofs.expire(retrieved._id, new Date(closedAt.getTime() + retrieved.graceSeconds * 1000));
    },
    /** Destroys every archive whose grace period is over. */
    sweep: async (): Promise<void> => {
      for (const proof of await proofs.expired(now())) await destroy(proof);
    },
  };
};

export type Grace = ReturnType<typeof createGrace>;
