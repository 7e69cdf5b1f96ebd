import {
  type EvidenceType,
  evidenceDeleted,
  FAMILY_OF_TYPE,
  formatDateTime,
  type IdentityOperationName,
  present,
} from '@assay/contracts';
import { takenLate } from './armed.ts';
import { type ChangeResult, type IdentityChange, newEvent, refuse } from './change.ts';
import type { Evidence, Identity } from './identity.ts';
import { without } from './reservations.ts';
import { awaiting } from './status.ts';
import { restartedClock, whyNotWritable } from './transaction.ts';

/** Documents whose result is awaited; not those that wait for an operator. */
export const documentsInWork = ({ evidences }: Pick<Identity, 'evidences'>): string[] =>
  evidences
    .filter(({ type, status }) => FAMILY_OF_TYPE[type] === 'IDDOCUMENT' && status === 'PROCESSING')
    .map(({ evidenceId }) => evidenceId);

/** What evidence-intake stored. */
export interface StoredSubmission {
  evidenceId: string;
  type: EvidenceType;
  operation: IdentityOperationName;
  submitDateTime: string;
  sessionId?: string;
  /** Media that came with it; a live capture session begins without. */
  media?: readonly unknown[];
}

const hasMedia = ({ media }: StoredSubmission): boolean => media !== undefined && media.length > 0;

/**
 * Additional files are stored, not verified: no result is expected. Everything else is PROCESSING
 * until it is evaluated.
 */
export const firstStatus = (operation: IdentityOperationName): 'NOT_VERIFIED' | 'PROCESSING' =>
  operation === 'ADDITIONAL_FILE' ? 'NOT_VERIFIED' : 'PROCESSING';

const evidenceFrom = (stored: StoredSubmission): Evidence => ({
  evidenceId: stored.evidenceId,
  type: stored.type,
  operation: stored.operation,
  submitDateTime: stored.submitDateTime,
  ...(stored.sessionId === undefined ? {} : { sessionId: stored.sessionId, captured: hasMedia(stored) }),
  status: firstStatus(stored.operation),
  evidenceRevision: 0,
  publishedRevisions: [],
});

/** Kinds of which an identity has only one: a new one replaces the former. */
const SINGLE: readonly string[] = ['PORTRAIT', 'PORTRAIT_REFERENCE'];

/**
 * The former evidence that this one replaces. A live capture session replaces nothing while it has
 * no frames, and is not replaced while it is open.
 */
const replacedBy = (identity: Identity, stored: StoredSubmission): Evidence[] =>
  !SINGLE.includes(stored.type) || (stored.sessionId !== undefined && !hasMedia(stored))
    ? []
    : identity.evidences.filter(
        ({ type, evidenceId, captured, status }) =>
          type === stored.type && evidenceId !== stored.evidenceId && !(captured === false && status === 'PROCESSING'),
      );

const replacement =
  (stored: StoredSubmission, now: Date) =>
  ({ evidenceId, type, operation }: Evidence) =>
    newEvent(evidenceDeleted, {
      evidenceId,
      type,
      operation,
      reason: 'REPLACED',
      deletedAt: formatDateTime(now),
      replacedBy: stored.evidenceId,
    });

/**
 * An evidence that is there already stays as it is, with the right time of submission; a session
 * that has ended has frames.
 */
const corrected = (known: Evidence, stored: StoredSubmission): Evidence => {
  const captured = known.captured === false && hasMedia(stored);
  const submitDateTime = stored.submitDateTime;
  return captured || known.submitDateTime !== submitDateTime
    ? { ...known, submitDateTime, ...(captured ? { captured } : {}) }
    : known;
};

/**
 * Adds the stored evidence to the read model, removes its reservation and a former portrait
 * (endpoint 6: no DELETED notification). If the event arrived before the answer, the evidence is
 * there already.
 */
export const takeIn = (identity: Identity, stored: StoredSubmission, now: Date): IdentityChange | undefined => {
  if (identity.deletedEvidenceIds.includes(stored.evidenceId)) return undefined;
  const known = identity.evidences.find(({ evidenceId }) => evidenceId === stored.evidenceId);
  const reservation = identity.reservations.find(({ evidenceId }) => evidenceId === stored.evidenceId);
  const { play = reservation?.play, ...armed } = known ? {} : takenLate(identity, stored);
  const evidence = known ? corrected(known, stored) : { ...evidenceFrom(stored), ...present({ play }) };
  const reservations = without(identity.reservations, stored.evidenceId);
  const replaced = replacedBy(identity, stored);
  if (evidence === known && reservations.length === identity.reservations.length && replaced.length === 0)
    return undefined;
  const remaining = identity.evidences.filter((entry) => !replaced.includes(entry));
  const deletedEvidenceIds = [...identity.deletedEvidenceIds, ...replaced.map(({ evidenceId }) => evidenceId)];
  return {
    set: {
      ...armed,
      reservations,
      evidences: known ? remaining.map((entry) => (entry === known ? evidence : entry)) : [...remaining, evidence],
      deletedEvidenceIds,
      ...(replaced.length > 0 ? awaiting(identity, { ...identity, deletedEvidenceIds }) : {}),
    },
    events: replaced.map(replacement(stored, now)),
  };
};

/** The reserved submission is stored: adds it to the read model, and restarts the clock. */
export const commit = (
  identity: Identity,
  stored: StoredSubmission,
  lifetimeSeconds: number,
  now: Date,
): ChangeResult => {
  const refused = whyNotWritable(identity);
  if (refused) return refuse(refused);
  if (identity.deletedEvidenceIds.includes(stored.evidenceId)) return refuse('NOT_FOUND');
  const { set, unset, events } = takeIn(identity, stored, now) ?? { set: {}, events: [] };
  return { set: { ...set, ...restartedClock(lifetimeSeconds, now) }, ...present({ unset }), events };
};
