import { evidenceSubmitted } from '@assay/contracts';
import { type Outbox, outboxEntry } from '@assay/mongo';
import type { Clock, Log } from '@assay/runtime';
import type { AskGrant } from '../clients/gateway.ts';
import { submittedData } from '../domain/submitted.ts';
import type { Purge } from '../purge.ts';
import type { Evidence, EvidenceStore } from '../store/evidences.ts';
import type { MediaStore } from '../store/media.ts';
import type { Vault } from '../vault.ts';

export interface SessionTimeoutParts {
  evidences: EvidenceStore;
  media: MediaStore;
  vault: Vault;
  outbox: Pick<Outbox, 'publishNow'>;
  askGrant: AskGrant;
  purge: Purge;
  now: Clock;
  reconcileAfterMs: number;
  log: Log;
}

const BATCH = 50;
const TOMBSTONE_MS = 30 * 24 * 3600_000;

/** Ends live capture sessions whose time is over: NOT_VERIFIED with SESSION_TIMEOUT; what they had captured is removed. */
export const createSessionTimeouts = (parts: SessionTimeoutParts) => {
  const { evidences, media, vault, outbox, askGrant, purge, now, reconcileAfterMs, log } = parts;

  const timeOut = async (evidence: Evidence): Promise<void> => {
    const { _id, tenantId, identityId } = evidence;
    const grant = await askGrant(tenantId, identityId);
    if (grant === 'CLOSED') return purge(identityId, new Date(now().getTime() + TOMBSTONE_MS));
    const data = { ...submittedData({ ...evidence, media: [] }), endWith: 'SESSION_TIMEOUT' as const };
    const event = outboxEntry(evidenceSubmitted, { tenantId, identityId, key: grant.key, at: now(), data });
    const lookAgainAt = new Date(now().getTime() + reconcileAfterMs);
    if (!(await evidences.endSession(_id, 'TIMED_OUT', [], event, lookAgainAt))) return;
    await outbox.publishNow(_id);
    await vault.discard(await media.ofEvidence(identityId, _id));
  };

  return async (): Promise<void> => {
    for (const evidence of await evidences.expiredSessions(now(), BATCH))
      await timeOut(evidence).catch((error: unknown) =>
        log.warn({ msg: 'session.timeout-failed', evidenceId: evidence._id, error }),
      );
  };
};
