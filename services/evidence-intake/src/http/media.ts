import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { ERRORS, MEDIA_ROLES } from '@assay/contracts';
import { ApiError, claimsOf, ok, type Reply } from '@assay/http';
import { isBlobMissing } from '@assay/mongo';
import { isSealedStreamAltered } from '@assay/sealing';
import type { Request } from 'express';
import { isAttached } from '../domain/attached.ts';
import { type Medium, referenceOf } from '../domain/medium.ts';
import type { MediaStorage, Owner } from '../flows/media-storage.ts';
import type { EvidenceStore } from '../store/evidences.ts';
import type { MediaStore } from '../store/media.ts';
import { fileBytesOf } from './capture.ts';

export interface Deps {
  evidences: EvidenceStore;
  media: MediaStore;
  storage: MediaStorage;
}

const keyOf = (request: Request): Buffer => {
  const { key } = claimsOf(request);
  if (!key) throw new ApiError('BAD_FIELD', { message: 'the token grants no key' });
  return key;
};

/**
 * The bytes may have been removed or altered since the medium was found: this is reported before
 * the reply begins.
 */
export const begun = async (bytes: Readable): Promise<Readable> => {
  await once(bytes, 'readable').catch((error: unknown) => {
    throw isBlobMissing(error) || isSealedStreamAltered(error) ? new ApiError('NOT_FOUND') : error;
  });
  return bytes;
};

// Sides are stored at the same time, in the order in which their bytes ended. The sort is stable:
// of one role the oldest is first.
const orderOf = ({ role }: Medium): number => MEDIA_ROLES.indexOf(role);

/**
 * GET /internal/v1/evidences/:evidenceId/media: what is attached now, captures, crops and videos
 * alike.
 */
export const createMediaListRoute =
  ({ evidences, media }: Deps) =>
  async (request: Request): Promise<Reply> => {
    const { identityId } = claimsOf(request);
    const evidence = await evidences.find(String(request.params.evidenceId), identityId);
    if (!evidence) throw new ApiError('NOT_FOUND');
    // Others may be stored for now: those of an upload that was repeated before its outcome was
    // known, or a chip's portrait without a consent. They will be removed.
    const stored = await media.ofEvidence(identityId, evidence._id);
    const attached = stored.filter((medium) => isAttached({ ...medium, mediaIds: [medium._id] }, evidence));
    return ok(attached.sort((a, b) => orderOf(a) - orderOf(b)).map(referenceOf));
  };

/**
 * GET /internal/v1/media/:mediaId: the bytes as uploaded, with content-type, content-length and
 * x-sha256; cut off if what is stored was altered.
 */
export const createMediumRoute =
  ({ media, storage }: Deps) =>
  async (request: Request): Promise<Reply> => {
    const { identityId } = claimsOf(request);
    const medium = await media.find(String(request.params.mediaId), identityId);
    if (!medium) throw new ApiError('NOT_FOUND');
    return {
      status: 200,
      stream: await begun(storage.open(medium, keyOf(request))),
      headers: {
        'content-type': medium.contentType,
        'content-length': String(medium.bytes),
        'x-sha256': medium.sha256,
      },
    };
  };

const ID = /^[A-Za-z0-9_-]{20,64}$/;

/** The refusal of a crop that another call stored or is storing; any other error is thrown. */
const conflictIn = (error: unknown): ApiError => {
  if (error instanceof ApiError && error.status === ERRORS.STATE_CONFLICT.status) return error;
  throw error;
};

/**
 * PUT /internal/v1/evidences/:evidenceId/crops/:mediaId?original=<mediaId>: a crop of one of the
 * evidence's images, from the worker. Repeating it changes nothing. 404 when the evidence is
 * deleted: nothing of it comes back.
 */
export const createCropRoute = ({ evidences, media, storage }: Deps) => {
  const isCropOf = async (evidenceId: string, identityId: string, original: string): Promise<boolean> => {
    const evidence = await evidences.find(evidenceId, identityId);
    return evidence?.media.some((reference) => reference.mediaId === original) ?? false;
  };

  /** The crop that an earlier call stored; throws `refused` where it did not finish. */
  const storedEarlier = async (id: string, { identityId, evidenceId }: Owner, refused: unknown): Promise<Medium> => {
    const there = await media.announced(id, identityId);
    if (there?.state === 'STORED' && there.evidenceId === evidenceId) return there;
    // Another call was interrupted while it stored the crop, or stores it now: it finds this one
    // when it tries again.
    if (there?.state === 'ARRIVING') await storage.discard([there]);
    throw refused;
  };

  return async (request: Request): Promise<Reply> => {
    const claims = claimsOf(request);
    const { identityId, tenantId } = claims;
    const [evidenceId, mediaId] = [String(request.params.evidenceId), String(request.params.mediaId)];
    const original = String(request.query.original ?? '');
    if (!ID.test(mediaId) || !ID.test(original)) throw new ApiError('BAD_FIELD', { field: 'original' });
    const owner = { tenantId, identityId, evidenceId };
    const arrival = { part: 'crop', role: 'CROP', content: 'ANY', maxBytes: fileBytesOf(claims) } as const;
    const whatCame = { ...arrival, mediaId, originalMediaId: original };
    // The crop is stored before the evidence is looked up: the evidence may be deleted between a
    // lookup and the write, so only a lookup after the write is safe.
    const stored = await storage.store(owner, keyOf(request), whatCame, request).catch(conflictIn);
    if (!(await isCropOf(evidenceId, identityId, original))) {
      if (!(stored instanceof ApiError)) await storage.discard([stored]);
      throw new ApiError('NOT_FOUND');
    }
    return ok(referenceOf(stored instanceof ApiError ? await storedEarlier(mediaId, owner, stored) : stored));
  };
};
