import { isDeepStrictEqual } from 'node:util';
import {
  type EvaluatedEvidence,
  type EvaluatedIdentity,
  listIndicators,
  type Progress,
  STABLE_STATUSES,
} from '@assay/contracts';
import type { Policy } from '@assay/policy';
import { rankOf } from './assurance.ts';
import { type Case, type CaseEvidence, factsOf } from './case.ts';
import type { CaseEvaluation } from './evaluate-case.ts';
import type { EvidenceOutcome } from './evaluate-evidence.ts';
import { evaluationDetails, proofEvidence, verificationDetails } from './proof-details.ts';

export const isStable = (status: string): boolean => (STABLE_STATUSES as readonly string[]).includes(status);

const progressOf = ({ status, facts, rejected }: EvidenceOutcome): Progress => {
  if (!isStable(status)) return 'PROCESSING';
  if (facts.endedBy === 'PROCESSING_FAILED') return 'ERROR';
  return rejected && !facts.endedBy ? 'BLOCKED' : 'DONE';
};

/** Told: a move from a transient to a stable status or between stable ones, and another score (specification, Events). */
const isNews = ({ status, score }: EvidenceOutcome, told: EvaluatedEvidence | undefined): boolean =>
  isStable(status) && (told === undefined || told.status !== status || told.score !== score);

const entryOf = (
  outcome: EvidenceOutcome,
  evidence: CaseEvidence,
  context: { of: Case; evaluation: CaseEvaluation; policy: Policy; at: string },
): EvaluatedEvidence => {
  const { of, evaluation, policy, at } = context;
  const facts = factsOf(of);
  const { told, sealed, portraitData, portraitQuality, crops } = evidence;
  const { referenceId } = outcome.context;
  const verified = outcome.status === 'VERIFIED';
  const sealedData = verified ? sealed.ifVerified : sealed.otherwise;
  const namesFrom = evidence.kind === 'attributes' ? referenceId : evaluation.nameReferenceId;
  const contribution = proofEvidence(outcome, evaluation, facts, policy);
  const raisedLevel = rankOf(evaluation.level) > rankOf(of.told?.levelOfAssurance ?? 'LOA0');
  return {
    evidenceId: evidence.evidenceId,
    evidenceRevision: (told?.evidenceRevision ?? 0) + 1,
    type: evidence.type,
    status: outcome.status,
    ...(verified ? { strength: outcome.judgement.strength, score: outcome.score! } : {}),
    isAdjudicable: outcome.isAdjudicable,
    evaluationDateTime: at,
    ...listIndicators(outcome.raised),
    ...(outcome.errors.length > 0 ? { errors: outcome.errors } : {}),
    ...(evidence.kind === 'address' && referenceId ? { referenceIds: [referenceId] } : {}),
    ...(portraitQuality !== undefined ? { portraitQuality } : {}),
    ...(portraitData ? { portraitData } : {}),
    ...(sealedData ? { sealedData } : {}),
    changed: isNews(outcome, told),
    proof: {
      progress: progressOf(outcome),
      verificationDetails: verificationDetails(outcome, facts),
      evaluationDetails: evaluationDetails(contribution, evaluation, at, raisedLevel),
      ...(sealed.details ? { sealedEvidenceDetails: sealed.details } : {}),
      crops,
      ...(referenceId ? { parent: referenceId } : {}),
      ...(namesFrom && namesFrom !== evidence.evidenceId && evidence.kind !== 'address' && evidence.kind !== 'portrait'
        ? { attributesReferenceId: namesFrom }
        : {}),
      ...(evidence.kind === 'address' && referenceId ? { addressReferenceId: referenceId } : {}),
    },
  };
};

/** What of an entry its readers would see differ; times and the identity's standing are not of the evidence. */
const essence = (entry: EvaluatedEvidence) => {
  const { evidenceRevision: _r, evaluationDateTime: _d, changed: _c, proof, ...seen } = entry;
  const { evaluationDetails: details, ...shown } = proof;
  return [seen, shown, details.evidences];
};

export interface Announcement {
  /** Entries of the evidences that changed. */
  entries: EvaluatedEvidence[];
  identity: EvaluatedIdentity;
  /** Something is to be told. */
  isNews: boolean;
  /** The case with what is now told of it. */
  after: Case;
}

const identityOf = (evaluation: CaseEvaluation, at: string): EvaluatedIdentity => ({
  levelOfAssurance: evaluation.level,
  evaluationDateTime: at,
  ...(evaluation.nameReferenceId ? { nameReferenceEvidenceId: evaluation.nameReferenceId } : {}),
  ...(evaluation.portraitReferenceId ? { portraitReferenceEvidenceId: evaluation.portraitReferenceId } : {}),
  upgradePaths: evaluation.upgradePaths,
});

/** What an evaluation changes against what was last told: an entry for each changed evidence, and the identity's part. */
export const announce = (of: Case, evaluation: CaseEvaluation, policy: Policy, at: string): Announcement => {
  const entries: EvaluatedEvidence[] = [];
  const evidences = of.evidences.map((evidence) => {
    const outcome = evaluation.evidences.find(({ facts }) => facts.evidenceId === evidence.evidenceId)!;
    const entry = entryOf(outcome, evidence, { of, evaluation, policy, at });
    if (evidence.told && isDeepStrictEqual(essence(evidence.told), essence(entry))) return evidence;
    entries.push(entry);
    return { ...evidence, told: entry };
  });
  const fresh = identityOf(evaluation, at);
  // Before there is any evidence nothing is told: upgradePaths is empty right after creation.
  const moved = of.told ? !isDeepStrictEqual({ ...of.told, evaluationDateTime: at }, fresh) : entries.length > 0;
  const isNews = entries.length > 0 || moved;
  const identity = isNews ? fresh : (of.told ?? fresh);
  return { entries, identity, isNews, after: { ...of, evidences, ...(isNews ? { told: identity } : {}) } };
};
