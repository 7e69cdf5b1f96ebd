import {
  type DataOf,
  type EvaluatedEvidence,
  evaluationPublished,
  type evidenceEvaluated,
  formatDateTime,
  isStable,
} from '@assay/contracts';
import { applied, type IdentityChange, type NewEvent, newEvent } from './change.ts';
import { BOUNDS, type Evidence, type Identity } from './identity.ts';
import { identityStatusOf } from './status.ts';
import { fail } from './transaction.ts';

type Evaluated = DataOf<typeof evidenceEvaluated>;

const optional = <K extends string, V>(key: K, value: V | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { [key in K]?: V };

/** The evidence after this evaluation, without members that only an older evaluation had. */
const evaluatedBy = (before: Evidence, by: EvaluatedEvidence): Evidence => ({
  evidenceId: before.evidenceId,
  operation: before.operation,
  submitDateTime: before.submitDateTime,
  publishedRevisions: before.publishedRevisions,
  ...optional('sessionId', before.sessionId),
  ...optional('captured', before.captured),
  ...optional('play', before.play),
  type: by.type,
  status: by.status,
  evidenceRevision: by.evidenceRevision,
  isAdjudicable: by.isAdjudicable,
  evaluationDateTime: by.evaluationDateTime,
  positiveIndicators: by.positiveIndicators,
  warningIndicators: by.warningIndicators,
  unverifiedIndicators: by.unverifiedIndicators,
  ...optional('strength', by.strength),
  ...optional('score', by.score),
  ...optional('errors', by.errors),
  ...optional('referenceIds', by.referenceIds),
  ...optional('portraitQuality', by.portraitQuality),
  ...optional('portraitData', by.portraitData),
  ...optional('sealedData', by.sealedData),
});

/** The evidence of a reservation: its evaluation arrived before the submission was answered. */
const fromReservation = (identity: Identity, evidenceId: string): Evidence | undefined => {
  const reservation = identity.reservations.find((entry) => entry.evidenceId === evidenceId);
  return (
    reservation && {
      evidenceId,
      type: reservation.type,
      operation: reservation.operation,
      submitDateTime: formatDateTime(reservation.at),
      status: 'PROCESSING',
      evidenceRevision: 0,
      publishedRevisions: [],
      ...optional('play', reservation.play),
    }
  );
};

interface Step {
  identity: Identity;
  toPublish: { evidence: Evidence; operation: 'CREATED' | 'UPDATED'; completedAt: string }[];
  /** Whether a new evaluation says that the work failed finally. */
  gaveUp: boolean;
}

const applyOne = (step: Step, by: EvaluatedEvidence): Step => {
  const { identity, toPublish } = step;
  const { evidenceId } = by;
  const known = identity.evidences.find((entry) => entry.evidenceId === evidenceId);
  const before = known ?? fromReservation(identity, evidenceId);
  if (!before || identity.deletedEvidenceIds.includes(evidenceId)) return step;
  const isNewer = by.evidenceRevision > before.evidenceRevision;
  const isDue = by.changed && isStable(by.status) && !before.publishedRevisions.includes(by.evidenceRevision);
  const isReserved = identity.reservations.some((entry) => entry.evidenceId === evidenceId);
  if (!isNewer && !isDue && !isReserved) return step;
  const publishedRevisions = isDue
    ? [...before.publishedRevisions, by.evidenceRevision].slice(-BOUNDS.publishedRevisions)
    : before.publishedRevisions;
  const evidence = { ...(isNewer ? evaluatedBy(before, by) : before), publishedRevisions };
  const set = {
    evidences: known
      ? identity.evidences.map((entry) => (entry === known ? evidence : entry))
      : [...identity.evidences, evidence],
    reservations: identity.reservations.filter((entry) => entry.evidenceId !== evidenceId),
  };
  const operation = before.publishedRevisions.length === 0 ? ('CREATED' as const) : ('UPDATED' as const);
  const completedAt = by.evaluationDateTime;
  return {
    identity: applied(identity, { set }),
    toPublish: isDue ? [...toPublish, { evidence, operation, completedAt }] : toPublish,
    gaveUp: step.gaveUp || (isNewer && by.proof.progress === 'ERROR'),
  };
};

const publicationOf = (identity: Identity, { evidence, operation, completedAt }: Step['toPublish'][number]): NewEvent =>
  newEvent(evaluationPublished, {
    identityStatus: identityStatusOf(identity),
    completedAt,
    ...optional('sealedBusinessId', identity.sealedBusinessId),
    evidence: { evidenceId: evidence.evidenceId, evidenceType: evidence.type, evidenceOperation: operation },
    ...optional('simulatedFailures', operation === 'CREATED' ? evidence.play?.webhookFailures : undefined),
  });

/**
 * Whether an evidence of the evaluation is missing here, because its submission has not arrived.
 */
export const unknownEvidence = (identity: Identity, { evidences }: Evaluated): boolean =>
  evidences.some(
    ({ evidenceId }) =>
      !identity.evidences.some((entry) => entry.evidenceId === evidenceId) &&
      !identity.deletedEvidenceIds.includes(evidenceId) &&
      !identity.reservations.some((entry) => entry.evidenceId === evidenceId),
  );

/**
 * The proof and later submissions name the policy that is in force: another one only after a
 * re-evaluation on purpose.
 */
const policyInForce = ({ settings }: Identity, { policy }: Evaluated): Partial<Pick<Identity, 'settings'>> =>
  settings.policy.name === policy.name && settings.policy.version === policy.version
    ? {}
    : { settings: { ...settings, policy } };

const restsOn = ({ basis }: Evaluated, awaited: Identity['awaited']): boolean =>
  awaited !== undefined &&
  basis !== undefined &&
  basis.deletions >= awaited.deletions &&
  basis.consentsRevision >= awaited.consentsRevision;

/**
 * Applies one evaluation (architecture, Ordering and freshness): the part of an evidence when its
 * revision is newer, the identity's part when the case's is newer, and one evaluation.published for
 * each evaluation that was not published, the first of an evidence being CREATED. Events may come
 * in any order and more than once. Undefined when nothing is new, or the identity is closed.
 */
export const applyEvaluation = (identity: Identity, by: Evaluated, now: Date): IdentityChange | undefined => {
  if (identity.state === 'CLOSING' || identity.state === 'CLOSED') return undefined;
  const {
    identity: after,
    toPublish,
    gaveUp,
  } = by.evidences.reduce<Step>(applyOne, {
    identity,
    toPublish: [],
    gaveUp: false,
  });
  const newer = by.caseRevision > identity.caseRevision;
  // Also for the same revision: an event without a basis may have arrived first.
  const isInForce = by.caseRevision >= identity.caseRevision && restsOn(by, identity.awaited);
  if (after === identity && !newer && !isInForce) return undefined;
  const { evidences, reservations } = after;
  const set = {
    evidences,
    reservations,
    ...(newer ? { caseRevision: by.caseRevision, evaluated: by.identity, ...policyInForce(identity, by) } : {}),
  };
  const unset = isInForce ? { unset: ['awaited'] as const } : {};
  const failed = gaveUp ? fail(identity, now) : undefined;
  const final = applied(identity, { set: { ...set, ...failed?.set } });
  return {
    set: { ...set, ...failed?.set },
    ...unset,
    events: [...toPublish.map((one) => publicationOf(final, one)), ...(failed?.events ?? [])],
  };
};
