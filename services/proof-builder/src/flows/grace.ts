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
 * Destroys archives: first the keys, then the media, the layouts and the record. Each step may be
 * repeated. A builder that still works may store another archive, and with it a key, before it
 * finds out that it is over: the record stays until its lease has ended, and the keys are destroyed
 * again.
 */
export const createGrace = ({ proofs, layouts, intake, now, log }: Deps) => {
  const apart = createApart({ sweeper: 'grace', log });

  const condemn = async ({ _id, archiveIds }: ProofDocument): Promise<void> => {
    await proofs.condemn(_id);
    for (const archiveId of archiveIds) await layouts.destroyKey(archiveId);
  };

  const isBuilding = ({ leaseUntil }: ProofDocument): boolean => leaseUntil > now();

  const remove = async ({ _id, archiveIds, tenantId, identityId }: ProofDocument): Promise<void> => {
    for (const archiveId of archiveIds) await layouts.destroyKey(archiveId);
    for (const archiveId of archiveIds) await intake.release(archiveId, { tenantId, identityId, requestId: _id });
    await layouts.remove(archiveIds);
    await proofs.remove(_id);
    log.info({ msg: 'proof.destroyed', proofId: _id, identityId });
  };

  return {
    /**
     * After the identity closed: the retrieved archive stays for its grace period. Any other
     * archive becomes unreadable now, and the sweep removes it.
     */
    closed: async (identityId: string, proofId: string | undefined, closedAt: Date): Promise<void> => {
      for (const proof of await proofs.others(identityId, proofId)) await condemn(proof);
      const retrieved = proofId === undefined ? undefined : await proofs.find(proofId);
      if (retrieved) await proofs.expire(retrieved._id, new Date(closedAt.getTime() + retrieved.graceSeconds * 1000));
    },
    /**
     * Destroys every archive whose grace period is over. One that cannot be removed is unreadable
     * already, and the others are still removed.
     */
    sweep: async (): Promise<'nothing' | undefined> => {
      const due = await proofs.expired(now(), apart.resting());
      const condemned = due.filter(isCondemned);
      const expired = due.filter((proof) => !isCondemned(proof));
      // Their removal is the next round's, which reads what a builder has begun until now.
      await apart.each(expired, idOf, condemn);
      await apart.each(
        condemned.filter((proof) => !isBuilding(proof)),
        idOf,
        remove,
      );
      return due.length === 0 ? 'nothing' : undefined;
    },
  };
};

export type Grace = ReturnType<typeof createGrace>;
