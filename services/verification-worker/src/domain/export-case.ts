import type { EvidenceStatusValue, LevelOfAssurance, UpgradePaths, VerificationSettings } from '@assay/contracts';
import type { Policy } from '@assay/policy';
import { type Case, factsOf } from './case.ts';
import { type CaseEvaluation, evaluateCase } from './evaluate-case.ts';
import type { Former } from './evaluate-evidence.ts';
import type { CaseFacts, EvidenceFacts } from './facts.ts';
import type { NotCounted } from './standing.ts';

/** A case as it can be taken elsewhere and evaluated again: its facts, nothing personal and nothing sealed. */
export interface ExportedCase {
  identityId: string;
  revision: number;
  policy: { name: string; version?: string };
  createdUnder?: VerificationSettings;
  /** Status of each evidence as last told. */
  statuses: Record<string, EvidenceStatusValue>;
  /** What each portrait was compared with when it was told. */
  references?: Record<string, string>;
  facts: CaseFacts;
}

export interface EvidenceSummary {
  evidenceId: string;
  type: string;
  status: EvidenceStatusValue;
  score?: string;
  strength: string;
  strengthRule: string;
  scoreRule?: string;
  blockingIndicators: string[];
  mandatoryMissing: string[];
  mitigations: CaseEvaluation['evidences'][number]['judgement']['mitigations'];
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
  face,
  endedBy,
  adjudication,
}: EvidenceFacts): EvidenceFacts => ({
  evidenceId,
  type,
  kind,
  submitDateTime,
  settings,
  consents,
  participants,
  ...(awaitingIssuer ? { awaitingIssuer } : {}),
  ...(extracted === undefined ? {} : { extracted }),
  ...(face ? { face } : {}),
  ...(endedBy ? { endedBy } : {}),
  ...(adjudication ? { adjudication } : {}),
});

export const exportCase = (of: Case, policy: { name: string; version?: string }): ExportedCase => ({
  identityId: of._id,
  revision: of.revision,
  policy,
  ...(of.createdUnder ? { createdUnder: of.createdUnder } : {}),
  statuses: Object.fromEntries(
    of.evidences.flatMap(({ evidenceId, told }) => (told ? [[evidenceId, told.status]] : [])),
  ),
  references: Object.fromEntries(
    of.evidences.flatMap(({ evidenceId, told }) => (told?.proof.parent ? [[evidenceId, told.proof.parent]] : [])),
  ),
  facts: { ...factsOf(of), evidences: of.evidences.map(bareFacts) },
});

export const summaryOf = (evaluation: CaseEvaluation, policy: Policy): EvaluationSummary => ({
  policy: { name: policy.name, version: policy.version },
  levelOfAssurance: evaluation.level,
  ...(evaluation.profile ? { profile: evaluation.profile.name } : {}),
  ...(evaluation.nameReferenceId ? { nameReferenceEvidenceId: evaluation.nameReferenceId } : {}),
  ...(evaluation.portraitReferenceId ? { portraitReferenceEvidenceId: evaluation.portraitReferenceId } : {}),
  evidences: evaluation.evidences.map(({ facts, status, score, judgement, errors }) => {
    const notCounted = evaluation.tally.notCounted.get(facts.evidenceId);
    return {
      evidenceId: facts.evidenceId,
      type: facts.type,
      status,
      ...(score ? { score } : {}),
      strength: judgement.strength,
      strengthRule: `${policy.name}:${facts.kind}:${judgement.strengthType}`,
      ...(judgement.scoreRule && status === 'VERIFIED' ? { scoreRule: judgement.scoreRule } : {}),
      blockingIndicators: judgement.blocking,
      mandatoryMissing: judgement.missing,
      mitigations: judgement.mitigations,
      errors: errors.map(({ code }) => code),
      ...(notCounted ? { notCounted } : {}),
    };
  }),
  upgradePaths: evaluation.upgradePaths,
});

/** Evaluates an exported case. Under its own policy what is INVALID stays so; under another one it is asked what would have been. */
export const evaluateExported = (exported: ExportedCase, policy: Policy, today: string): CaseEvaluation => {
  const { facts, createdUnder, statuses, references = {} } = exported;
  const own = policy.name === exported.policy.name;
  const formerOf = ([id, status]: [string, EvidenceStatusValue]): [string, Former] => {
    const referenceId = references[id];
    return [id, { status, ...(referenceId ? { referenceId } : {}) }];
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
