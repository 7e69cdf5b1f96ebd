import { evidenceSubmitted, type InternalClaims, type MediaReference, type Side } from '@assay/contracts';
import { ApiError } from '@assay/http';
import { type Outbox, outboxEntry } from '@assay/mongo';
import { type Clock, newId } from '@assay/runtime';
import type { Accept } from './accept.ts';
import { grantOf } from './accept.ts';
import { chooseFrames, detailsOfSession, type SessionRequest, typeOfSession } from './domain/live-session.ts';
import { submittedData } from './domain/submitted.ts';
import type { Evidence, EvidenceStore } from './store/evidences.ts';
import { type MediaStore, type Medium, referenceOf } from './store/media.ts';
import type { Vault } from './vault.ts';

export interface LiveSessionParts {
  evidences: EvidenceStore;
  media: MediaStore;
  vault: Vault;
  accept: Accept;
  outbox: Pick<Outbox, 'publishNow'>;
  now: Clock;
  reconcileAfterMs: number;
}

const DEFAULT_TIMEOUT_SECONDS = 120;
export const timeoutOf = (claims: InternalClaims): number => claims.sessionTimeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;

/** Live capture sessions: an evidence that is submitted frame by frame; the sharpest frame of each side is what is verified. */
export const createLiveSessions = (parts: LiveSessionParts) => {
  const { evidences, media, vault, accept, outbox, now, reconcileAfterMs } = parts;

  const isOpen = ({ session }: Evidence): boolean =>
    session?.state === 'OPEN' && (session.expiresAt === undefined || session.expiresAt > now());

  /** The chosen frames take the role they are verified in; the newest video stays when the tenant keeps videos. */
  const choose = async (evidence: Evidence, all: readonly Medium[]): Promise<Medium[]> => {
    const images = all.filter(({ role }) => role !== 'VIDEO');
    const chosen = chooseFrames(
      images.map(({ _id, side = 'FRONT', sharpness = -1 }, order) => ({ mediaId: _id, side, sharpness, order })),
    );
    const roleOf = (side: Side): MediaReference['role'] => (evidence.type === 'PORTRAIT' ? 'PORTRAIT' : side);
    const kept: Medium[] = [];
    for (const side of ['FRONT', 'BACK'] as const) {
      const frame = images.find(({ _id }) => _id === chosen[side]);
      if (!frame) continue;
      await media.assign(frame._id, roleOf(side));
      kept.push({ ...frame, role: roleOf(side) });
    }
    const video = evidence.session?.keepVideo ? all.findLast(({ role }) => role === 'VIDEO') : undefined;
    return video ? [...kept, video] : kept;
  };

  return {
    isOpen,

    start: async (claims: InternalClaims, request: SessionRequest): Promise<Evidence> => {
      const session = {
        sessionId: newId(),
        request,
        keepVideo: claims.keepVideo ?? false,
        state: 'OPEN' as const,
        batches: [],
        expiresAt: new Date(now().getTime() + timeoutOf(claims) * 1000),
      };
      const content = { captureDetails: detailsOfSession(request), sessionId: session.sessionId };
      const { evidence } = await accept(claims, { type: typeOfSession(request), media: [], content, session });
      return evidence;
    },

    /** Submits what the session has. Repeating it gives the first answer. */
    end: async (claims: InternalClaims, evidence: Evidence): Promise<Evidence> => {
      const { key, identityId, tenantId } = grantOf({
        ...claims,
        evidenceId: evidence._id,
        operation: evidence.operation,
      });
      const all = await media.ofEvidence(identityId, evidence._id);
      const batches = evidence.session?.batches ?? [];
      const arrived = all.filter((medium) => batches.some(({ batchId }) => batchId === medium.batchId));
      if (!arrived.some(({ role }) => role !== 'VIDEO'))
        throw new ApiError(evidence.type === 'PORTRAIT' ? 'BAD_FIELD' : 'SIDE_MISSING', { field: 'Frame' });
      const kept = await choose(evidence, arrived);
      const submitted: Evidence = {
        ...evidence,
        media: kept.map(referenceOf),
        consents: claims.consents ?? evidence.consents,
      };
      const at = now();
      const data = submittedData(submitted);
      const event = outboxEntry(evidenceSubmitted, { tenantId, identityId, key, at, data });
      const lookAgainAt = new Date(at.getTime() + reconcileAfterMs);
      if (!(await evidences.endSession(evidence._id, 'ENDED', submitted.media, event, lookAgainAt)))
        throw new ApiError('STATE_CONFLICT', { message: 'the session is not open any more' });
      void outbox.publishNow(evidence._id, [event]);
      await media.claim(kept.map(({ _id }) => _id));
      await vault.discard(all.filter(({ _id }) => !kept.some((one) => one._id === _id)));
      return submitted;
    },
  };
};
export type LiveSessions = ReturnType<typeof createLiveSessions>;
