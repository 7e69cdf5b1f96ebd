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

/** The same for a decision, where the request is an idempotent one. */
export const markedWith =
  (lockId: string | undefined) =>
  (
    identity: Identity,
    decision: ChangeResult,
    replyOf: (change: IdentityChange) => Omit<Marker, 'lockId'>,
  ): ChangeResult =>
    lockId === undefined || decision === undefined || isRefusal(decision)
      ? decision
      : withMarker(identity, decision, { lockId, ...replyOf(decision) });

/**
 * The reply of an idempotent request; markers written by an earlier release name the lock
 * `claimId`.
 */
export const markerOf = ({ markers }: Pick<Identity, 'markers'>, lockId: string): Marker | undefined =>
  markers.find((marker) => marker.lockId === lockId || (marker as { claimId?: string }).claimId === lockId);
