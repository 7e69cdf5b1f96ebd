import {
  type DataOf,
  ERRORS,
  type EvaluatedEvidence,
  evaluationPublished,
  type evidenceEvaluated,
  formatDateTime,
  isStable,
  present,
} from '@assay/contracts';
import { applied, type IdentityChange, type NewEvent, newEvent } from './change.ts';
import { BOUNDS, type Evidence, type Identity, type Reservation } from './identity.ts';
import { identityStatusOf } from './status.ts';
import { fail } from './transaction.ts';

type Evaluated = DataOf<typeof evidenceEvaluated>;

/** The evidence after this evaluation, without members that only an older evaluation had. */
const evaluatedEvidence = (before: Evidence, evaluated: EvaluatedEvidence): Evidence => {
  const { sessionId, captured, play } = before;
  const { strength, score, errors, referenceIds, portraitQuality, portraitData, sealedData } = evaluated;
  return {
    evidenceId: before.evidenceId,
    operation: before.operation,
    submitDateTime: before.submitDateTime,
    publishedRevisions: before.publishedRevisions,
    ...present({ sessionId, captured, play }),
    type: evaluated.type,
    status: evaluated.status,
    evidenceRevision: evaluated.evidenceRevision,
    isAdjudicable: evaluated.isAdjudicable,
    evaluationDateTime: evaluated.evaluationDateTime,
    positiveIndicators: evaluated.positiveIndicators,
    warningIndicators: evaluated.warningIndicators,
    unverifiedIndicators: evaluated.unverifiedIndicators,
    ...present({ strength, score, errors, referenceIds, portraitQuality, portraitData, sealedData }),
  };
};

/** The evidence of a reservation: its evaluation arrived before the submission was answered. */
const reservedEvidence = ({ evidenceId, type, operation, at, play }: Reservation): Evidence => ({
  evidenceId,
  type,
  operation,
  submitDateTime: formatDateTime(at),
  status: 'PROCESSING',
  evidenceRevision: 0,
  publishedRevisions: [],
  ...present({ play }),
});

/** An identity to which some of the evaluated evidence was applied. */
interface Applied {
  identity: Identity;
  toPublish: { evidence: Evidence; operation: 'CREATED' | 'UPDATED'; completedAt: string }[];
  /** Whether a new evaluation says that the work failed finally. */
  gaveUp: boolean;
}

const withEvidence = (identity: Identity, evidence: Evidence): Pick<Identity, 'evidences' | 'reservations'> => {
  const isThis = ({ evidenceId }: { evidenceId: string }) => evidenceId === evidence.evidenceId;
  const { evidences, reservations } = identity;
  return {
    evidences: evidences.some(isThis)
      ? evidences.map((entry) => (isThis(entry) ? evidence : entry))
      : [...evidences, evidence],
    reservations: reservations.filter((entry) => !isThis(entry)),
  };
};

/** Its work failed for good before: an evaluation for another reason is no new failure. */
const hadFailed = ({ errors = [] }: Evidence): boolean =>
  errors.some(({ code }) => code === ERRORS.PROCESSING_FAILED.code);

const applyOne = (soFar: Applied, evaluated: EvaluatedEvidence): Applied => {
  const { identity, toPublish, gaveUp } = soFar;
  const { evidenceId, evidenceRevision, evaluationDateTime: completedAt } = evaluated;
  if (identity.deletedEvidenceIds.includes(evidenceId)) return soFar;
  const reservation = identity.reservations.find((entry) => entry.evidenceId === evidenceId);
  const known = identity.evidences.find((entry) => entry.evidenceId === evidenceId);
  const before = known ?? (reservation && reservedEvidence(reservation));
  if (!before) return soFar;
  const { publishedRevisions } = before;
  const isNewer = evidenceRevision > before.evidenceRevision;
  const isDue = evaluated.changed && isStable(evaluated.status) && !publishedRevisions.includes(evidenceRevision);
  if (!isNewer && !isDue && !reservation) return soFar;
  const evidence = {
    ...(isNewer ? evaluatedEvidence(before, evaluated) : before),
    publishedRevisions: isDue
      ? [...publishedRevisions, evidenceRevision].slice(-BOUNDS.publishedRevisions)
      : publishedRevisions,
  };
  const operation = publishedRevisions.length === 0 ? ('CREATED' as const) : ('UPDATED' as const);
  return {
    identity: { ...identity, ...withEvidence(identity, evidence) },
    toPublish: isDue ? [...toPublish, { evidence, operation, completedAt }] : toPublish,
    gaveUp: gaveUp || (isNewer && evaluated.proof.progress === 'ERROR' && !hadFailed(before)),
  };
};

const publicationOf = (
  identity: Identity,
  { evidence, operation, completedAt }: Applied['toPublish'][number],
): NewEvent => {
  const { sealedBusinessId } = identity;
  const simulatedFailures = operation === 'CREATED' ? evidence.play?.webhookFailures : undefined;
  return newEvent(evaluationPublished, {
    identityStatus: identityStatusOf(identity),
    completedAt,
    ...present({ sealedBusinessId }),
    evidence: { evidenceId: evidence.evidenceId, evidenceType: evidence.type, evidenceOperation: operation },
    ...present({ simulatedFailures }),
  });
};

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
export const applyEvaluation = (identity: Identity, evaluation: Evaluated, now: Date): IdentityChange | undefined => {
  if (identity.state === 'CLOSING' || identity.state === 'CLOSED') return undefined;
  const untouched: Applied = { identity, toPublish: [], gaveUp: false };
  const { identity: after, toPublish, gaveUp } = evaluation.evidences.reduce(applyOne, untouched);
  const newer = evaluation.caseRevision > identity.caseRevision;
  // Also for the same revision: an event without a basis may have arrived first.
  const isInForce = evaluation.caseRevision >= identity.caseRevision && restsOn(evaluation, identity.awaited);
  if (after === identity && !newer && !isInForce) return undefined;
  const { evidences, reservations } = after;
  const set = {
    evidences,
    reservations,
    ...(newer
      ? {
          caseRevision: evaluation.caseRevision,
          evaluated: evaluation.identity,
          ...policyInForce(identity, evaluation),
        }
      : {}),
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
