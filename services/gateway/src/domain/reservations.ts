import { type EvidenceType, type IdentityOperationName, present, todayAt } from '@assay/contracts';
import { armedFor, armedWithout, rearmed } from './armed.ts';
import { type ChangeResult, type IdentityChange, refuse } from './change.ts';
import { type ConsentRuleName, consentMissing } from './consent-rules.ts';
import { BOUNDS, type Identity, isFull, secondsAfter } from './identity.ts';
import { whyNotAddable } from './transaction.ts';

/** How long a reservation is valid without being renewed. */
const RESERVATION_LEASE_SECONDS = 15;

/** The entries of a list but the one of this evidence. */
export const without = <T extends { evidenceId: string }>(list: readonly T[], evidenceId: string): T[] =>
  list.filter((entry) => entry.evidenceId !== evidenceId);

export interface Submission {
  evidenceId: string;
  type: EvidenceType;
  operation: IdentityOperationName;
  consent: ConsentRuleName;
}

/** Whether a submission has become an evidence. */
export const isTaken = ({ evidences }: Pick<Identity, 'evidences'>, evidenceId: string): boolean =>
  evidences.some((known) => known.evidenceId === evidenceId);

/**
 * Reserves a place for a submission before its bytes go to evidence-intake: from now on the
 * identity is PROCESSING.
 */
export const reserve = (identity: Identity, submission: Submission, now: Date): ChangeResult => {
  const refused = whyNotAddable(identity);
  if (refused) return refuse(refused);
  const { evidenceId, type, operation } = submission;
  const isRepeated = isTaken(identity, evidenceId);
  // The request that is repeated was taken in while the consent was in force.
  const missing = isRepeated ? undefined : consentMissing(identity.consents, submission.consent, todayAt(now));
  if (missing) return missing;
  const others = without(identity.reservations, evidenceId);
  if (isFull({ evidences: without(identity.evidences, evidenceId), reservations: others }))
    return refuse('STATE_CONFLICT');
  if (others.length >= BOUNDS.reservations) return refuse('TOO_MANY_REQUESTS');
  const leaseUntil = secondsAfter(now, RESERVATION_LEASE_SECONDS);
  const before = identity.reservations.find((entry) => entry.evidenceId === evidenceId);
  // A repeat, of a submission on its way or of one that arrived, takes no further outcome.
  const isNew = !before && !isRepeated;
  const play = isNew ? armedFor(identity, operation) : before?.play;
  const reservation = { evidenceId, type, operation, at: now, leaseUntil, ...present({ play }) };
  const armed = isNew ? armedWithout(identity, operation) : {};
  // A repeat keeps its place: of two outcomes that come back, the one armed last is for the next.
  const reservations = before
    ? identity.reservations.map((entry) => (entry === before ? reservation : entry))
    : [...others, reservation];
  return { set: { reservations, ...armed }, events: [] };
};

/** The submission still runs: its reservation is renewed. */
export const renew = (identity: Identity, evidenceId: string, now: Date): IdentityChange | undefined =>
  identity.reservations.some((entry) => entry.evidenceId === evidenceId)
    ? {
        set: {
          reservations: identity.reservations.map((entry) =>
            entry.evidenceId === evidenceId
              ? { ...entry, leaseUntil: secondsAfter(now, RESERVATION_LEASE_SECONDS) }
              : entry,
          ),
        },
        events: [],
      }
    : undefined;

/** The submission was refused: the reservation goes. */
export const release = (identity: Identity, evidenceId: string): IdentityChange | undefined => {
  const reservation = identity.reservations.find((entry) => entry.evidenceId === evidenceId);
  if (!reservation) return undefined;
  return {
    set: { reservations: without(identity.reservations, evidenceId), ...rearmed(identity, reservation) },
    events: [],
  };
};
