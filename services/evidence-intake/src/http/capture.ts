import type { Readable } from 'node:stream';
import type { CaptureDetails, InternalClaims, Metadata } from '@assay/contracts';
import { ApiError, claimsOf, createShares, isRefusal, ok, type Reply, unavailable } from '@assay/http';
import type { Request } from 'express';
import { isBlank, type Parsed, parseCaptureDetails, parseMetadata } from '../domain/capture-json.ts';
import { type CapturePlan, MAX_FILES, planOf, type Slot, typeOfCapture } from '../domain/capture-plan.ts';
import { createPixelSum } from '../domain/image-rules.ts';
import { type Medium, referenceOf } from '../domain/medium.ts';
import { type AcceptSubmission, acceptedSubmission, grantOf } from '../flows/accept-submission.ts';
import type { MediaStorage } from '../flows/media-storage.ts';
import { takeAll } from '../flows/stream-head.ts';
import type { Evidence, EvidenceStore } from '../store/evidences.ts';
import { readMultipart } from './multipart.ts';

export interface Deps {
  accept: AcceptSubmission;
  storage: MediaStorage;
  evidences: EvidenceStore;
  /**
   * Uploads taken at once, shared out among tenants and identities; more get 503 with Retry-After.
   */
  maxUploads: number;
}

const JSON_BYTES = 64 * 1024;
const OTHER_BYTES = 1024 * 1024;
const DEFAULT_FILE_BYTES = 15 * 1024 * 1024;
export const MOST_PARTS = 32;

export const fileBytesOf = (claims: InternalClaims): number => claims.limits?.maxFileBytes ?? DEFAULT_FILE_BYTES;

/** Discards a part that is not expected. */
const ignore = async (bytes: Readable): Promise<void> => {
  for await (const _ of bytes);
};

/**
 * Counts the files of a request: two of one slot, or more than a request may carry, are refused.
 */
const createCounter = () => {
  const counts = new Map<string, number>();
  let files = 0;
  return (part: string, max: number): void => {
    const count = (counts.get(part) ?? 0) + 1;
    counts.set(part, count);
    files += 1;
    if (count > max || files > MAX_FILES)
      throw new ApiError('BAD_FIELD', { field: part, message: 'more files than the request may carry' });
  };
};

const readOr400 = <T>(parsed: Parsed<T>): T => {
  if ('field' in parsed) throw new ApiError('BAD_FIELD', parsed);
  return parsed.value;
};

interface Uploaded {
  media: (Medium & { order: number })[];
  json: Buffer | undefined;
}

/**
 * Reads the parts a plan names; media go to the storage as they arrive. On a refusal nothing is
 * left.
 */
const upload = async (
  request: Request,
  claims: InternalClaims,
  plan: CapturePlan,
  { storage }: Deps,
): Promise<Uploaded> => {
  const { evidenceId, tenantId, identityId, key } = grantOf(claims);
  const maxBytes = fileBytesOf(claims);
  const count = createCounter();
  const uploaded: Uploaded = { media: [], json: undefined };
  let arrivals = 0;
  const pixels = createPixelSum();
  const slots = new Map<string, Slot>(plan.slots.map((slot) => [slot.part, slot]));

  const takePart = async (part: string, bytes: Readable): Promise<void> => {
    const slot = slots.get(part);
    if (slot) {
      count(part, slot.max);
      const owner = { tenantId, identityId, evidenceId };
      const order = arrivals++;
      const { role, content } = slot;
      const medium = await storage.store(owner, key, { part, role, content, maxBytes, pixels }, bytes);
      uploaded.media.push({ ...medium, order });
    } else if (part === plan.json?.part) {
      count(part, 1);
      const all = await takeAll(bytes, JSON_BYTES);
      if (!all) throw new ApiError('BAD_FIELD', { field: part, message: `must have at most ${JSON_BYTES} bytes` });
      if (!isBlank(all)) uploaded.json = all;
    } else await ignore(bytes);
  };

  const totalBytes = MAX_FILES * maxBytes + JSON_BYTES + OTHER_BYTES;
  await readMultipart(request, { parts: MOST_PARTS, totalBytes }, takePart)
    .then(() => {
      const { part, error } = plan.required;
      if (!uploaded.media.some(({ role }) => role === slots.get(part)?.role))
        throw new ApiError(error, { field: part, message: `the part ${part} is missing` });
    })
    .catch(async (error: unknown) => {
      await storage.discard(uploaded.media);
      throw error;
    });
  return uploaded;
};

/** The JSON part as the submission's content, and the type it declares. */
const contentOf = (
  plan: CapturePlan,
  json: Buffer | undefined,
): { captureDetails?: CaptureDetails; metadata?: Metadata[] } => {
  if (plan.json?.allows === 'METADATA') return { metadata: json ? readOr400(parseMetadata(plan.json.part, json)) : [] };
  return plan.json && json ? { captureDetails: readOr400(parseCaptureDetails(plan.json.part, json)) } : {};
};

const ROLE_ORDER = ['FRONT', 'BACK', 'PORTRAIT', 'ADDITIONAL_FILE'];
/** Front before back, whatever order they were sent in; files of one role as they were sent. */
const inOrder = (media: Uploaded['media']): Medium[] =>
  [...media].sort((a, b) => ROLE_ORDER.indexOf(a.role) - ROLE_ORDER.indexOf(b.role) || a.order - b.order);

/**
 * POST /internal/v1/evidences/capture: the client's multipart body as it came (endpoints 3 and 6,
 * portrait reference, additional files). Answers {evidenceId, type, submitDateTime, media} once
 * bytes, record and outgoing event are durable, before any verification. The same evidenceId again
 * gets the first answer. Refusals (specification, Uploads): 400/1508 no front, 400/1500 not an
 * image or empty, 413/1505 or 400/1505 too large, 400/1560 too small, 400/1006 broken or unknown
 * details; nothing is stored then.
 */
export const createCaptureRoute = (deps: Deps) => {
  const shares = createShares(deps.maxUploads);
  const take = async (request: Request, claims: InternalClaims): Promise<Reply> => {
    const { operation } = grantOf(claims);
    const plan = planOf(operation);
    if (!plan) throw new ApiError('BAD_FIELD', { message: 'the operation carries no files' });
    const { media, json } = await upload(request, claims, plan, deps);
    const record = async (): Promise<Evidence> => {
      const content = contentOf(plan, json);
      return deps.accept(claims, {
        type: typeOfCapture(operation, content.captureDetails?.documentType),
        media: inOrder(media).map(referenceOf),
        content,
      });
    };
    const evidence = await record().catch(async (error: unknown) => {
      // If the answer is lost, the record may exist: its media stay, and the sweep of orphans finds
      // out.
      if (isRefusal(error)) await deps.storage.discard(media);
      throw error;
    });
    const attached = new Set(evidence.media.map(({ mediaId }) => mediaId));
    await deps.storage.discard(media.filter(({ _id }) => !attached.has(_id)));
    return ok(acceptedSubmission(evidence));
  };
  return async (request: Request): Promise<Reply> => {
    const claims = claimsOf(request);
    const release = shares.take(claims.tenantId, claims.identityId);
    if (!release) throw unavailable();
    return take(request, claims).finally(release);
  };
};
