import { type Clock, createApart, type Log } from '@assay/runtime';
import type { EvidenceIntake } from '../clients/evidence-intake.ts';
import type { Layouts } from '../store/layouts.ts';
import { isCondemned, type ProofDocument, type Proofs } from '../store/proofs.ts';

export interface Deps {
  proofs: Proofs;
  layouts: Layouts;
  intake: EvidenceIntake;
  now: Clock;
  log: Log;
}

const idOf = ({ _id }: ProofDocument): string => _id;

/**
 * The end of archives: the keys first, then the media, then the layouts, then the record. Each step
 * may be repeated.
 */
export const createGrace = ({ proofs, layouts, intake, now, log }: Deps) => {
  const apart = createApart({ sweeper: 'grace', log });

  const condemn = async ({ _id, archiveIds }: ProofDocument): Promise<void> => {
    await proofs.condemn(_id);
    for (const archiveId of archiveIds) await layouts.destroyKey(archiveId);
  };

  const remove = async ({ _id, archiveIds, tenantId, identityId }: ProofDocument): Promise<void> => {
    for (const archiveId of archiveIds) await intake.release(archiveId, { tenantId, identityId, requestId: _id });
    await layouts.remove(archiveIds);
    await proofs.remove(_id);
    log.info({ msg: 'proof.destroyed', proofId: _id, identityId });
  };

  return {
    /**
     * The identity closed: the archive that was retrieved stays for its grace period, any other
     * cannot be read from now on, and the sweep removes it.
     */
    closed: async (identityId: string, proofId: string | undefined, closedAt: Date): Promise<void> => {
      for (const proof of await proofs.others(identityId, proofId)) await condemn(proof);
      const retrieved = proofId === undefined ? undefined : await proofs.find(proofId);
      if (retrieved) await proofs.expire(retrieved._id, new Date(closedAt.getTime() + retrieved.graceSeconds * 1000));
    },
    /**
     * Destroys every archive whose grace period is over. What cannot be removed is unreadable all
     * the same, and stops no other.
     */
    sweep: async (): Promise<'nothing' | undefined> => {
      const due = await proofs.expired(now(), apart.resting());
      const condemned = due.filter(isCondemned);
      const expired = due.filter((proof) => !isCondemned(proof));
      await apart.each(expired, idOf, async (proof) => {
        await condemn(proof);
        condemned.push(proof);
      });
      await apart.each(condemned, idOf, remove);
      return due.length === 0 ? 'nothing' : undefined;
    },
  };
};

export type Grace = ReturnType<typeof createGrace>;
