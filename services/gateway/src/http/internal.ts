import {
  ApiError,
  claimsOf,
  type InternalKeys,
  ok,
  type Reply,
  reply,
  requireToken,
  type ServiceName,
  wrapFor,
} from '@assay/http';
import type { CachedKey } from '@assay/sealing';
import { type Express, type Request, Router } from 'express';
import { awaitsCode } from '../domain/contacts.ts';
import type { Grant } from '../flows/grant.ts';
import type { Identities } from '../store/identities.ts';
import type { IdentityKeys } from '../store/identity-keys.ts';

export interface InternalDeps {
  identities: Pick<Identities, 'find'>;
  keys: IdentityKeys;
  grant: Grant;
  internalKeys: InternalKeys;
}

/**
 * The services that open what is sealed under an identity's key without being called by the
 * gateway, which would hand it to them.
 */
const OPENING: readonly ServiceName[] = ['verification-worker', 'issuing-source-adapter'];
/** The service that tells clients and persons. */
const TELLING: readonly ServiceName[] = ['notifier'];
/** The service whose sweeps continue with an identity that no request is about. */
const RESUMING: readonly ServiceName[] = ['evidence-intake'];

/**
 * What the other services ask of the gateway: the key of an identity for as long as it is not
 * closed, or a one-time code of it can be confirmed (`codeId`), and a fresh grant to work on it
 * again.
 */
export const internalRoutes =
  ({ identities, keys, grant, internalKeys }: InternalDeps) =>
  (app: Express): void => {
    /** The identity of the token, which has to be the path's. */
    const ownerOf = (request: Request): { tenantId: string; identityId: string } => {
      const { tenantId, identityId } = claimsOf(request);
      if (request.params.identityId !== identityId) throw new ApiError('WRONG_ROLE');
      return { tenantId, identityId };
    };
    const keyReply = (request: Request, cached: CachedKey | undefined): Reply => {
      if (!cached) throw new ApiError('CLOSED');
      const { service, identityId } = claimsOf(request);
      return ok({
        wrapped: wrapFor(internalKeys, service as ServiceName, cached.key, identityId),
        holdMs: cached.holdMs,
      });
    };
    /** Throws once the code that the key is asked for cannot be confirmed any more. */
    const requireAwaited = async (request: Request): Promise<void> => {
      const { codeId } = request.query;
      if (codeId === undefined) return;
      const { tenantId, identityId } = ownerOf(request);
      const identity = await identities.find(tenantId, identityId);
      if (!identity || !awaitsCode(identity, String(codeId))) throw new ApiError('CLOSED');
    };
    const router = Router();
    router.get(
      '/identities/:identityId/key',
      requireToken(internalKeys, OPENING),
      reply(async (request) => keyReply(request, await keys.hold(ownerOf(request)))),
    );
    router.get(
      '/identities/:identityId/notice-key',
      requireToken(internalKeys, TELLING),
      reply(async (request) => {
        await requireAwaited(request);
        return keyReply(request, await keys.holdNotice(ownerOf(request)));
      }),
    );
    router.post(
      '/identities/:identityId/grant',
      requireToken(internalKeys, RESUMING),
      reply(async (request, response) =>
        ok({ claims: await grant(ownerOf(request).identityId, response.locals.requestId) }),
      ),
    );
    app.use('/internal/v1', router);
  };
