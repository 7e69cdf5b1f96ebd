import { isDeepStrictEqual } from 'node:util';
import {
  type EvaluatedEvidence,
  type EvaluatedIdentity,
  isStable,
  listIndicators,
  type Progress,
  present,
} from '@assay/contracts';
import type { Policy } from '@assay/policy';
import { rankOf } from './assurance.ts';
import type { Case, CaseEvidence, SealedParts } from './case.ts';
import type { CaseEvaluation } from './evaluate-case.ts';
import type { EvidenceEvaluation } from './evaluate-evidence.ts';
import { agreementOf, type CaseFacts, isDocument } from './facts.ts';
import { evaluationDetails, proofEvidence, verificationDetails } from './proof-details.ts';

const progressOf = ({ status, facts, rejected }: EvidenceEvaluation): Progress => {
  if (!isStable(status)) return 'PROCESSING';
  if (facts.endedBy === 'PROCESSING_FAILED') return 'ERROR';
  return rejected && !facts.endedBy ? 'BLOCKED' : 'DONE';
};

/**
 * Whether clients are notified: of a move from a transient to a stable status or between stable
 * ones, and of another score (specification, Events).
 */
const statusOrScoreChanged = (
  { status, score }: EvidenceEvaluation,
  lastPublished: EvaluatedEvidence | undefined,
): boolean =>
  isStable(status) && (lastPublished === undefined || lastPublished.status !== status || lastPublished.score !== score);

/**
 * The evidence whose names were compared with those of this one. A face, an address and a contact
 * have no names.
 */
const namesFromOf = (
  evidence: CaseEvidence,
  referenceId: string | undefined,
  { nameReferenceId }: CaseEvaluation,
  facts: CaseFacts,
): string | undefined => {
  if (evidence.kind === 'attributes') return referenceId;
  const agreement =
    isDocument(evidence) && nameReferenceId ? agreementOf(facts, evidence.evidenceId, nameReferenceId) : undefined;
  if (!agreement) return undefined;
  const { surname, givenNames, dateOfBirth } = agreement;
  return [surname, givenNames, dateOfBirth].some((field) => field !== 'UNKNOWN') ? nameReferenceId : undefined;
};

/**
 * What is shown of a VERIFIED evidence: of a statement, what its document confirms. Former versions
 * kept no view of it without the issuer: nothing is shown as verified then.
 */
const verifiedView = (
  { context: { referenceId }, issuerSetAside }: EvidenceEvaluation,
  sealed: SealedParts,
  { evidences }: CaseEvaluation,
): string | undefined => {
  const reference = evidences.find(({ facts }) => facts.evidenceId === referenceId);
  const isSetAside = issuerSetAside || reference?.issuerSetAside === true;
  const { ifVerified, agreed } = isSetAside ? { ifVerified: sealed.otherwise, ...sealed.withoutIssuer } : sealed;
  return (referenceId && agreed?.[referenceId]) ?? ifVerified;
};

const entryOf = (
  outcome: EvidenceEvaluation,
  evidence: CaseEvidence,
  context: { current: Case; evaluation: CaseEvaluation; policy: Policy; at: string },
): EvaluatedEvidence => {
  const { current, evaluation, policy, at } = context;
  const { facts } = evaluation;
  const { lastPublished, sealed, portraitData, portraitQuality, crops } = evidence;
  const { referenceId } = outcome.context;
  const verified = outcome.status === 'VERIFIED';
  const sealedData = verified ? verifiedView(outcome, sealed, evaluation) : sealed.otherwise;
  const namesFrom = namesFromOf(evidence, referenceId, evaluation, facts);
  const contribution = proofEvidence(outcome, evaluation, facts, policy);
  const raisedLevel = rankOf(evaluation.level) > rankOf(current.lastPublished?.levelOfAssurance ?? 'LOA0');
  return {
    evidenceId: evidence.evidenceId,
    evidenceRevision: (lastPublished?.evidenceRevision ?? 0) + 1,
    type: evidence.type,
    status: outcome.status,
    ...(verified ? { strength: outcome.ruleResult.strength, score: outcome.score! } : {}),
    isAdjudicable: outcome.isAdjudicable,
    evaluationDateTime: at,
    ...listIndicators(outcome.raised),
    ...(outcome.errors.length > 0 ? { errors: outcome.errors } : {}),
    ...(evidence.kind === 'address' && referenceId ? { referenceIds: [referenceId] } : {}),
    ...present({ portraitQuality, portraitData, sealedData }),
    changed: statusOrScoreChanged(outcome, lastPublished),
    proof: {
      progress: progressOf(outcome),
      verificationDetails: verificationDetails(outcome, facts),
      evaluationDetails: evaluationDetails(contribution, evaluation, at, raisedLevel),
      ...present({ sealedEvidenceDetails: sealed.details }),
      crops,
      ...present({ parent: referenceId }),
      ...(namesFrom && namesFrom !== evidence.evidenceId ? { attributesReferenceId: namesFrom } : {}),
      ...(evidence.kind === 'address' && referenceId ? { addressReferenceId: referenceId } : {}),
    },
  };
};

/**
 * The part of an entry in which readers see a difference. Times and the level of the identity do
 * not belong to the evidence.
 */
const visiblePart = (entry: EvaluatedEvidence) => {
  const { evidenceRevision: _r, evaluationDateTime: _d, changed: _c, proof, ...seen } = entry;
  const { evaluationDetails: details, ...shown } = proof;
  return [seen, shown, details.evidences];
};

/**
 * Whether an evidence is text that waits for its issuing source and was never published. Readers
 * have it as PROCESSING since its submission, and nothing was read from it; it is published once
 * there is more to say.
 */
const saysNothing = ({ kind, lastPublished }: CaseEvidence, { status }: EvidenceEvaluation): boolean =>
  status === 'PROCESSING' && lastPublished === undefined && (kind === 'documentText' || kind === 'healthCard');

export interface PublicationContext {
  /** The policy of the evaluation. */
  policy: Policy;
  /** The time of the evaluation. */
  at: string;
  /** When the evaluation ceases to hold, if nothing else happens. */
  lapsesAt?: string | undefined;
}

export interface Publication {
  /** Entries of the evidences that changed. */
  entries: EvaluatedEvidence[];
  identity: EvaluatedIdentity;
  /** Whether anything is to be published. */
  hasChanges: boolean;
  /** The case, with what is published of it now. */
  caseAfter: Case;
}

const identityOf = (evaluation: CaseEvaluation, at: string, lapsesAt: string | undefined): EvaluatedIdentity => ({
  levelOfAssurance: evaluation.level,
  evaluationDateTime: at,
  ...present({
    nameReferenceEvidenceId: evaluation.nameReferenceId,
    portraitReferenceEvidenceId: evaluation.portraitReferenceId,
  }),
  upgradePaths: evaluation.upgradePaths,
  ...present({ lapsesAt }),
});

/**
 * The differences between an evaluation and what was last published: an entry for each changed
 * evidence, and the part of the identity.
 */
export const publicationOf = (
  current: Case,
  evaluation: CaseEvaluation,
  { policy, at, lapsesAt }: PublicationContext,
): Publication => {
  const entries: EvaluatedEvidence[] = [];
  const evidences = current.evidences.map((evidence) => {
    const outcome = evaluation.evidences.find(({ facts }) => facts.evidenceId === evidence.evidenceId)!;
    if (saysNothing(evidence, outcome)) return evidence;
    const entry = entryOf(outcome, evidence, { current, evaluation, policy, at });
    if (evidence.lastPublished && isDeepStrictEqual(visiblePart(evidence.lastPublished), visiblePart(entry)))
      return evidence;
    entries.push(entry);
    return { ...evidence, lastPublished: entry };
  });
  const fresh = identityOf(evaluation, at, lapsesAt);
  // Nothing is published before the first evidence: upgradePaths is empty directly after the
  // creation.
  const moved = current.lastPublished
    ? !isDeepStrictEqual({ ...current.lastPublished, evaluationDateTime: at }, fresh)
    : entries.length > 0;
  const hasChanges = entries.length > 0 || moved;
  const identity = hasChanges ? fresh : (current.lastPublished ?? fresh);
  return {
    entries,
    identity,
    hasChanges,
    caseAfter: { ...current, evidences, ...(hasChanges ? { lastPublished: identity } : {}) },
  };
};
