import { type RetainedMedium, RetainRequestSchema } from '@assay/contracts';
import { ApiError, claimsOf, isRefusal, ok, parseBody, type Reply, unavailable } from '@assay/http';
import type { Request } from 'express';
import type { MediaStorage } from '../flows/media-storage.ts';
import type { Release } from '../flows/purge.ts';
import type { MediaStore } from '../store/media.ts';
import { begun } from './media.ts';

export interface Deps {
  media: MediaStore;
  storage: MediaStorage;
  release: Release;
}

/**
 * PUT /internal/v1/archives/:archiveId/media {mediaIds}: proof-builder's archive consists of these,
 * and they stay until it releases them. Answers their keys as they are stored, wrapped by the
 * identity's. 404 when one of them is not there. Repeating it changes nothing.
 */
export const createRetainRoute =
  ({ media }: Deps) =>
  async (request: Request): Promise<Reply> => {
    const { mediaIds } = parseBody(RetainRequestSchema, request.body);
    const retained = await media.retain(mediaIds, claimsOf(request).identityId, String(request.params.archiveId));
    if (retained.length !== new Set(mediaIds).size) throw new ApiError('NOT_FOUND');
    return ok(retained.map(({ _id, wrappedKey }): RetainedMedium => ({ mediaId: _id, wrappedKey })));
  };

/**
 * DELETE /internal/v1/archives/:archiveId/media: the archive releases its media; those of a closed
 * identity are removed. Repeating it changes nothing.
 */
export const createReleaseRoute =
  ({ release }: Deps) =>
  async (request: Request): Promise<Reply> => {
    await release(claimsOf(request).identityId, String(request.params.archiveId));
    return { status: 204 };
  };

/**
 * GET /internal/v1/archives/:archiveId/media/:mediaId: the bytes as they are stored, sealed, for
 * the archive that retains them; also of a closed identity. 503 while the store says that it does
 * not have what the archive retains still: a 404 would be taken for the end of the archive.
 */
export const createRetainedMediumRoute =
  ({ media, storage }: Deps) =>
  async (request: Request): Promise<Reply> => {
    const { archiveId, mediaId } = request.params;
    const retained = () => media.findRetained(String(mediaId), claimsOf(request).identityId, String(archiveId));
    const medium = await retained();
    if (!medium) throw new ApiError('NOT_FOUND');
    const stream = await begun(storage.openSealed(medium)).catch(async (error: unknown) => {
      throw isRefusal(error) && (await retained()) ? unavailable() : error;
    });
    return {
      status: 200,
      stream,
      headers: { 'content-type': 'application/octet-stream' },
    };
  };
