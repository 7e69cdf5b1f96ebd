import { ApiError, ok, reply, requireToken } from '@assay/http';
import { type Express, Router } from 'express';
import type { Grant } from '../flows/grant.ts';
import type { IdentityKeys } from '../store/identity-keys.ts';

export interface InternalParts {
  keys: IdentityKeys;
  grant: Grant;
  secret: string;
}

const param = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What the other services ask of the gateway: the key that unwraps what they are handed, and a fresh grant to work on an identity again. */
export const internalRoutes =
  ({ keys, grant, secret }: InternalParts) =>
  (app: Express): void => {
    const router = Router();
    router.use(requireToken(secret));
    router.get(
      '/transport-keys/:kid',
      reply(async (request) => {
        const key = await keys.transportKey(param(request.params.kid));
        if (!key) throw new ApiError('NOT_FOUND');
        return ok({ key: key.toString('base64') });
      }),
    );
    router.post(
      '/identities/:identityId/grant',
      reply(async (request, response) =>
        ok({ claims: await grant(param(request.params.identityId), response.locals.requestId) }),
      ),
    );
    app.use('/internal/v1', router);
  };
