import type { Consent, InternalClaims, VerificationSettings, WrappedKey } from '@assay/contracts';
import { ApiError, type InternalClient } from '@assay/http';
import { newId } from '@assay/runtime';

export interface Grant {
  key: WrappedKey;
  consents?: Consent[];
  settings?: VerificationSettings;
}

/** Asks the gateway for the key of an identity nobody has just asked something for. */
export type AskGrant = (tenantId: string, identityId: string) => Promise<Grant | 'CLOSED'>;

/** POST /internal/v1/identities/:id/grant; 'CLOSED' when the identity is closed or forgotten: then there is nothing to do for it any more. */
export const createAskGrant =
  (gateway: InternalClient): AskGrant =>
  async (tenantId, identityId) => {
    const claims = { tenantId, identityId, requestId: newId() };
    const granted = await gateway
      .postJson<{ claims: InternalClaims }>(`/internal/v1/identities/${identityId}/grant`, claims, {})
      .catch((error: unknown) => {
        if (error instanceof ApiError && (error.status === 410 || error.status === 404)) return undefined;
        throw error;
      });
    if (!granted?.claims.key) return 'CLOSED';
    const { key, consents, settings } = granted.claims;
    return { key, ...(consents ? { consents } : {}), ...(settings ? { settings } : {}) };
  };
