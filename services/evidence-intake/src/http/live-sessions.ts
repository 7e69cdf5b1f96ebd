import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type InternalClaims, LiveSessionRequestSchema, SIDES, type Side } from '@assay/contracts';
import { ApiError, claimsOf, isRefusal, ok, parseBody, type Reply } from '@assay/http';
import { newId } from '@assay/runtime';
import type { Request } from 'express';
import type { Images } from '../clients/images.ts';
import { createPixelSum } from '../domain/image-rules.ts';
import { framesIn, livenessParameters, type SessionRequest, sidesToCapture } from '../domain/live-session.ts';
import type { Medium } from '../domain/medium.ts';
import { acceptedSubmission, grantOf } from '../flows/accept-submission.ts';
import { type LiveSessions, timeoutOf } from '../flows/live-sessions.ts';
import type { MediaStorage } from '../flows/media-storage.ts';
import { takeAll } from '../flows/stream-head.ts';
import type { Evidence, EvidenceStore } from '../store/evidences.ts';
import type { MediaStore } from '../store/media.ts';
import { fileBytesOf, MOST_PARTS } from './capture.ts';
import { drain, readMultipart } from './multipart.ts';

export interface Deps {
  sessions: LiveSessions;
  evidences: EvidenceStore;
  media: MediaStore;
  storage: MediaStorage;
  images: Images;
}

/** Frames one request, and one session, may bring; and the requests that may bring some. */
const FRAMES_A_REQUEST = 10;
const FRAMES_A_SESSION = 60;
const BATCHES_A_SESSION = 120;
const BODY_FILES = 4;

const requestOf = (claims: InternalClaims, body: unknown): SessionRequest => {
  const kind = claims.operation === 'ID_DOCUMENT_LIVE_CAPTURE' ? 'DOCUMENT' : 'PORTRAIT';
  return { ...parseBody(LiveSessionRequestSchema[kind], body), kind } as SessionRequest;
};

/**
 * POST /internal/v1/live-sessions: opens a live capture session; the operation granted says which
 * (LIVENESS_VIDEO, ID_DOCUMENT_LIVE_CAPTURE). Answers what the capture route answers, with
 * sessionId and either livenessParameters or sidesToCapture.
 */
export const createSessionRoute =
  ({ sessions }: Pick<Deps, 'sessions'>) =>
  async (request: Request): Promise<Reply> => {
    const claims = claimsOf(request);
    const asked = requestOf(claims, request.body);
    const evidence = await sessions.start(claims, asked);
    const liveness = livenessParameters(asked, timeoutOf(claims));
    return ok({
      ...acceptedSubmission(evidence),
      sessionId: evidence.session?.sessionId,
      ...(liveness ? { livenessParameters: liveness } : { sidesToCapture: sidesToCapture(asked) }),
    });
  };

const sessionOf = async ({ evidences }: Deps, request: Request): Promise<Evidence> => {
  const evidence = await evidences.findSession(String(request.params.sessionId), claimsOf(request).identityId);
  if (!evidence || evidence.session?.request.kind === 'CHIP') throw new ApiError('NOT_FOUND');
  return evidence;
};

const notOpen = () => new ApiError('STATE_CONFLICT', { message: 'the session is not open any more' });
const batchesOf = ({ session }: Evidence) => session?.batches ?? [];
const hasBatch = (evidence: Evidence, batchId: string): boolean =>
  batchesOf(evidence).some((batch) => batch.batchId === batchId);

const enough = () => new ApiError('STATE_CONFLICT', { message: 'the session has enough frames' });

/** Throws if the session does not accept a batch of so many frames: it may bring a video alone. */
const requireRoom = (evidence: Evidence, sessions: LiveSessions, frames = 0): void => {
  if (!sessions.isOpen(evidence)) throw notOpen();
  const batches = batchesOf(evidence);
  if (framesIn(batches) + frames > FRAMES_A_SESSION || batches.length >= BATCHES_A_SESSION) throw enough();
};

const isSide = (text: string): text is Side => (SIDES as readonly string[]).includes(text);

interface Batch {
  claims: InternalClaims;
  evidence: Evidence;
  batchId: string;
}

/**
 * Stores the frames of a request and its last video, and scores each frame. If the request breaks
 * off, nothing of it stays.
 */
const upload = async ({ media, storage, images }: Deps, request: Request, batch: Batch): Promise<Medium[]> => {
  const { claims, evidence, batchId } = batch;
  const owner = { tenantId: evidence.tenantId, identityId: evidence.identityId, evidenceId: evidence._id };
  const { key } = grantOf({ ...claims, evidenceId: evidence._id, operation: evidence.operation });
  const maxBytes = fileBytesOf(claims);
  const stored: Medium[] = [];
  const videos: Medium[] = [];
  const pixels = createPixelSum();
  let side: Side = 'FRONT';
  let arrivals = 0;

  const takePart = async (part: string, bytes: Readable): Promise<void> => {
    if (part === 'Frame' && framesIn(batchesOf(evidence)) >= FRAMES_A_SESSION) throw enough();
    if (part === 'Frame' || part === 'Video') {
      const order = arrivals++;
      if (order >= FRAMES_A_REQUEST)
        throw new ApiError('BAD_FIELD', { field: part, message: 'more files than the request may carry' });
      const arrival =
        part === 'Frame'
          ? ({ role: 'FRAME', content: 'IMAGE' } as const)
          : ({ role: 'VIDEO', content: 'VIDEO' } as const);
      const medium = await storage.store(owner, key, { part, ...arrival, maxBytes, batchId, pixels }, bytes);
      stored.push(medium);
      if (part === 'Video') videos[order] = medium;
      return;
    }
    const text = (await takeAll(bytes, 1024))?.toString('latin1').trim() ?? '';
    if (part !== 'side' || text === '') return;
    if (!isSide(text))
      throw new ApiError('BAD_FIELD', { field: 'side', message: `must be one of ${SIDES.join(', ')}` });
    side = text;
  };

  const totalBytes = BODY_FILES * maxBytes;
  await readMultipart(request, { parts: MOST_PARTS, totalBytes }, takePart).catch(async (error: unknown) => {
    await storage.discard(stored);
    throw error;
  });
  if (stored.length === 0) throw new ApiError('BAD_FIELD', { field: 'Frame', message: 'is missing' });
  const frames = stored.filter(({ role }) => role === 'FRAME');
  for (const frame of frames)
    await media.describe(frame._id, {
      side,
      sharpness: await images.sharpness(await buffer(storage.open(frame, key))),
    });
  const video = videos.at(-1);
  const replaced = stored.filter(({ _id, role }) => role === 'VIDEO' && _id !== video?._id);
  if (replaced.length > 0) await storage.discard(replaced);
  return video ? [...frames, video] : frames;
};

/**
 * POST /internal/v1/live-sessions/:sessionId/frames: parts `Frame` (repeated), `Video`, and `side`
 * (FRONT unless said) for all frames of the request. Each frame is scored as it comes. Answers
 * {evidenceId, type, submitDateTime, media: [], sessionId, frames}: how many frames the session has
 * now. The batch that the token names adds its frames once: repeating it gives the first answer.
 * 409 once the session has ended, or has enough.
 */
export const createFramesRoute = (deps: Deps) => {
  const { sessions, evidences, storage } = deps;

  /**
   * Adds a batch to the session, if there is still room: other requests may have added some
   * meanwhile. What was stored for it stays only if this call added it.
   */
  const add = async (
    request: Request,
    batch: { batchId: string; frames: number },
    stored: readonly Medium[],
  ): Promise<Evidence> => {
    for (;;) {
      const evidence = await sessionOf(deps, request);
      const isThere = hasBatch(evidence, batch.batchId);
      if (isThere) await storage.discard(stored);
      if (isThere) return evidence;
      requireRoom(evidence, sessions, batch.frames);
      if (await evidences.addBatch(evidence._id, batch, batchesOf(evidence).length)) return sessionOf(deps, request);
    }
  };

  const answer = (evidence: Evidence, batchId: string): Reply => {
    const frames = framesIn(batchesOf(evidence), batchId);
    return ok({ ...acceptedSubmission(evidence), sessionId: evidence.session?.sessionId, frames });
  };

  return async (request: Request): Promise<Reply> => {
    const claims = claimsOf(request);
    const { batchId = newId() } = claims;
    const evidence = await sessionOf(deps, request);
    if (hasBatch(evidence, batchId)) {
      await drain(request);
      return answer(evidence, batchId);
    }
    requireRoom(evidence, sessions);
    const stored = await upload(deps, request, { claims, evidence, batchId });
    const frames = stored.filter(({ role }) => role === 'FRAME').length;
    const added = await add(request, { batchId, frames }, stored).catch(async (error: unknown) => {
      if (isRefusal(error)) await storage.discard(stored);
      throw error;
    });
    return answer(added, batchId);
  };
};

/**
 * POST /internal/v1/live-sessions/:sessionId/end: the best frames are submitted. 400 when there are
 * none yet; repeating it gives the first answer.
 */
export const createEndRoute =
  (deps: Deps) =>
  async (request: Request): Promise<Reply> => {
    const claims = claimsOf(request);
    const evidence = await sessionOf(deps, request);
    if (evidence.session?.state === 'ENDED')
      return ok({ ...acceptedSubmission(evidence), sessionId: evidence.session.sessionId });
    if (!deps.sessions.isOpen(evidence)) throw notOpen();
    const ended = await deps.sessions.end(claims, evidence);
    return ok({ ...acceptedSubmission(ended), sessionId: ended.session?.sessionId });
  };
