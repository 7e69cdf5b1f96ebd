import {
  type ErrorName,
  formatDateTime,
  identityClosed,
  identityStatusChanged,
  present,
  SHORTEST_TOMBSTONE_SECONDS,
} from '@assay/contracts';
import { leftArmed } from './armed.ts';
import { type ChangeResult, type IdentityChange, type NewEvent, newEvent, refuse } from './change.ts';
import { BOUNDS, type ClosingReason, type Identity, type ProofState, secondsAfter } from './identity.ts';
import { isBusy } from './status.ts';

/** Why nothing may be added to the identity now; undefined if it may. */
export const whyNotWritable = ({ state }: Pick<Identity, 'state'>): ErrorName | undefined => {
  if (state === 'OPEN') return undefined;
  return state === 'CLOSING' || state === 'CLOSED' ? 'CLOSED' : 'STATE_CONFLICT';
};

/**
 * Why nothing may be taken back now. A person can always withdraw while there is something to
 * withdraw, also from an identity that is paused or failed. One whose proof is built ends with it.
 */
export const whyNotTakenBack = (identity: Pick<Identity, 'state'>): ErrorName | undefined =>
  identity.state === 'PAUSED' || identity.state === 'ERROR' ? undefined : whyNotWritable(identity);

/**
 * Why a call may not add anything: the identity's state does not allow it, or it has as many
 * recorded operations as it can have. In the second case deletions are still allowed.
 */
export const whyNotAddable = (
  identity: Pick<Identity, 'state' | 'operationIds'>,
  whyNot = whyNotWritable,
): ErrorName | undefined =>
  whyNot(identity) ?? (identity.operationIds.length >= BOUNDS.operations ? 'STATE_CONFLICT' : undefined);

/** Why the identity cannot be read: it is closed, or being closed. */
export const whyNotReadable = ({ state }: Pick<Identity, 'state'>): ErrorName | undefined =>
  state === 'CLOSING' || state === 'CLOSED' ? 'CLOSED' : undefined;

/**
 * Nobody finds the identity any more: it is closed, and its answers are over. Tombstones of former
 * releases end with their answers.
 */
export const isForgotten = ({ answersUntil, forgetAt }: Pick<Identity, 'answersUntil' | 'forgetAt'>, now: Date) => {
  const until = answersUntil ?? forgetAt;
  return until !== undefined && until <= now;
};

/** Each accepted POST restarts the clock (specification, Identity status). */
export const restartedClock = (lifetimeSeconds: number, now: Date) => ({
  expiresAt: secondsAfter(now, lifetimeSeconds),
});

/** An accepted POST that changes nothing else of the identity. */
export const postAccepted = (identity: Identity, lifetimeSeconds: number, now: Date): ChangeResult => {
  const refused = whyNotWritable(identity);
  return refused ? refuse(refused) : { set: restartedClock(lifetimeSeconds, now), events: [] };
};

const statusChanged = (
  identity: Identity,
  identityStatus: 'PAUSED' | 'TIMEOUT' | 'ERROR' | 'EXPECTING_INPUT' | 'PROCESSING',
  now: Date,
  more: { expireAt?: Date; notify: boolean },
): NewEvent =>
  newEvent(identityStatusChanged, {
    identityStatus,
    completedAt: formatDateTime(now),
    ...present({ expireAt: more.expireAt && formatDateTime(more.expireAt) }),
    ...present({ sealedBusinessId: identity.sealedBusinessId }),
    notify: more.notify,
  });

export interface PauseSettings {
  enabled: boolean;
  pauseDurationSeconds: number;
}

/** Reservations still within their lease: a submission is under way. */
const liveReservations = ({ reservations }: Pick<Identity, 'reservations'>, now: Date) =>
  reservations.filter(({ leaseUntil }) => leaseUntil > now);

/** Whether the request that submits this evidence still runs. */
export const isReserved = (identity: Pick<Identity, 'reservations'>, evidenceId: string, now: Date): boolean =>
  liveReservations(identity, now).some((reservation) => reservation.evidenceId === evidenceId);

/** Removes reservations of submissions that never arrived. */
export const dropStaleReservations = (identity: Identity, now: Date): IdentityChange | undefined => {
  const live = liveReservations(identity, now);
  if (live.length === identity.reservations.length) return undefined;
  const stale = identity.reservations.filter((reservation) => !live.includes(reservation));
  return { set: { reservations: live, ...leftArmed(identity, stale) }, events: [] };
};

/**
 * Ends or pauses a transaction that has expired: it is paused if the tenant has that enabled, and a
 * pause that has expired ends. An upload that runs is waited for.
 */
export const expire = (identity: Identity, pause: PauseSettings, now: Date): IdentityChange | undefined => {
  if (identity.expiresAt > now) return undefined;
  switch (identity.state) {
    case 'OPEN': {
      if (liveReservations(identity, now).length > 0) return undefined;
      if (!pause.enabled) return beginClosing(identity, 'TIMEOUT', now);
      const expiresAt = secondsAfter(now, pause.pauseDurationSeconds);
      return {
        set: { state: 'PAUSED', expiresAt, reservations: [], ...leftArmed(identity, identity.reservations) },
        events: [statusChanged(identity, 'PAUSED', now, { expireAt: expiresAt, notify: true })],
      };
    }
    case 'PAUSED':
      return beginClosing(identity, 'TIMEOUT', now);
    case 'ERROR':
      return beginClosing(identity, 'ERROR', now);
    default:
      return undefined;
  }
};

/**
 * Resumes a paused transaction: its clock restarts. The specification has no notification for that.
 */
export const resume = (identity: Identity, lifetimeSeconds: number, now: Date): ChangeResult => {
  if (identity.state !== 'PAUSED') return refuse(whyNotReadable(identity) ?? 'STATE_CONFLICT');
  const set = { state: 'OPEN' as const, ...restartedClock(lifetimeSeconds, now) };
  const status = isBusy(identity) ? 'PROCESSING' : 'EXPECTING_INPUT';
  return { set, events: [statusChanged(identity, status, now, { notify: false })] };
};

/**
 * Work on a paused identity failed finally: ERROR, announced, and readable until the pause would
 * have ended.
 */
export const fail = (identity: Identity, now: Date): IdentityChange | undefined =>
  identity.state === 'PAUSED'
    ? { set: { state: 'ERROR' }, events: [statusChanged(identity, 'ERROR', now, { notify: true })] }
    : undefined;

/** From here on the identity answers 410; the key is destroyed next, then `close` ends it. */
export const beginClosing = (identity: Identity, reason: ClosingReason, now: Date): IdentityChange | undefined =>
  identity.state === 'CLOSING' || identity.state === 'CLOSED'
    ? undefined
    : { set: { state: 'CLOSING', closing: { reason, since: now } }, events: [] };

/** A closing is published again after this time, and then with growing intervals. */
const REPEATED_AFTER_SECONDS = 60;

/** A closing that a crash interrupted is completed by a sweep after this time. */
export const CLOSING_LEASE_SECONDS = 5;
/** A build whose lease ended this long ago is given up. */
export const BUILD_PATIENCE_SECONDS = 60;

const latest = (one: Date, other: Date): Date => (one > other ? one : other);

/** Fields that a tombstone does not have: everything that describes the person. */
const FORGOTTEN = [
  'sealedBusinessId',
  'businessRef',
  'sealedPreviousProofId',
  'previousProofId',
  'evaluated',
  'awaited',
  'otpDueAt',
  'said',
  'saidDueAt',
] as const;

/** Ids of sessions, which say nothing of the person. */
const sessionIdsOf = ({ evidences }: Identity): string[] | undefined => {
  const ids = evidences.flatMap(({ sessionId }) => sessionId ?? []);
  return ids.length > 0 ? ids : undefined;
};

/**
 * The archive that outlives the identity: a retrieved one, for a grace period from now on. If the
 * identity ended in another way, it has none.
 */
const retrievedProof = ({ proof, closing }: Identity, now: Date): ProofState | undefined => {
  if (!proof?.built || closing?.reason !== 'PROOF_RETRIEVED' || proof.built.graceUntil <= closing.since)
    return undefined;
  return { ...proof, built: { ...proof.built, graceUntil: secondsAfter(now, proof.built.graceSeconds) } };
};

/**
 * Clients find a closed identity as long as its archive can be fetched, however short the tenant's
 * time is.
 */
const findableUntil = (tombstoneSeconds: number, proof: ProofState | undefined, now: Date): Date =>
  latest(secondsAfter(now, tombstoneSeconds), proof?.built?.graceUntil ?? now);

/**
 * The last write of an identity, after its key was destroyed: sealed fields are removed, every
 * service is asked to purge, a tombstone stays. `tombstoneSeconds`: how long clients find it.
 */
export const close = (identity: Identity, tombstoneSeconds: number, now: Date): IdentityChange | undefined => {
  if (identity.state !== 'CLOSING' || !identity.closing) return undefined;
  const { reason } = identity.closing;
  const proof = retrievedProof(identity, now);
  const answersUntil = findableUntil(tombstoneSeconds, proof, now);
  const forgetAt = latest(answersUntil, secondsAfter(now, SHORTEST_TOMBSTONE_SECONDS));
  const timedOut = reason === 'TIMEOUT' ? [statusChanged(identity, 'TIMEOUT', now, { notify: true })] : [];
  return {
    set: {
      state: 'CLOSED',
      closedAt: now,
      answersUntil,
      forgetAt,
      repeatAt: secondsAfter(now, REPEATED_AFTER_SECONDS),
      consents: [],
      evidences: [],
      reservations: [],
      deletedEvidenceIds: [],
      operationIds: [],
      markers: [],
      contacts: [],
      ...present({ proof, endedSessionIds: sessionIdsOf(identity) }),
    },
    unset: [...FORGOTTEN, ...(proof ? [] : (['proof'] as const))],
    events: [
      ...timedOut,
      newEvent(identityClosed, {
        reason,
        closedAt: formatDateTime(now),
        forgetAt: formatDateTime(forgetAt),
        ...present({ proofId: proof?.proofId }),
      }),
    ],
  };
};

/** Stores the first receipt that was signed: everybody gets the same. */
export const withReceipt = (identity: Identity, receipt: { jws: string; kid: string }): IdentityChange | undefined =>
  identity.state === 'CLOSED' && !identity.receipt ? { set: { receipt }, events: [] } : undefined;
