import { type ChangeResult, type IdentityChange, isRefusal } from './change.ts';
import { BOUNDS, type Identity, type Marker } from './identity.ts';

/**
 * Adds the reply of an idempotent request to the very write that is its effect: a repeat finds both
 * or neither.
 */
export const withMarker = (identity: Identity, change: IdentityChange, marker: Marker): IdentityChange => ({
  ...change,
  set: { ...change.set, markers: [...identity.markers, marker].slice(-BOUNDS.markers) },
});

/**
 * The reply of an idempotent request; markers written by an earlier release name the lock
 * `claimId`.
 */
export const markerOf = ({ markers }: Pick<Identity, 'markers'>, lockId: string): Marker | undefined =>
  markers.find((marker) => marker.lockId === lockId || (marker as { claimId?: string }).claimId === lockId);

/**
 * Decides about an identity once for each idempotency lock: the decision and its reply are stored
 * in one write. If another request under the same lock was faster (the lease of the lock ended
 * while both waited), nothing is changed, and `replyOf` gives its reply.
 */
export const once = (lockId: string | undefined) => ({
  decide: (
    identity: Identity,
    decide: () => ChangeResult,
    replyOf: (change: IdentityChange) => Omit<Marker, 'lockId'>,
  ): ChangeResult => {
    if (lockId === undefined) return decide();
    if (markerOf(identity, lockId)) return undefined;
    const decision = decide();
    return decision === undefined || isRefusal(decision)
      ? decision
      : withMarker(identity, decision, { lockId, ...replyOf(decision) });
  },
  /** The reply of the request that had the effect, as it was written. */
  replyOf: (identity: Identity): Omit<Marker, 'lockId'> | undefined =>
    lockId === undefined ? undefined : markerOf(identity, lockId),
});
