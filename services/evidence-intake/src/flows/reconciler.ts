import { present, SHORTEST_TOMBSTONE_SECONDS } from '@assay/contracts';
import type { AskGrant } from '@assay/http';
import type { Outbox } from '@assay/mongo';
import { type Clock, counter, createNextLook, type Log } from '@assay/runtime';
import { nextReissue } from '../domain/reissue.ts';
import type { Evidence, EvidenceStore } from '../store/evidences.ts';
import { createDueSweep } from './due-sweep.ts';
import type { Purge } from './purge.ts';
import { submittedEvent } from './submitted-event.ts';

export interface Deps {
  evidences: EvidenceStore;
  outbox: Pick<Outbox, 'publishNow'>;
  askGrant: AskGrant;
  purge: Purge;
  now: Clock;
  reconcileAfterMs: number;
  log: Log;
}

/** How long the tombstone of an identity is stored if its closing event never arrived. */
export const TOMBSTONE_MS = SHORTEST_TOMBSTONE_SECONDS * 1000;
const reissued = counter('assay_evidence_reissued_total', 'Evidences whose work was issued again', ['outcome']);
for (const outcome of ['again', 'given-up']) reissued.inc({ outcome }, 0);

/** A sandbox's armed outcome belongs to the submission: a grant knows nothing of it. */
const sandboxOf = ({ settings: { sandbox } }: Evidence) => (sandbox ? { sandbox } : {});

/**
 * Re-issues the work of evidences that are without a stable status for too long, with growing
 * intervals, and finally ends them (invariant 5). If the identity was closed meanwhile, it is
 * purged instead.
 */
export const createReconciler = (deps: Deps) => {
  const { evidences, outbox, askGrant, purge, now, reconcileAfterMs, log } = deps;
  // Whatever is stored meanwhile is given that time, by whichever replica.
  const next = createNextLook({ now, withinMs: reconcileAfterMs });

  const reissue = async (evidence: Evidence): Promise<void> => {
    const { _id, tenantId, identityId, reissues } = evidence;
    const grant = await askGrant(tenantId, identityId);
    if (!grant) return purge(identityId, new Date(now().getTime() + TOMBSTONE_MS));
    const at = now();
    const { endWith, lookAgainAt } = nextReissue(reissues, at, reconcileAfterMs);
    const current: Evidence = {
      ...evidence,
      consents: grant.consents ?? evidence.consents,
      settings: { ...(grant.settings ?? evidence.settings), ...sandboxOf(evidence) },
    };
    const event = submittedEvent(current, at, { reissued: true, ...present({ endWith }) });
    if (!(await evidences.reissue(evidence, event, lookAgainAt))) return;
    reissued.inc({ outcome: endWith ? 'given-up' : 'again' });
    log.warn({ msg: 'evidence.reissued', evidenceId: _id, identityId, reissues: reissues + 1, endWith });
    await outbox.publishNow(_id);
  };

  return createDueSweep(deps, { sweeper: 'reconciler', what: 'reissueAt', next, work: reissue });
};
