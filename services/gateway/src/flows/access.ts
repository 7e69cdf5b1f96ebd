import { type Consent, formatDateTime, type WrappedKey } from '@assay/contracts';
import { ApiError, type CallClaims } from '@assay/http';
import type { Clock } from '@assay/runtime';
import { openJson, sealingContext, sealJson } from '@assay/sealing';
import type { Identity } from '../domain/identity.ts';
import { verificationSettings } from '../domain/settings.ts';
import { whyNotReadable } from '../domain/transaction.ts';
import type { EvidenceData, OpenData } from '../domain/views.ts';
import { type Call, param, tenantOf } from '../http/call.ts';
import type { Identities } from '../store/identities.ts';
import type { IdentityKeys } from '../store/identity-keys.ts';
import type { Lifecycle } from './lifecycle.ts';

/** An identity somebody may work on, with its key. */
export interface Opened {
  identity: Identity;
  dataKey: Buffer;
}

export interface AccessParts {
  identities: Identities;
  keys: IdentityKeys;
  lifecycle: Lifecycle;
  clock: Clock;
}

/** The newest record of each type: all a reader needs to know what is in force. */
export const newestConsents = (consents: readonly Consent[]): Consent[] => [
  ...new Map(consents.map((consent) => [consent.type, consent])).values(),
];

export type Access = ReturnType<typeof createAccess>;

/** Finding the identity a call names, within the caller's tenant, and what may be done with its key. */
export const createAccess = ({ identities, keys, lifecycle, clock }: AccessParts) => {
  /** The identity of the call, also when it is closed. 404 for one that is unknown, another tenant's, or forgotten: never told apart. */
  const findOf = async (call: Call, identityId: string): Promise<Identity> => {
    const { tenantId } = tenantOf(call);
    const identity = await identities.find(tenantId, identityId);
    if (!identity || (identity.forgetAt && identity.forgetAt <= clock())) throw new ApiError('NOT_FOUND');
    const due = identity.expiresAt <= clock() && ['OPEN', 'PAUSED', 'ERROR'].includes(identity.state);
    if (!due) return identity;
    await lifecycle.expireNow(identity);
    return (await identities.find(tenantId, identityId)) ?? identity;
  };

  const find = (call: Call): Promise<Identity> => findOf(call, param(call, 'identityId'));

  const openOf = async (call: Call, identityId: string): Promise<Opened> => {
    const [identity, dataKey] = await Promise.all([findOf(call, identityId), keys.find(identityId)]);
    if (whyNotReadable(identity) || !dataKey) throw new ApiError('CLOSED');
    return { identity, dataKey };
  };

  /** The identity of the call, open for reading. 410 once it is closed. */
  const open = (call: Call): Promise<Opened> => openOf(call, param(call, 'identityId'));

  /** The identity of the call for what needs no key. 410 once it is closed. */
  const read = async (call: Call): Promise<Identity> => {
    const identity = await find(call);
    const refused = whyNotReadable(identity);
    if (refused) throw new ApiError(refused);
    return identity;
  };

  const contextOf = ({ tenantId, _id }: Identity, purpose: string) => sealingContext(tenantId, _id, purpose);

  return {
    find,
    open,
    openOf,
    read,

    wrap: ({ identity, dataKey }: Opened): Promise<WrappedKey> => keys.wrap(dataKey, identity._id),

    seal: ({ identity, dataKey }: Opened, purpose: string, value: unknown): string =>
      sealJson(dataKey, contextOf(identity, purpose), value),

    unseal: <T>({ identity, dataKey }: Opened, purpose: string, sealed: string): T =>
      openJson<T>(dataKey, contextOf(identity, purpose), sealed),

    /** Opens what is sealed with each evidence. */
    dataOf:
      ({ identity, dataKey }: Opened): OpenData =>
      ({ sealedData }) =>
        sealedData === undefined
          ? {}
          : openJson<EvidenceData>(dataKey, contextOf(identity, 'evidence-data'), sealedData),

    /** What an internal call for this identity is granted. The policy is the one the identity began with; the switches are the tenant's of now. */
    claims: async (call: Call, opened: Opened, more: Partial<CallClaims> = {}): Promise<CallClaims> => {
      const { identity, dataKey } = opened;
      const { effective } = tenantOf(call);
      return {
        tenantId: identity.tenantId,
        identityId: identity._id,
        role: call.key.role,
        requestId: call.requestId,
        key: await keys.wrap(dataKey, identity._id),
        consents: newestConsents(identity.consents),
        settings: { ...verificationSettings(effective, ''), policy: identity.settings.policy },
        limits: { maxFileBytes: effective.limits.maxFileBytes },
        sessionTimeoutSeconds: effective.liveCapture.timeoutSeconds,
        keepVideo: effective.videosInProof,
        identityCreatedAt: formatDateTime(identity.createdAt),
        ...more,
      };
    },
  };
};
