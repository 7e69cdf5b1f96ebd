import { type Change, type Decision, isRefusal } from './change.ts';
import { BOUNDS, type Identity, type Marker } from './identity.ts';

/**
 * Adds the reply of an idempotent request to the very write that is its effect: a repeat finds both or neither.
 */
export const withMarker = (identity: Identity, change: Change, marker: Marker): Change => ({
  ...change,
  set: { ...change.set, markers: [...identity.markers, marker].slice(-BOUNDS.markers) },
});

export const markedWith =
  (claimId: string | undefined, replyOf: (after: Change) => Omit<Marker, 'claimId'>) =>
  (identity: Identity, decision: Decision): Decision =>
    claimId === undefined || decision === undefined || isRefusal(decision)
      ? decision
      : withMarker(identity, decision, { claimId, ...replyOf(decision) });

export const markerOf = ({ markers }: Pick<Identity, 'markers'>, claimId: string): Marker | undefined =>
  markers.find((marker) => marker.claimId === claimId);
