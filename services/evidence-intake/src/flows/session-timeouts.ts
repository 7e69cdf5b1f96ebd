import type { NextLook } from '@assay/runtime';
import type { Evidence } from '../store/evidences.ts';
import type { MediaStore } from '../store/media.ts';
import { createDueSweep } from './due-sweep.ts';
import type { MediaStorage } from './media-storage.ts';
import { type Deps as ReconcilerDeps, TOMBSTONE_MS } from './reconciler.ts';
import { submittedEvent } from './submitted-event.ts';

export interface Deps extends ReconcilerDeps {
  media: MediaStore;
  storage: MediaStorage;
  nextSession: NextLook;
}

/**
 * Ends live capture sessions after their timeout: NOT_VERIFIED with SESSION_TIMEOUT; their captures
 * are removed.
 */
export const createSessionTimeouts = (deps: Deps) => {
  const { evidences, media, storage, outbox, askGrant, purge, nextSession, now, reconcileAfterMs } = deps;

  const timeOut = async (evidence: Evidence): Promise<void> => {
    const { _id, tenantId, identityId } = evidence;
    if (!(await askGrant(tenantId, identityId))) return purge(identityId, new Date(now().getTime() + TOMBSTONE_MS));
    const at = now();
    const event = submittedEvent({ ...evidence, media: [] }, at, { endWith: 'SESSION_TIMEOUT' });
    const reissueAt = new Date(at.getTime() + reconcileAfterMs);
    if (!(await evidences.endSession(_id, { state: 'TIMED_OUT', media: [], event, reissueAt }))) return;
    await outbox.publishNow(_id);
    const all = await media.ofIdentity(identityId);
    await storage.withdraw(all.filter(({ evidenceId }) => evidenceId === _id));
  };

  return createDueSweep(deps, {
    sweeper: 'session-timeouts',
    what: 'session.expiresAt',
    next: nextSession,
    work: timeOut,
  });
};
