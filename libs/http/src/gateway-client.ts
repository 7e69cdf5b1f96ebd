import {
  type Consent,
  GrantReplySchema,
  IdentityKeyReplySchema,
  present,
  type VerificationSettings,
} from '@assay/contracts';
import { newId } from '@assay/runtime';
import { createKeyring, type FetchKey, type Keyring } from '@assay/sealing';
import { ApiError } from './errors.ts';
import type { InternalClient } from './internal-client.ts';
import type { InternalKeys } from './internal-keys.ts';
import { unwrapFrom } from './key-wrapping.ts';

const undefinedIfClosed = (error: unknown): undefined => {
  if (error instanceof ApiError && (error.status === 410 || error.status === 404)) return undefined;
  throw error;
};

const fetcher =
  (gateway: InternalClient, keys: InternalKeys, name: 'key' | 'notice-key' | `notice-key?${string}`): FetchKey =>
  async ({ tenantId, identityId }) => {
    const path = `/internal/v1/identities/${encodeURIComponent(identityId)}/${name}`;
    const claims = { tenantId, identityId, requestId: newId() };
    const found = await gateway.getJson(path, claims, IdentityKeyReplySchema).catch(undefinedIfClosed);
    return found && { key: unwrapFrom(keys, 'gateway', found.wrapped, identityId), holdMs: found.holdMs };
  };

/**
 * The keys of the identities that this service works on, requested from the gateway while the
 * identity is not closed, and cached for a minute at most.
 */
export const identityKeyring = (gateway: InternalClient, keys: InternalKeys): Keyring =>
  createKeyring(fetcher(gateway, keys, 'key'));

/** The same for the notice keys, the only keys the notifier may have. */
export const noticeKeyring = (gateway: InternalClient, keys: InternalKeys): Keyring =>
  createKeyring(fetcher(gateway, keys, 'notice-key'));

/**
 * The notice key of an identity, for one of its one-time codes that is about to be sent. Undefined
 * once nobody can confirm the code: its contact was deleted or got another code, or the identity is
 * closed. Asked for each time, and never cached.
 */
export type AskCodeKey = (owner: Parameters<FetchKey>[0], codeId: string) => Promise<Buffer | undefined>;

/** GET /internal/v1/identities/:id/notice-key?codeId. */
export const createAskCodeKey =
  (gateway: InternalClient, keys: InternalKeys): AskCodeKey =>
  async (owner, codeId) =>
    (await fetcher(gateway, keys, `notice-key?codeId=${encodeURIComponent(codeId)}`)(owner))?.key;

/** What the gateway permits for an identity: present consents and settings. */
interface IdentityGrant {
  consents?: Consent[];
  settings?: VerificationSettings;
}

/**
 * Requests permission to work on an identity without a request of a client. Undefined if it is
 * closed or forgotten: then nothing may be done for it.
 */
export type AskGrant = (tenantId: string, identityId: string) => Promise<IdentityGrant | undefined>;

/** POST /internal/v1/identities/:id/grant. */
export const createAskGrant =
  (gateway: InternalClient): AskGrant =>
  async (tenantId, identityId) => {
    const claims = { tenantId, identityId, requestId: newId() };
    const path = `/internal/v1/identities/${encodeURIComponent(identityId)}/grant`;
    const granted = await gateway.postJson(path, claims, {}, GrantReplySchema).catch(undefinedIfClosed);
    if (!granted) return undefined;
    const { consents, settings } = granted.claims;
    return present({ consents, settings });
  };
