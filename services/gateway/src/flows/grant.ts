import { formatDateTime, type InternalClaims } from '@assay/contracts';
import { ApiError } from '@assay/http';
import { effectiveSettings, verificationSettings } from '../domain/settings.ts';
import { whyNotReadable } from '../domain/transaction.ts';
import type { Identities } from '../store/identities.ts';
import type { IdentityKeys } from '../store/identity-keys.ts';
import type { Tenants } from '../store/tenants.ts';
import { newestConsents } from './access.ts';

export interface Deps {
  identities: Identities;
  keys: IdentityKeys;
  tenants: Tenants;
}

export type Grant = (identityId: string, requestId: string) => Promise<InternalClaims>;

/**
 * Permits a reconciler to continue with an identity: consents and settings as they are now. 410
 * once the identity is closed.
 */
export const createGrant =
  ({ identities, keys, tenants }: Deps): Grant =>
  async (identityId, requestId) => {
    const identity = await identities.read(identityId);
    const isOpen = identity && !whyNotReadable(identity) && (await keys.find(identityId)) !== undefined;
    if (!isOpen) throw new ApiError('CLOSED');
    const effective = effectiveSettings((await tenants.find(identity.tenantId))?.settings ?? {});
    return {
      service: 'gateway',
      tenantId: identity.tenantId,
      identityId,
      requestId,
      consents: newestConsents(identity.consents),
      settings: { ...verificationSettings(effective, ''), policy: identity.settings.policy },
      limits: { maxFileBytes: effective.limits.maxFileBytes },
      identityCreatedAt: formatDateTime(identity.createdAt),
    };
  };
