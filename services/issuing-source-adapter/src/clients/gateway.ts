import type { InternalClaims, WrappedKey } from '@assay/contracts';
import { ApiError, type InternalClient } from '@assay/http';
import { newId } from '@assay/runtime';

/** Asks the gateway for the key of an identity; undefined when it is closed or forgotten: then nothing may be done for it any more. */
export type AskKey = (tenantId: string, identityId: string) => Promise<WrappedKey | undefined>;

export const createAskKey =
  (gateway: InternalClient): AskKey =>
  async (tenantId, identityId) => {
    const claims = { tenantId, identityId, requestId: newId() };
    const path = `/internal/v1/identities/${identityId}/grant`;
    const granted = await gateway.postJson<{ claims: InternalClaims }>(path, claims, {}).catch((error: unknown) => {
      if (error instanceof ApiError && (error.status === 410 || error.status === 404)) return undefined;
      throw error;
    });
    return granted?.claims.key;
  };
