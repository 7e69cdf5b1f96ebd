import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type InternalClaims, LiveSessionRequestSchema, SIDES, type Side } from '@assay/contracts';
import { ApiError, claimsOf, ok, parseBody, type Reply } from '@assay/http';
import type { Keyring } from '@assay/sealing';
import type { Request } from 'express';
import { acceptedOf, grantOf } from '../accept.ts';
import { livenessParameters, type SessionRequest, sidesToCapture } from '../domain/live-session.ts';
import { frameSharpness } from '../imaging/frame-sharpness.ts';
import { type LiveSessions, timeoutOf } from '../live-sessions.ts';
import type { Evidence, EvidenceStore } from '../store/evidences.ts';
import type { MediaStore, Medium } from '../store/media.ts';
import { takeAll } from '../upload/head.ts';
import { readMultipart } from '../upload/multipart.ts';
import type { Vault } from '../vault.ts';
import { fileBytesOf, UPLOAD_LIMITS } from './capture.ts';

export interface SessionParts {
  sessions: LiveSessions;
  evidences: EvidenceStore;
  media: MediaStore;
  vault: Vault;
  keyring: Keyring;
}

/** Frames one request, and one session, may bring. */
const FRAMES_A_REQUEST = 10;
const FRAMES_A_SESSION = 60;
const BODY_FILES = 4;

const requestOf = (claims: InternalClaims, body: unknown): SessionRequest => {
  const kind = claims.operation === 'ID_DOCUMENT_LIVE_CAPTURE' ? 'DOCUMENT' : 'PORTRAIT';
  return { kind, ...parseBody(LiveSessionRequestSchema[kind], body) } as SessionRequest;
};

/**
 * POST /internal/v1/live-sessions: opens a live capture session; the operation granted says which (LIVENESS_VIDEO, ID_DOCUMENT_LIVE_CAPTURE). Answers what the capture
 * route answers, with sessionId and either livenessParameters or sidesToCapture.
 */
export const createSessionRoute =
  ({ sessions, evidences }: SessionParts) =>
  async (request: Request): Promise<Reply> => {
    const claims = claimsOf(request);
    const { evidenceId, identityId } = grantOf(claims);
    const asked = requestOf(claims, request.body);
    const evidence = (await evidences.find(evidenceId, identityId)) ?? (await sessions.start(claims, asked));
    const liveness = livenessParameters(asked, timeoutOf(claims));
    return ok({
      ...acceptedOf(evidence),
      sessionId: evidence.session?.sessionId,
      ...(liveness ? { livenessParameters: liveness } : { sidesToCapture: sidesToCapture(asked) }),
    });
  };

const openSession = async ({ sessions, evidences }: SessionParts, request: Request): Promise<Evidence> => {
  const evidence = await evidences.findSession(String(request.params.sessionId), claimsOf(request).identityId);
  if (!evidence) throw new ApiError('NOT_FOUND');
  if (!sessions.isOpen(evidence)) throw new ApiError('STATE_CONFLICT', { message: 'the session is not open any more' });
  return evidence;
};

const isSide = (text: string): text is Side => (SIDES as readonly string[]).includes(text);

/**
 * POST /internal/v1/live-sessions/:sessionId/frames: parts `Frame` (repeated), `Video`, and `side` (FRONT unless said) for all frames of the request. Each frame
 * is scored as it comes. Answers {evidenceId, type, submitDateTime, media: [], sessionId, frames}: how many frames the session has now. 409 once it has ended.
 */
export const createFramesRoute = (parts: SessionParts) => {
  const { media, vault, keyring } = parts;

  const upload = async (request: Request, claims: InternalClaims, evidence: Evidence) => {
    const owner = { tenantId: evidence.tenantId, identityId: evidence.identityId, evidenceId: evidence._id };
    const { key: wrapped } = grantOf({ ...claims, evidenceId: evidence._id, operation: evidence.operation });
    const key = await keyring.unwrap(wrapped, evidence.identityId);
    const maxBytes = fileBytesOf(claims);
    const stored: Medium[] = [];
    let side: Side = 'FRONT';

    const takePart = async (part: string, bytes: Readable): Promise<void> => {
      if (part === 'Frame' || part === 'Video') {
        if (stored.length >= FRAMES_A_REQUEST) throw new ApiError('BAD_FIELD', { field: part });
        const arrival =
          part === 'Frame'
            ? ({ role: 'FRAME', content: 'IMAGE' } as const)
            : ({ role: 'VIDEO', content: 'VIDEO' } as const);
        stored.push(await vault.keep(owner, key, { part, ...arrival, maxBytes }, bytes));
        return;
      }
      const text = (await takeAll(bytes, 1024))?.toString('latin1').trim() ?? '';
      if (part !== 'side') return;
      if (!isSide(text)) throw new ApiError('BAD_FIELD', { field: 'side' });
      side = text;
    };

    const totalBytes = BODY_FILES * maxBytes;
    await readMultipart(request, { ...UPLOAD_LIMITS, totalBytes }, takePart).catch(async (error: unknown) => {
      await vault.discard(stored);
      throw error;
    });
    for (const frame of stored.filter(({ role }) => role === 'FRAME'))
      await media.describe(frame._id, { side, sharpness: await frameSharpness(await buffer(vault.open(frame, key))) });
  };

  return async (request: Request): Promise<Reply> => {
    const evidence = await openSession(parts, request);
    const before = await media.ofEvidence(evidence.identityId, evidence._id);
    if (before.length >= FRAMES_A_SESSION)
      throw new ApiError('STATE_CONFLICT', { message: 'the session has enough frames' });
    await upload(request, claimsOf(request), evidence);
    const now = await media.ofEvidence(evidence.identityId, evidence._id);
    const frames = now.filter(({ role }) => role === 'FRAME').length;
    return ok({ ...acceptedOf(evidence), sessionId: evidence.session?.sessionId, frames });
  };
};

/** POST /internal/v1/live-sessions/:sessionId/end: the best frames are submitted. 400 when there are none yet; repeating it gives the first answer. */
export const createEndRoute =
  (parts: SessionParts) =>
  async (request: Request): Promise<Reply> => {
    const claims = claimsOf(request);
    const evidence = await parts.evidences.findSession(String(request.params.sessionId), claims.identityId);
    if (!evidence) throw new ApiError('NOT_FOUND');
    if (evidence.session?.state === 'ENDED')
      return ok({ ...acceptedOf(evidence), sessionId: evidence.session.sessionId });
    const ended = await parts.sessions.end(claims, await openSession(parts, request));
    return ok({ ...acceptedOf(ended), sessionId: ended.session?.sessionId });
  };
