import { evidenceSubmitted } from '@assay/contracts';
import { outboxEntry } from '@assay/mongo';
import { createApart, type NextLook } from '@assay/runtime';
import { submittedData } from '../domain/submitted.ts';
import type { Evidence } from '../store/evidences.ts';
import type { MediaStore } from '../store/media.ts';
import type { MediaStorage } from './media-storage.ts';
import { type Deps as ReconcilerDeps, TOMBSTONE_MS } from './reconciler.ts';

export interface Deps extends ReconcilerDeps {
  media: MediaStore;
  storage: MediaStorage;
  nextSession: NextLook;
}

const BATCH = 50;

/**
 * Ends live capture sessions after their timeout: NOT_VERIFIED with SESSION_TIMEOUT; their captures
 * are removed.
 */
export const createSessionTimeouts = (deps: Deps) => {
  const { evidences, media, storage, outbox, askGrant, purge, nextSession, now, reconcileAfterMs, log } = deps;
  const apart = createApart({ sweeper: 'session-timeouts', log });

  const timeOut = async (evidence: Evidence): Promise<void> => {
    const { _id, tenantId, identityId } = evidence;
    if (!(await askGrant(tenantId, identityId))) return purge(identityId, new Date(now().getTime() + TOMBSTONE_MS));
    const data = { ...submittedData({ ...evidence, media: [] }), endWith: 'SESSION_TIMEOUT' as const };
    const event = outboxEntry(evidenceSubmitted, { tenantId, identityId, at: now(), data });
    const lookAgainAt = new Date(now().getTime() + reconcileAfterMs);
    if (!(await evidences.endSession(_id, 'TIMED_OUT', [], event, lookAgainAt))) return;
    await outbox.publishNow(_id);
    const all = await media.ofIdentity(identityId);
    await storage.discard(all.filter(({ evidenceId }) => evidenceId === _id));
  };

  return async (): Promise<'nothing' | undefined> => {
    if (!nextSession.isDue()) return 'nothing';
    const askedAt = now();
    nextSession.found(await evidences.firstDue('session.expiresAt', apart.resting()), askedAt);
    if (!nextSession.isDue()) return 'nothing';
    const due = await evidences.expiredSessions(now(), { limit: BATCH, except: apart.resting() });
    await apart.each(due, ({ _id }) => _id, timeOut);
    return due.length === 0 ? 'nothing' : undefined;
  };
};
