import type { EvidenceType, LevelOfAssurance, UpgradePaths, VerificationSettings } from '@assay/contracts';
import type { Policy, Profile } from '@assay/policy';
import { assuranceOf } from './assurance.ts';
import { type EvaluationRun, type EvidenceOutcome, evaluateEvidence, type Former } from './evaluate-evidence.ts';
import { agreementOf, bySubmission, type CaseFacts, isDocument } from './facts.ts';
import { levelNumber } from './judge.ts';
import { offersOf, withoutTypes } from './offers.ts';
import { comparisonOf, matchingIndicators } from './portrait-matching.ts';
import { consistencyIndicators, contextOfStatement, nameReferenceOf, portraitReferenceOf } from './references.ts';
import { standingOf, type Tally, tallyOf } from './standing.ts';
import { type Position, upgradePathsOf } from './upgrade-paths.ts';

/** Everything one evaluation of a case says. */
export interface CaseEvaluation {
  /** In the order of submission. */
  evidences: EvidenceOutcome[];
  level: LevelOfAssurance;
  /** The profile that was met; none at LOA0. */
  profile?: Profile;
  nameReferenceId?: string;
  portraitReferenceId?: string;
  tally: Tally;
  upgradePaths: UpgradePaths;
}

export interface CaseQuestion {
  facts: CaseFacts;
  policy: Policy;
  /** Settings in force where no evidence has any yet: those the identity was created under. */
  settings?: VerificationSettings | undefined;
  /** `YYYY-MM-DD`: consents may begin or end. */
  today: string;
  former?: ReadonlyMap<string, Former>;
}

/** Kinds that are judged by themselves; the others are compared with what these leave standing. */
const STANDS_ALONE = new Set(['documentImage', 'documentText', 'healthCard', 'portraitReference', 'contact']);

const evaluatePortraits = (run: EvaluationRun, alone: readonly EvidenceOutcome[]): EvidenceOutcome[] => {
  const reference = portraitReferenceOf(alone);
  const referenceId = reference?.facts.evidenceId;
  return run.facts.evidences
    .filter(({ kind }) => kind === 'portrait')
    .map((portrait) => {
      const comparison = referenceId ? comparisonOf(run.facts, portrait.evidenceId, referenceId) : undefined;
      const { adjudication } = portrait.settings;
      return evaluateEvidence(
        portrait,
        {
          derived: matchingIndicators(comparison, run.policy.faces, adjudication.enabled),
          ...(referenceId && comparison ? { referenceId } : {}),
          ...(reference?.score && comparison ? { referenceScore: reference.score } : {}),
        },
        run,
      );
    });
};

/** Beside its own indicators a document shows how it compares with the name reference. */
const withConsistency = (facts: CaseFacts, outcomes: readonly EvidenceOutcome[]): EvidenceOutcome[] => {
  const reference = nameReferenceOf(outcomes);
  return outcomes.map((one) => {
    if (!reference || one === reference || !isDocument(one.facts) || one.status === 'PROCESSING') return one;
    const agreement = agreementOf(facts, one.facts.evidenceId, reference.facts.evidenceId);
    return agreement ? { ...one, raised: [...one.raised, ...consistencyIndicators(agreement)].sort() } : one;
  });
};

const positionOf = (evaluation: Omit<CaseEvaluation, 'upgradePaths'>): Position => {
  const { evidences, tally, portraitReferenceId, nameReferenceId } = evaluation;
  const reference = evidences.find(({ facts }) => facts.evidenceId === portraitReferenceId);
  const portrait = evidences.filter(({ facts }) => facts.kind === 'portrait').at(-1);
  const waits =
    portrait?.status === 'NOT_VERIFIED' &&
    portrait.facts.face !== undefined &&
    portrait.consentApproved &&
    portrait.context.referenceId === undefined;
  return {
    standing: standingOf(tally),
    faces: tally.counted.map(({ outcome }) => outcome.facts.face !== undefined),
    hasDocument: nameReferenceId !== undefined,
    portrait: portrait?.status === 'VERIFIED' || waits,
    ...(reference
      ? {
          reference: {
            score: levelNumber(reference.score),
            counted:
              reference.facts.kind === 'portraitReference' ||
              tally.counted.some(({ outcome }) => outcome === reference),
          },
        }
      : {}),
  };
};

const REMEMBERED = 500;
const paths = new WeakMap<Policy, Map<string, UpgradePaths>>();

/** Positions recur: most identities stand where many stood before. `counted`: types of which an evidence counts already. */
const rememberedPaths = (
  policy: Policy,
  position: Position,
  settings: VerificationSettings,
  counted: readonly EvidenceType[],
): UpgradePaths => {
  const known = paths.get(policy) ?? new Map<string, UpgradePaths>();
  paths.set(policy, known);
  const taken = policy.consistency.oneOfEachType ? [...new Set(counted)].sort() : [];
  const key = JSON.stringify([settings.issuingSources.enabled, position, taken]);
  const found = known.get(key) ?? upgradePathsOf(policy, position, withoutTypes(offersOf(policy, settings), taken));
  if (known.size > REMEMBERED) known.clear();
  known.set(key, found);
  return found;
};

/**
 * Evaluates a case: one pure function of its facts, the policy and the date. The order in which the facts came makes no difference; `former` only keeps
 * what was INVALID as it is.
 */
export const evaluateCase = ({ facts, policy, settings, today, former = new Map() }: CaseQuestion): CaseEvaluation => {
  const run: EvaluationRun = { facts, policy, today, former };
  const ordered = [...facts.evidences].sort(bySubmission);
  const alone = withConsistency(
    facts,
    ordered
      .filter(({ kind }) => STANDS_ALONE.has(kind))
      .map((evidence) => evaluateEvidence(evidence, { derived: [] }, run)),
  );
  const portraits = evaluatePortraits(run, alone);
  const statements = ordered
    .filter(({ kind }) => kind === 'attributes' || kind === 'address')
    .map((evidence) => evaluateEvidence(evidence, contextOfStatement(facts, evidence, alone), run));
  const evidences = [...alone, ...portraits, ...statements].sort((a, b) => bySubmission(a.facts, b.facts));
  const nameReference = nameReferenceOf(alone);
  const portraitReference = portraitReferenceOf(alone);
  const tally = tallyOf({ facts, policy, outcomes: evidences, nameReference });
  const evaluated = {
    evidences,
    ...assuranceOf(policy, standingOf(tally)),
    ...(nameReference && { nameReferenceId: nameReference.facts.evidenceId }),
    ...(portraitReference && { portraitReferenceId: portraitReference.facts.evidenceId }),
    tally,
  };
  const counted = tally.counted.map(({ outcome }) => outcome.facts.type);
  const latest = ordered.at(-1)?.settings ?? settings;
  return {
    ...evaluated,
    upgradePaths: latest ? rememberedPaths(policy, positionOf(evaluated), latest, counted) : {},
  };
};
