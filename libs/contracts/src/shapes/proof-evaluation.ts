import { type Static, Type } from 'typebox';
import { EVIDENCE_STATUSES, EVIDENCE_TYPES, LEVELS_OF_ASSURANCE, TRUST_LEVELS } from '../vocabulary.ts';
import { Exact, OneOf, ProofDateTime } from './building-blocks.ts';
import { ErrorSchema } from './error.ts';
import { PathStepSchema } from './identity.ts';

const opt = Type.Optional;
const str = Type.String();
const strings = Type.Array(str);
const errors = opt(Type.Array(ErrorSchema));

export const StatusAndScoringSchema = Exact({
  score: OneOf(TRUST_LEVELS),
  strength: OneOf(TRUST_LEVELS),
  status: OneOf(EVIDENCE_STATUSES),
  allNonOKVerifications: opt(strings),
  mandatoryCheckRulesMissing: opt(strings),
  positiveIndicators: opt(strings),
  unverifiedIndicators: opt(strings),
  warningIndicators: opt(strings),
  blockingIndicators: opt(strings),
  indicatorsMitigations: opt(
    Type.Array(Exact({ mitigatedIndicators: Type.Array(strings), mitigatingIndicators: strings })),
  ),
  isBlockingindicatorFound: opt(Type.Boolean()),
  isMandatoryIndicatorMissing: opt(Type.Boolean()),
  isTechnicalError: opt(Type.Boolean()),
  strengthRuleUsed: opt(str),
});
export type StatusAndScoring = Static<typeof StatusAndScoringSchema>;

export const ProofEvidenceSchema = Exact({
  id: str,
  type: opt(OneOf(EVIDENCE_TYPES)),
  consentApproved: opt(Type.Boolean()),
  errors,
  extracted: opt(Type.Boolean()),
  externallyVerified: opt(Type.Boolean()),
  externalVerificationScore: opt(Type.Integer()),
  raisedIndicators: opt(strings),
  attributesReferenceAndConsistency: opt(
    Exact({
      isReference: opt(Type.Boolean()),
      isTechnicalError: opt(Type.Boolean()),
      mismatchedAttributes: opt(strings),
    }),
  ),
  evidencesAdjudicationEligibility: opt(
    Exact({ isAdjudicable: opt(Type.Boolean()), isTechnicalError: opt(Type.Boolean()) }),
  ),
  portraitMatchingReference: opt(Exact({ isReference: opt(Type.Boolean()), isTechnicalError: opt(Type.Boolean()) })),
  statusAndScoring: opt(StatusAndScoringSchema),
});
export type ProofEvidence = Static<typeof ProofEvidenceSchema>;

export const EvaluationDetailsSchema = Exact({
  evaluationDateTime: ProofDateTime,
  evidences: Type.Array(ProofEvidenceSchema),
  loaAndUpgradePath: opt(
    Exact({
      isTechnicalError: opt(Type.Boolean()),
      levelOfAssurance: opt(OneOf(LEVELS_OF_ASSURANCE)),
      upgradePaths: opt(Type.Array(Exact({ levelOfAssurance: str, paths: Type.Array(Type.Array(PathStepSchema)) }))),
    }),
  ),
  updateOnIdentitySuccess: opt(Type.Boolean()),
});
export type EvaluationDetails = Static<typeof EvaluationDetailsSchema>;
