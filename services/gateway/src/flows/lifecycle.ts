import { type Clock, counter, type Log } from '@assay/runtime';
import { expireCodes } from '../domain/contacts.ts';
import type { ClosingReason, Identity } from '../domain/identity.ts';
import { secondsAfter } from '../domain/identity.ts';
import { buildFailed } from '../domain/retrieval.ts';
import { effectiveSettings } from '../domain/settings.ts';
import { beginClosing, close, dropStaleReservations, expire } from '../domain/transaction.ts';
import type { Identities } from '../store/identities.ts';
import type { IdentityKeys } from '../store/identity-keys.ts';
import type { Tenants } from '../store/tenants.ts';

const BATCH = 100;
/** A closing left standing by a crash is finished by whoever sweeps after this long. */
const CLOSING_LEASE_SECONDS = 5;
/** A build whose lease ended this long ago is given up. */
const BUILD_PATIENCE_SECONDS = 60;

const closings = counter('assay_identities_closed_total', 'Identities closed', ['reason']);

export interface LifecycleParts {
  identities: Identities;
  keys: IdentityKeys;
  tenants: Tenants;
  clock: Clock;
  log: Log;
  /** Called before the key is destroyed; again when a crash came between. */
  beforeClosing: (closing: { identityId: string; tenantId: string; reason: ClosingReason }) => Promise<unknown>;
  /** Called once an identity is closed: what else of it the gateway holds goes too. */
  onClosed: (identity: Identity) => Promise<void>;
}

type Closing = Pick<Identity, '_id' | 'tenantId' | 'closing'>;

export type Lifecycle = ReturnType<typeof createLifecycle>;

/** Expiry, pause and the end of transactions. Closing is: decide, destroy the key, then one last write; each step can be repeated. */
export const createLifecycle = ({ identities, keys, tenants, clock, log, beforeClosing, onClosed }: LifecycleParts) => {
  const settingsOf = async (tenantId: string) => effectiveSettings((await tenants.find(tenantId))?.settings ?? {});

  const finishClosing = async ({ _id, tenantId, closing }: Closing): Promise<void> => {
    const reason = closing?.reason ?? 'DELETED';
    await beforeClosing({ identityId: _id, tenantId, reason });
    await keys.destroy(_id);
    const { retention } = await settingsOf(tenantId);
    const now = clock();
    const { identity, written } = await identities.change(
      _id,
      (current) => close(current, retention.tombstoneSeconds, now),
      { now },
    );
    if (!written) return;
    closings.inc({ reason });
    log.info({ msg: 'identity.closed', identityId: _id, tenantId, reason });
    await onClosed(identity);
  };

  const closeNow = async (identity: Pick<Identity, '_id' | 'tenantId'>, reason: ClosingReason): Promise<void> => {
    const now = clock();
    const { identity: closing } = await identities.change(
      identity._id,
      (current) => beginClosing(current, reason, now),
      { now },
    );
    await finishClosing(closing);
  };

  /** Pauses or ends one transaction whose time is up; nothing happens to one whose time is not. */
  const expireNow = async ({ _id, tenantId }: Pick<Identity, '_id' | 'tenantId'>): Promise<void> => {
    const { pauseResume } = await settingsOf(tenantId);
    const now = clock();
    const { identity, written } = await identities.change(_id, (current) => expire(current, pauseResume, now), { now });
    if (written && identity.state === 'CLOSING') await finishClosing(identity);
  };

  const finishOne = async (identity: Identity, now: Date): Promise<void> => {
    if (identity.state === 'CLOSING') {
      const since = identity.closing?.since ?? now;
      if (secondsAfter(since, CLOSING_LEASE_SECONDS) <= now) await finishClosing(identity);
      return;
    }
    const { proof } = identity;
    if (proof?.built && proof.built.graceUntil <= now) await closeNow(identity, 'PROOF_RETRIEVED');
    if (proof && !proof.built && secondsAfter(proof.leaseUntil, BUILD_PATIENCE_SECONDS) <= now)
      await identities.change(identity._id, (current) => buildFailed(current, proof.proofId), { now });
  };

  const expireCodesOf = async ({ _id }: Pick<Identity, '_id'>, now: Date): Promise<void> => {
    const dataKey = await keys.find(_id);
    const key = dataKey && (await keys.wrap(dataKey, _id));
    await identities.change(_id, (current) => expireCodes(current, now), { now, key });
  };

  const sweep = async (): Promise<void> => {
    const now = clock();
    for (const identity of await identities.expired(now, BATCH)) await expireNow(identity);
    for (const { _id } of await identities.withStaleReservations(now, BATCH))
      await identities.change(_id, (current) => dropStaleReservations(current, now), { now });
    for (const identity of await identities.withDueCodes(now, BATCH)) await expireCodesOf(identity, now);
    for (const identity of await identities.unfinished(BATCH)) await finishOne(identity, now);
    await identities.forget(now);
  };

  return { closeNow, expireNow, sweep };
};
