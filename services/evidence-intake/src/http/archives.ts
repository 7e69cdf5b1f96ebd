import { type HeldMedium, HoldRequestSchema } from '@assay/contracts';
import { ApiError, claimsOf, ok, parseBody, type Reply } from '@assay/http';
import type { Request } from 'express';
import type { LetGo } from '../purge.ts';
import type { MediaStore } from '../store/media.ts';
import type { Vault } from '../vault.ts';
import { begun } from './media.ts';

export interface ArchiveParts {
  media: MediaStore;
  vault: Vault;
  letGo: LetGo;
}

/**
 * PUT /internal/v1/archives/:archiveId/media {mediaIds}: proof-builder's archive consists of these, and they stay until it lets go. Answers their keys as they
 * are kept, wrapped by the identity's. 404 when one of them is not there. Repeating it changes nothing.
 */
export const createHoldRoute =
  ({ media }: ArchiveParts) =>
  async (request: Request): Promise<Reply> => {
    const { mediaIds } = parseBody(HoldRequestSchema, request.body);
    const held = await media.hold(mediaIds, claimsOf(request).identityId, String(request.params.archiveId));
    if (held.length !== new Set(mediaIds).size) throw new ApiError('NOT_FOUND');
    return ok(held.map(({ _id, wrappedKey }): HeldMedium => ({ mediaId: _id, wrappedKey })));
  };

/** DELETE /internal/v1/archives/:archiveId/media: the archive lets go; what it held of a closed identity is removed. Repeating it changes nothing. */
export const createLetGoRoute =
  ({ letGo }: ArchiveParts) =>
  async (request: Request): Promise<Reply> => {
    await letGo(claimsOf(request).identityId, String(request.params.archiveId));
    return { status: 204 };
  };

/** GET /internal/v1/archives/:archiveId/media/:mediaId: the bytes as they are stored, sealed, for the archive that holds them; also of a closed identity. */
export const createHeldMediumRoute =
  ({ media, vault }: ArchiveParts) =>
  async (request: Request): Promise<Reply> => {
    const { archiveId, mediaId } = request.params;
    const medium = await media.held(String(mediaId), claimsOf(request).identityId, String(archiveId));
    if (!medium) throw new ApiError('NOT_FOUND');
    return {
      status: 200,
      stream: await begun(vault.openSealed(medium)),
      headers: { 'content-type': 'application/octet-stream' },
    };
  };
