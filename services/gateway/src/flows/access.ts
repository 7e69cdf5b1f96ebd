import { setTimeout as pause } from 'node:timers/promises';
import { type Consent, formatDateTime } from '@assay/contracts';
import { ApiError, type CallClaims, unavailable } from '@assay/http';
import type { Clock } from '@assay/runtime';
import { noticeKeyOf, openJson, sealingContext, sealJson } from '@assay/sealing';
import type { Identity } from '../domain/identity.ts';
import { playOf } from '../domain/sandbox.ts';
import { verificationSettings } from '../domain/settings.ts';
import { isStale } from '../domain/status.ts';
import { isForgotten, whyNotReadable } from '../domain/transaction.ts';
import type { EvidenceData, OpenData } from '../domain/views.ts';
import type { Identities } from '../store/identities.ts';
import type { IdentityKeys } from '../store/identity-keys.ts';
import { type Caller, tenantOf } from './caller.ts';
import type { Lifecycle } from './lifecycle.ts';

/** An identity that accepts changes, with its key. */
export interface Opened {
  identity: Identity;
  dataKey: Buffer;
}

export interface Deps {
  identities: Identities;
  keys: IdentityKeys;
  lifecycle: Lifecycle;
  now: Clock;
}

/** What the id of the former proof is sealed for. */
export const PREVIOUS_PROOF = 'previous-proof';

const PATIENCE_MS = 3000;
const LOOKED_EVERY_MS = 15;

/** The newest consent of each type: it decides what is in force. */
export const newestConsents = (consents: readonly Consent[]): Consent[] => [
  ...new Map(consents.map((consent) => [consent.type, consent])).values(),
];

export type Access = ReturnType<typeof createAccess>;

/**
 * A reader sees the effect of every answered call, and of today's date (decision 22). Waits for
 * the evaluation after a deletion, a change of consents or the end of a day; 503 where it does not
 * come.
 */
const createInForce =
  (now: Clock) =>
  async <T>(read: () => Promise<T>, identityOf: (found: T) => Identity): Promise<T> => {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const found = await read();
      if (whyNotReadable(identityOf(found)) || !isStale(identityOf(found), now())) return found;
      if (performance.now() >= deadline) throw unavailable();
      await pause(LOOKED_EVERY_MS);
    }
  };

const contextOf = ({ tenantId, _id }: Identity, purpose: string) => sealingContext(tenantId, _id, purpose);

/** An identity as it was read, or closed where it has expired; 404 where it is forgotten. */
const currentOf =
  ({ identities, lifecycle, now }: Pick<Deps, 'identities' | 'lifecycle' | 'now'>) =>
  async (tenantId: string, identity: Identity | null): Promise<Identity> => {
    if (!identity || isForgotten(identity, now())) throw new ApiError('NOT_FOUND');
    const due = identity.expiresAt <= now() && ['OPEN', 'PAUSED', 'ERROR'].includes(identity.state);
    if (!due) return identity;
    await lifecycle.expireNow(identity);
    return (await identities.find(tenantId, identity._id)) ?? identity;
  };

const requireOwn = ({ session }: Caller, identityId: string): void => {
  if (session && session.identityId !== identityId) throw new ApiError('NOT_FOUND');
};

/** Finds the identity that a call names, within the caller's tenant. */
const finders = (deps: Deps) => {
  const { identities, keys } = deps;
  const current = currentOf(deps);
  const inForce = createInForce(deps.now);

  /**
   * The identity, also when it is closed. 404 for one that is unknown, another tenant's, or
   * forgotten: the answers do not differ.
   */
  const find = async (caller: Caller, identityId: string): Promise<Identity> => {
    const { tenantId } = tenantOf(caller);
    requireOwn(caller, identityId);
    return current(tenantId, await identities.find(tenantId, identityId));
  };

  const openWith = async (tenantId: string, identityId: string, reading: Promise<Identity>): Promise<Opened> => {
    const [identity, cached] = await Promise.all([reading, keys.hold({ tenantId, identityId })]);
    if (whyNotReadable(identity) || !cached) throw new ApiError('CLOSED');
    return { identity, dataKey: cached.key };
  };

  /** The identity, open for reading. 410 once it is closed. */
  const open = (caller: Caller, identityId: string): Promise<Opened> =>
    openWith(tenantOf(caller).tenantId, identityId, find(caller, identityId));

  return {
    find,
    open,

    /** As `open`, the identity that has this session. */
    openSession: async (caller: Caller, sessionId: string): Promise<Opened> => {
      const { tenantId } = tenantOf(caller);
      const found = await identities.findBySession(tenantId, sessionId);
      if (!found) throw new ApiError('NOT_FOUND');
      requireOwn(caller, found._id);
      return openWith(tenantId, found._id, current(tenantId, found));
    },

    /** As `open`, with everything that was answered in force. */
    openInForce: (caller: Caller, identityId: string): Promise<Opened> =>
      inForce(
        () => open(caller, identityId),
        ({ identity }) => identity,
      ),

    /**
     * The identity for what needs no key, with everything that was answered in force. 410 once it
     * is closed.
     */
    read: async (caller: Caller, identityId: string): Promise<Identity> => {
      const identity = await inForce(
        () => find(caller, identityId),
        (found) => found,
      );
      const refused = whyNotReadable(identity);
      if (refused) throw new ApiError(refused);
      return identity;
    },
  };
};

/** Opens what clients call the person, and the proof before. */
const clientNames = {
  /** What the relying service calls the person. */
  businessIdOf: ({ identity, dataKey }: Opened): string | undefined =>
    identity.sealedBusinessId === undefined
      ? undefined
      : openJson<string>(noticeKeyOf(dataKey), contextOf(identity, 'business-id'), identity.sealedBusinessId),

  /** The proof that this one continues. Former releases stored it in clear. */
  previousProofIdOf: ({ identity, dataKey }: Opened): string | undefined =>
    identity.sealedPreviousProofId === undefined
      ? identity.previousProofId
      : openJson<string>(dataKey, contextOf(identity, PREVIOUS_PROOF), identity.sealedPreviousProofId),
};

/** Finds an identity, and uses its key. */
export const createAccess = (deps: Deps) => {
  return {
    ...finders(deps),
    ...clientNames,

    seal: ({ identity, dataKey }: Opened, purpose: string, value: unknown): string =>
      sealJson(dataKey, contextOf(identity, purpose), value),

    /** Sealed for the notifier, which opens nothing else of the identity. */
    sealNotice: ({ identity, dataKey }: Opened, purpose: string, value: unknown): string =>
      sealJson(noticeKeyOf(dataKey), contextOf(identity, purpose), value),

    unseal: <T>({ identity, dataKey }: Opened, purpose: string, sealed: string): T =>
      openJson<T>(dataKey, contextOf(identity, purpose), sealed),

    /** Opens what is sealed with each evidence. */
    dataOf:
      ({ identity, dataKey }: Opened): OpenData =>
      ({ sealedData }) =>
        sealedData === undefined
          ? {}
          : openJson<EvidenceData>(dataKey, contextOf(identity, 'evidence-data'), sealedData),

    /**
     * What an internal call for this identity may do. The policy is the one the identity began
     * with; the settings are the tenant's present ones.
     */
    claims: (caller: Caller, { identity, dataKey }: Opened, more: Partial<CallClaims> = {}): CallClaims => {
      const { effective } = tenantOf(caller);
      return {
        tenantId: identity.tenantId,
        identityId: identity._id,
        role: caller.role,
        requestId: caller.requestId,
        key: dataKey,
        consents: newestConsents(identity.consents),
        settings: {
          ...verificationSettings(effective, ''),
          policy: identity.settings.policy,
          ...playOf(identity, effective, more.evidenceId),
        },
        limits: { maxFileBytes: effective.limits.maxFileBytes },
        sessionTimeoutSeconds: effective.liveCapture.timeoutSeconds,
        keepVideo: effective.videosInProof,
        identityCreatedAt: formatDateTime(identity.createdAt),
        ...more,
      };
    },
  };
};
