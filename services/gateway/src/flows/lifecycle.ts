import { type Clock, counter, createApart, type Log } from '@assay/runtime';
import type { IdentityChange } from '../domain/change.ts';
import { expireCodes } from '../domain/contacts.ts';
import { type ClosingReason, type Identity, secondsAfter } from '../domain/identity.ts';
import { endGrace, giveUpBuild } from '../domain/retrieval.ts';
import { effectiveSettings } from '../domain/settings.ts';
import { beginClosing, close, dropStaleReservations, expire } from '../domain/transaction.ts';
import type { Identities } from '../store/identities.ts';
import type { IdentityKeys } from '../store/identity-keys.ts';
import type { Tenants } from '../store/tenants.ts';
import { countEnd } from './outcome-metrics.ts';
import { accepted } from './refusal.ts';

const BATCH = 300;

/** How long after its end the notifier can open the notices of an identity that was not deleted. */
const NOTICES_OUTLIVE_SECONDS = 24 * 3600;

const closings = counter('assay_identities_closed_total', 'Identities closed', ['reason']);

export interface Deps {
  identities: Identities;
  keys: IdentityKeys;
  tenants: Tenants;
  now: Clock;
  log: Log;
  /** Called before the key is destroyed; again after a crash. */
  beforeClosing: (closing: { identityId: string; tenantId: string; reason: ClosingReason }) => Promise<unknown>;
  /** Deletes what else the gateway stores of a closing identity; again after a crash. */
  purge: (identityId: string) => Promise<void>;
}

type Closing = Pick<Identity, '_id' | 'tenantId' | 'closing' | 'sealedBusinessId'>;

const idOf = ({ _id }: Pick<Identity, '_id'>): string => _id;

/** Closing is: decide, destroy the key, then one last write; each step can be repeated. */
const closer = ({ identities, keys, tenants, now, log, beforeClosing, purge }: Deps) => {
  const settingsOf = async (tenantId: string) => effectiveSettings((await tenants.find(tenantId))?.settings ?? {});

  /** Unless the client deleted the identity, its last webhook contains the `businessId`. */
  const noticesUntil = ({ closing, sealedBusinessId }: Closing): Date | undefined => {
    if (sealedBusinessId === undefined || !closing || closing.reason === 'DELETED') return undefined;
    const until = secondsAfter(closing.since, NOTICES_OUTLIVE_SECONDS);
    // Their key cannot be made while the master key cannot be used: then the closing waits, but not
    // for notices that nobody could open any more.
    return until > now() ? until : undefined;
  };

  const finishClosing = async (ending: Closing): Promise<void> => {
    const { _id, tenantId, closing } = ending;
    const reason = closing?.reason ?? 'DELETED';
    await beforeClosing({ identityId: _id, tenantId, reason });
    await keys.destroy({ tenantId, identityId: _id }, noticesUntil(ending));
    await purge(_id);
    const { retention } = await settingsOf(tenantId);
    const at = now();
    let before: Identity | undefined;
    const closed = await identities.change(
      _id,
      (current) => {
        before = current;
        return close(current, retention.tombstoneSeconds, at);
      },
      { now: at },
    );
    if (!accepted(closed).written) return;
    closings.inc({ reason });
    if (before) countEnd(before, reason);
    log.info({ msg: 'identity.closed', identityId: _id, tenantId, reason });
  };

  const closeNow = async ({ _id }: Pick<Identity, '_id' | 'tenantId'>, reason: ClosingReason): Promise<void> => {
    const at = now();
    const begun = await identities.change(_id, (current) => beginClosing(current, reason, at), { now: at });
    await finishClosing(accepted(begun).identity);
  };

  /** Makes a decision about one identity, and finishes the closing if the decision begins it. */
  const decideOn = async (
    identityId: string,
    decide: (current: Identity) => IdentityChange | undefined,
    at: Date,
  ): Promise<void> => {
    const { identity, written } = accepted(await identities.change(identityId, decide, { now: at }));
    if (written && identity.state === 'CLOSING') await finishClosing(identity);
  };

  /** Pauses or ends one transaction if its time is up. */
  const expireNow = async ({ _id, tenantId }: Pick<Identity, '_id' | 'tenantId'>): Promise<void> => {
    const { pauseResume } = await settingsOf(tenantId);
    const at = now();
    await decideOn(_id, (current) => expire(current, pauseResume, at), at);
  };

  return { finishClosing, closeNow, decideOn, expireNow };
};

export type Lifecycle = ReturnType<typeof createLifecycle>;

/** Expiry, pause and the end of transactions. */
export const createLifecycle = (deps: Deps) => {
  const { identities, now, log } = deps;
  const apart = createApart({ sweeper: 'lifecycle', log });
  const { finishClosing, closeNow, decideOn, expireNow } = closer(deps);

  /**
   * Does everything that is due for one identity. It was found for one of the reasons below, and
   * may have changed since: each decision looks at its own time, on the identity as it is.
   */
  const doDue = async (identity: Identity, at: Date): Promise<void> => {
    const { _id, state, expiresAt, reservations = [], otpDueAt, forgetAt } = identity;
    if (['OPEN', 'PAUSED', 'ERROR'].includes(state) && expiresAt <= at) await expireNow(identity);
    if (reservations[0] && reservations[0].leaseUntil <= at)
      await decideOn(_id, (current) => dropStaleReservations(current, at), at);
    if (otpDueAt && otpDueAt <= at) await decideOn(_id, (current) => expireCodes(current, at), at);
    if (state === 'CLOSING') await finishClosing(identity);
    if (state === 'PROVING') await decideOn(_id, (current) => endGrace(current, at) ?? giveUpBuild(current, at), at);
    if (forgetAt && forgetAt <= at) await identities.forget(_id, at);
  };

  const sweep = async (): Promise<'nothing' | undefined> => {
    const at = now();
    const due = await identities.due(at, { limit: BATCH, except: apart.resting() });
    await apart.each(due, idOf, (identity) => doDue(identity, at));
    return due.length === 0 ? 'nothing' : undefined;
  };

  return { closeNow, expireNow, sweep };
};
