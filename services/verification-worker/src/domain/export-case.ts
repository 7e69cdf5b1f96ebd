import {
  type EvidenceStatusValue,
  type LevelOfAssurance,
  present,
  type Today,
  type UpgradePaths,
  type VerificationSettings,
} from '@assay/contracts';
import type { Policy } from '@assay/policy';
import { type Case, factsOf } from './case.ts';
import type { NotCounted } from './counted-evidence.ts';
import { type CaseEvaluation, evaluateCase } from './evaluate-case.ts';
import type { Former } from './evaluate-evidence.ts';
import type { CaseFacts, EvidenceFacts } from './facts.ts';

/**
 * A case as it can be taken elsewhere and evaluated again: its facts, nothing personal and nothing
 * sealed.
 */
export interface ExportedCase {
  identityId: string;
  revision: number;
  policy: { name: string; version?: string };
  createdUnder?: VerificationSettings;
  /** Status of each evidence as last published. */
  statuses: Record<string, EvidenceStatusValue>;
  /** What each portrait was compared with when it was published. */
  references?: Record<string, string>;
  facts: CaseFacts;
}

interface EvidenceSummary {
  evidenceId: string;
  type: string;
  status: EvidenceStatusValue;
  score?: string;
  strength: string;
  strengthRule: string;
  scoreRule?: string;
  blockingIndicators: string[];
  mandatoryMissing: string[];
  mitigations: CaseEvaluation['evidences'][number]['ruleResult']['mitigations'];
  errors: string[];
  notCounted?: NotCounted;
}

/** One evaluation, for people and for comparing two of them. */
export interface EvaluationSummary {
  policy: { name: string; version: string };
  levelOfAssurance: LevelOfAssurance;
  profile?: string;
  nameReferenceEvidenceId?: string;
  portraitReferenceEvidenceId?: string;
  evidences: EvidenceSummary[];
  upgradePaths: UpgradePaths;
}

const bareFacts = ({
  evidenceId,
  type,
  kind,
  submitDateTime,
  settings,
  consents,
  participants,
  awaitingIssuer,
  extracted,
  expired,
  face,
  endedBy,
  adjudication,
  submittedBy,
  awaits,
  imageEvidenceId,
  playedMatching,
}: EvidenceFacts): EvidenceFacts => ({
  evidenceId,
  type,
  kind,
  submitDateTime,
  settings,
  consents,
  participants,
  ...(awaitingIssuer ? { awaitingIssuer } : {}),
  ...present({ extracted, expired, face, endedBy, adjudication, submittedBy, awaits, imageEvidenceId, playedMatching }),
});

export const exportCase = (current: Case, policy: { name: string; version?: string }): ExportedCase => ({
  identityId: current._id,
  revision: current.revision,
  policy,
  ...present({ createdUnder: current.createdUnder }),
  statuses: Object.fromEntries(
    current.evidences.flatMap(({ evidenceId, lastPublished }) =>
      lastPublished ? [[evidenceId, lastPublished.status]] : [],
    ),
  ),
  references: Object.fromEntries(
    current.evidences.flatMap(({ evidenceId, lastPublished }) =>
      lastPublished?.proof.parent ? [[evidenceId, lastPublished.proof.parent]] : [],
    ),
  ),
  facts: { ...factsOf(current), evidences: current.evidences.map(bareFacts) },
});

export const summaryOf = (evaluation: CaseEvaluation, policy: Policy): EvaluationSummary => ({
  policy: { name: policy.name, version: policy.version },
  levelOfAssurance: evaluation.level,
  ...present({
    profile: evaluation.profile?.name,
    nameReferenceEvidenceId: evaluation.nameReferenceId,
    portraitReferenceEvidenceId: evaluation.portraitReferenceId,
  }),
  evidences: evaluation.evidences.map(({ facts, status, score, ruleResult, errors }) => {
    const notCounted = evaluation.countedEvidence.notCounted.get(facts.evidenceId);
    return {
      evidenceId: facts.evidenceId,
      type: facts.type,
      status,
      ...present({ score }),
      strength: ruleResult.strength,
      strengthRule: `${policy.name}:${facts.kind}:${ruleResult.strengthType}`,
      ...(ruleResult.scoreRule && status === 'VERIFIED' ? { scoreRule: ruleResult.scoreRule } : {}),
      blockingIndicators: ruleResult.blocking,
      mandatoryMissing: ruleResult.missing,
      mitigations: ruleResult.mitigations,
      errors: errors.map(({ code }) => code),
      ...present({ notCounted }),
    };
  }),
  upgradePaths: evaluation.upgradePaths,
});

/**
 * Evaluates an exported case. Under its own policy what is INVALID stays so; under another one it
 * is asked what would have been.
 */
export const evaluateExported = (exported: ExportedCase, policy: Policy, today: Today): CaseEvaluation => {
  const { facts, createdUnder, statuses, references = {} } = exported;
  const own = policy.name === exported.policy.name;
  const formerOf = ([id, status]: [string, EvidenceStatusValue]): [string, Former] => {
    const referenceId = references[id];
    return [id, { status, ...present({ referenceId }) }];
  };
  return evaluateCase({
    facts,
    policy,
    settings: createdUnder,
    today,
    ...(own ? { former: new Map(Object.entries(statuses).map(formerOf)) } : {}),
  });
};

/** What another evaluation would change, in words. */
export const differencesOf = (before: EvaluationSummary, after: EvaluationSummary): string[] => {
  const said = (what: string, a: string | undefined, b: string | undefined) =>
    a === b ? [] : [`${what}: ${a ?? 'none'} -> ${b ?? 'none'}`];
  return [
    ...said('levelOfAssurance', before.levelOfAssurance, after.levelOfAssurance),
    ...said('name reference', before.nameReferenceEvidenceId, after.nameReferenceEvidenceId),
    ...said('portrait reference', before.portraitReferenceEvidenceId, after.portraitReferenceEvidenceId),
    ...before.evidences.flatMap((one) => {
      const other = after.evidences.find(({ evidenceId }) => evidenceId === one.evidenceId);
      const name = `${one.type} ${one.evidenceId}`;
      return [
        ...said(`${name} status`, one.status, other?.status),
        ...said(`${name} score`, one.score, other?.score),
        ...said(`${name} blocked by`, one.blockingIndicators.join(' '), other?.blockingIndicators.join(' ')),
        ...said(`${name} missing`, one.mandatoryMissing.join(' '), other?.mandatoryMissing.join(' ')),
      ];
    }),
  ];
};
