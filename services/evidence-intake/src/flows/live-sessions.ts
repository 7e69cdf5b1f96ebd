import type { InternalClaims, MediaReference, Side } from '@assay/contracts';
import { ApiError } from '@assay/http';
import type { Outbox } from '@assay/mongo';
import { type Clock, newId } from '@assay/runtime';
import {
  chooseFrames,
  detailsOfSession,
  type SessionRequest,
  storedRequest,
  typeOfSession,
} from '../domain/live-session.ts';
import { type Medium, referenceOf } from '../domain/medium.ts';
import type { Evidence, EvidenceStore } from '../store/evidences.ts';
import type { MediaStore } from '../store/media.ts';
import { type AcceptSubmission, grantOf } from './accept-submission.ts';
import type { MediaStorage } from './media-storage.ts';
import { submittedEvent } from './submitted-event.ts';

export interface Deps {
  evidences: EvidenceStore;
  media: MediaStore;
  storage: MediaStorage;
  accept: AcceptSubmission;
  outbox: Pick<Outbox, 'publishSoon'>;
  now: Clock;
  reconcileAfterMs: number;
}

const DEFAULT_TIMEOUT_SECONDS = 120;
export const timeoutOf = (claims: InternalClaims): number => claims.sessionTimeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;

/**
 * The chosen frames take the role they are verified in; the newest video stays when the tenant
 * keeps videos.
 */
const choose = async (media: MediaStore, evidence: Evidence, all: readonly Medium[]): Promise<Medium[]> => {
  const images = all.filter(({ role }) => role !== 'VIDEO');
  const chosen = chooseFrames(
    images.map(({ _id, side = 'FRONT', sharpness = -1 }, order) => ({ mediaId: _id, side, sharpness, order })),
  );
  const roleOf = (side: Side): MediaReference['role'] => (evidence.type === 'PORTRAIT' ? 'PORTRAIT' : side);
  const assigned: Medium[] = [];
  for (const side of ['FRONT', 'BACK'] as const) {
    const frame = images.find(({ _id }) => _id === chosen[side]);
    if (!frame) continue;
    await media.assign(frame._id, roleOf(side));
    assigned.push({ ...frame, role: roleOf(side) });
  }
  const video = evidence.session?.keepVideo ? all.findLast(({ role }) => role === 'VIDEO') : undefined;
  return video ? [...assigned, video] : assigned;
};

/**
 * Live capture sessions: an evidence that is submitted frame by frame; the sharpest frame of each
 * side is what is verified.
 */
export const createLiveSessions = (deps: Deps) => {
  const { evidences, media, storage, accept, outbox, now, reconcileAfterMs } = deps;

  const isOpen = ({ session }: Evidence): boolean =>
    session?.state === 'OPEN' && (session.expiresAt === undefined || session.expiresAt > now());

  return {
    isOpen,

    start: async (claims: InternalClaims, request: SessionRequest): Promise<Evidence> => {
      const session = {
        sessionId: newId(),
        request: storedRequest(request),
        keepVideo: claims.keepVideo ?? false,
        state: 'OPEN' as const,
        batches: [],
        expiresAt: new Date(now().getTime() + timeoutOf(claims) * 1000),
      };
      const content = { captureDetails: detailsOfSession(request), sessionId: session.sessionId };
      return accept(claims, { type: typeOfSession(request), media: [], content, session });
    },

    /** Submits what the session has. Repeating it gives the first answer. */
    end: async (claims: InternalClaims, evidence: Evidence): Promise<Evidence> => {
      const { identityId } = grantOf({
        ...claims,
        evidenceId: evidence._id,
        operation: evidence.operation,
      });
      const all = await media.ofEvidence(identityId, evidence._id);
      const batches = evidence.session?.batches ?? [];
      const arrived = batches.flatMap(({ batchId }) => all.filter((medium) => medium.batchId === batchId));
      if (!arrived.some(({ role }) => role !== 'VIDEO'))
        throw new ApiError(evidence.type === 'PORTRAIT' ? 'BAD_FIELD' : 'SIDE_MISSING', {
          field: 'Frame',
          message: 'no frame was sent',
        });
      const chosen = await choose(media, evidence, arrived);
      const submitted: Evidence = {
        ...evidence,
        media: chosen.map(referenceOf),
        consents: claims.consents ?? evidence.consents,
      };
      const at = now();
      const event = submittedEvent(submitted, at);
      const reissueAt = new Date(at.getTime() + reconcileAfterMs);
      if (!(await evidences.endSession(evidence._id, { state: 'ENDED', media: submitted.media, event, reissueAt })))
        throw new ApiError('STATE_CONFLICT', { message: 'the session is not open any more' });
      void outbox.publishSoon(evidence._id, [event]);
      await media.attach(chosen.map(({ _id }) => _id));
      await storage.discard(all.filter(({ _id }) => !chosen.some((one) => one._id === _id)));
      return submitted;
    },
  };
};
export type LiveSessions = ReturnType<typeof createLiveSessions>;
