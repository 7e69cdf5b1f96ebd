import {
  type EvaluationDetails,
  formatDateTime,
  listIndicators,
  nameOfIndicator,
  type ParticipantDetails,
  type ParticipantState,
  type ProofEvidence,
  parseDateTime,
  present,
  type StatusAndScoring,
  statusOfIndicator,
} from '@assay/contracts';
import type { Policy } from '@assay/policy';
import type { CaseEvaluation } from './evaluate-case.ts';
import { type EvidenceEvaluation, raisedBy } from './evaluate-evidence.ts';
import { type Adjudication, agreementOf, type CaseFacts, isDocument } from './facts.ts';
import { comparisonOf } from './portrait-matching.ts';
import { mismatchesOf } from './references.ts';

const isGood = (indicator: string): boolean => ['OK', 'VERIFIED'].includes(statusOfIndicator(indicator) ?? '');

/**
 * StatusAndScoring of the proof. Its score is required: LEVEL1, the lowest, if none was reached.
 */
const statusAndScoring = (outcome: EvidenceEvaluation, policy: Policy): StatusAndScoring => {
  const { ruleResult, raised, facts } = outcome;
  return {
    score: outcome.score ?? 'LEVEL1',
    strength: ruleResult.strength,
    status: outcome.status,
    allNonOKVerifications: raised.filter((indicator) => !isGood(indicator)),
    mandatoryCheckRulesMissing: ruleResult.missing,
    ...listIndicators(raised),
    blockingIndicators: ruleResult.blocking,
    indicatorsMitigations: ruleResult.mitigations,
    isBlockingindicatorFound: ruleResult.blocking.length > 0,
    isMandatoryIndicatorMissing: ruleResult.missing.length > 0,
    isTechnicalError: facts.endedBy === 'PROCESSING_FAILED',
    strengthRuleUsed: `${policy.name}:${facts.kind}:${ruleResult.strengthType}`,
  };
};

const hasIssuer = ({ raised }: EvidenceEvaluation): boolean => raised.includes('GIV_VERIFICATION_VERIFIED');
const hasCode = ({ raised }: EvidenceEvaluation): boolean =>
  raised.includes('EMAIL_OTP_VALIDATION_OK') || raised.includes('MOBILE_OTP_VALIDATION_OK');

const PROOF_NAMES = { surname: 'surname', givenNames: 'givenNames', dateOfBirth: 'dateOfBirth' } as const;

/** What an evidence contributes to the identity (ProofEvidence). */
export const proofEvidence = (
  outcome: EvidenceEvaluation,
  evaluation: CaseEvaluation,
  facts: CaseFacts,
  policy: Policy,
): ProofEvidence => {
  const { evidenceId, type, extracted = false } = outcome.facts;
  const { nameReferenceId } = evaluation;
  const isTechnicalError = false;
  const compared = isDocument(outcome.facts) || outcome.facts.kind === 'attributes';
  const agreement =
    compared && nameReferenceId && nameReferenceId !== evidenceId
      ? agreementOf(facts, evidenceId, nameReferenceId)
      : undefined;
  const { disagree } = mismatchesOf(agreement, ['surname', 'givenNames', 'dateOfBirth']);
  return {
    id: evidenceId,
    type,
    consentApproved: outcome.consentApproved,
    ...(outcome.errors.length > 0 ? { errors: outcome.errors } : {}),
    extracted,
    externallyVerified: hasIssuer(outcome) || hasCode(outcome),
    raisedIndicators: outcome.raised,
    attributesReferenceAndConsistency: {
      isReference: nameReferenceId === evidenceId,
      isTechnicalError,
      mismatchedAttributes: disagree.map((attribute) => PROOF_NAMES[attribute]),
    },
    evidencesAdjudicationEligibility: { isAdjudicable: outcome.isAdjudicable, isTechnicalError },
    portraitMatchingReference: { isReference: evaluation.portraitReferenceId === evidenceId, isTechnicalError },
    statusAndScoring: statusAndScoring(outcome, policy),
  };
};

/**
 * EvaluationDetails of one evidence: its contribution, and the state of the identity after it. The
 * upgrade paths are most of the bytes of an evaluation; its event contains them once, with the
 * identity, and proof-builder copies them from there.
 */
export const evaluationDetails = (
  evidence: ProofEvidence,
  evaluation: CaseEvaluation,
  at: string,
  raisedLevel: boolean,
): EvaluationDetails => ({
  evaluationDateTime: at,
  evidences: [evidence],
  loaAndUpgradePath: {
    isTechnicalError: false,
    levelOfAssurance: evaluation.level,
  },
  updateOnIdentitySuccess: raisedLevel,
});

/**
 * The comparison of a portrait with its reference, as BIOMETRIC_MATCHING; absent if there was none.
 */
const matchingDetails = (outcome: EvidenceEvaluation, facts: CaseFacts): ParticipantDetails[] => {
  const { referenceId } = outcome.context;
  const { evidenceId, kind } = outcome.facts;
  const comparison = kind === 'portrait' && referenceId ? comparisonOf(facts, evidenceId, referenceId) : undefined;
  const reference = facts.evidences.find((one) => one.evidenceId === referenceId);
  if (!comparison || !reference) return [];
  const raisedIndicators = outcome.context.derived.filter((one) =>
    ['BIOMETRIC_MATCHING_CHECK', 'SELFIE_SAME_AS_DOCUMENT'].includes(nameOfIndicator(one)),
  );
  const { startedAt, responseTimeMs, distance, model } = comparison;
  return [
    {
      startDateTime: startedAt,
      endDateTime: formatDateTime(new Date(parseDateTime(startedAt).getTime() + responseTimeMs)),
      participantType: 'BIOMETRIC_MATCHING',
      participantState: 'ACCEPTED',
      isBlockingParticipant: false,
      verificationId: evidenceId,
      referenceId: reference.evidenceId,
      referenceType: reference.type,
      candidateId: evidenceId,
      candidateType: outcome.facts.type,
      linkedIdentityOperation: reference.evidenceId,
      raisedIndicators,
      verificationServices: [
        {
          serviceName: 'assay-faces',
          isTechnicalError: false,
          responseTimeMS: Math.round(responseTimeMs),
          matchingScore: Math.max(0, Math.min(1, 1 - distance)),
          serviceVersion: model,
          raisedIndicators,
        },
      ],
    },
  ];
};

/** Everything that participants did for an evidence, adjudication included. */
export const verificationDetails = (outcome: EvidenceEvaluation, facts: CaseFacts): ParticipantDetails[] => [
  ...outcome.facts.participants,
  ...matchingDetails(outcome, facts),
  ...adjudicationDetails(outcome),
];

/** No operator decided in time, or before the question was taken back: not performed. */
const adjudicationState = ({ answer, withdrawn }: Adjudication): ParticipantState => {
  if (answer) return answer.decision === 'EXPIRED' ? 'REJECTED' : 'ACCEPTED';
  return withdrawn ? 'REJECTED' : 'ADJUDICATION';
};

const adjudicationDetails = ({
  facts: { evidenceId, type, adjudication, kind },
}: EvidenceEvaluation): ParticipantDetails[] => {
  if (!adjudication) return [];
  const { caseId, requestedAt, expiresAt, answer, withdrawn } = adjudication;
  const spent = (from: string, to: string) => Math.max(0, parseDateTime(to).getTime() - parseDateTime(from).getTime());
  return [
    {
      startDateTime: requestedAt,
      endDateTime: answer?.decidedAt ?? withdrawn?.at ?? requestedAt,
      participantType: 'ADJUDICATION',
      participantState: adjudicationState(adjudication),
      isBlockingParticipant: false,
      verificationId: evidenceId,
      raisedIndicators: answer ? raisedBy({ kind }, answer) : [],
      verificationServices: [
        {
          serviceName: 'assay-adjudication',
          isTechnicalError: false,
          responseTimeMS: answer ? spent(requestedAt, answer.decidedAt) : 0,
          adjudicationDetails: {
            id: caseId,
            type,
            submitDateTime: requestedAt,
            expirationDate: expiresAt,
            globalStatus: answer?.decision ?? (withdrawn ? 'WITHDRAWN' : 'PENDING'),
            ...present({ decisionDateTime: answer?.decidedAt }),
            decisionsDetails: (answer?.details ?? []).map(({ operatorId, decision, reasons, startTime, endTime }) => ({
              operatorId,
              operatorProfile: 'OPERATOR',
              status: decision,
              startTime,
              endTime,
              duration: spent(startTime, endTime),
              ...(reasons.length > 0 ? { comment: reasons.join(', ') } : {}),
            })),
          },
        },
      ],
    },
  ];
};
