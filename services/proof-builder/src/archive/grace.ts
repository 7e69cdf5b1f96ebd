import type { Clock, Log } from '@assay/runtime';
import type { EvidenceIntake } from '../clients/evidence-intake.ts';
import type { ProofDocument, Proofs } from '../store/proofs.ts';
import type { Layouts } from './layouts.ts';

export interface GraceNeeds {
  proofs: Proofs;
  layouts: Layouts;
  intake: EvidenceIntake;
  now: Clock;
  log: Log;
}

/** The end of archives: the keys first, then the media, then the layouts, then the record. Each step may be repeated. */
export const createGrace = ({ proofs, layouts, intake, now, log }: GraceNeeds) => {
  const condemn = async ({ _id, archiveIds }: ProofDocument): Promise<void> => {
    await proofs.condemn(_id);
    for (const archiveId of archiveIds) await layouts.destroyKey(archiveId);
  };

  const remove = async ({ _id, archiveIds, tenantId, identityId }: ProofDocument): Promise<void> => {
    for (const archiveId of archiveIds) await intake.letGo(archiveId, { tenantId, identityId, requestId: _id });
    await layouts.remove(archiveIds);
    await proofs.remove(_id);
    log.info({ msg: 'proof.destroyed', proofId: _id, identityId });
  };

  return {
    /** The identity closed: the archive that was retrieved stays for its grace period, any other cannot be read from now on, and the sweep removes it. */
    closed: async (identityId: string, proofId: string | undefined, closedAt: Date): Promise<void> => {
      for (const proof of await proofs.others(identityId, proofId)) await condemn(proof);
      const retrieved = proofId === undefined ? undefined : await proofs.find(proofId);
      if (retrieved) await proofs.expire(retrieved._id, new Date(closedAt.getTime() + retrieved.graceSeconds * 1000));
    },
    /** Destroys every archive whose grace period is over. */
    sweep: async (): Promise<void> => {
      const over = await proofs.expired(now());
      for (const proof of over) await condemn(proof);
      for (const proof of over) await remove(proof);
    },
  };
};

export type Grace = ReturnType<typeof createGrace>;
