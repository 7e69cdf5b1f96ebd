import {
  type EvidenceType,
  type LevelOfAssurance,
  present,
  type Today,
  type UpgradePaths,
  type VerificationSettings,
} from '@assay/contracts';
import type { Policy, Profile } from '@assay/policy';
import { levelNumber } from './apply-rules.ts';
import { assuranceOf } from './assurance.ts';
import { condensed } from './condensed-position.ts';
import { mayBeCompared } from './consents.ts';
import { type CountedEvidence, countEvidence, isVouchedReference, scoresOf } from './counted-evidence.ts';
import { type EvaluationRun, type EvidenceEvaluation, evaluateEvidence, type Former } from './evaluate-evidence.ts';
import { agreementOf, bySubmission, type CaseFacts, type EvidenceFacts, isDocument } from './facts.ts';
import { newestPortrait } from './matched-evidence.ts';
import { comparisonOf, isDocumentsPhotograph, matchingIndicators } from './portrait-matching.ts';
import { possibleSubmissions, withoutTypes } from './possible-submissions.ts';
import {
  consistencyIndicators,
  contextOfStatement,
  nameReferenceOf,
  portraitReferenceOf,
  zoneIndicators,
} from './references.ts';
import { factsInForce } from './set-aside.ts';
import { type Position, upgradePathsOf } from './upgrade-paths.ts';

/** The state of a case after an evaluation. */
export interface CaseAssessment {
  /** What it rests on: the facts without what is set aside today. */
  facts: CaseFacts;
  /** In the order of submission. */
  evidences: EvidenceEvaluation[];
  level: LevelOfAssurance;
  /** The profile that is met; none at LOA0. */
  profile?: Profile;
  nameReferenceId?: string;
  portraitReferenceId?: string;
  countedEvidence: CountedEvidence;
}

/** Everything one evaluation of a case says. */
export interface CaseEvaluation extends CaseAssessment {
  upgradePaths: UpgradePaths;
}

export interface CaseQuestion {
  facts: CaseFacts;
  policy: Policy;
  /**
   * The settings of the creation; they apply while there is no evidence with settings of its own.
   */
  settings?: VerificationSettings | undefined;
  /** The day of the evaluation: consents begin and end, and documents expire. */
  today: Today;
  former?: ReadonlyMap<string, Former>;
}

/**
 * Kinds that are evaluated without others. All other kinds are compared with VERIFIED evidence of
 * these.
 */
const STANDS_ALONE = new Set([
  'documentImage',
  'documentChip',
  'documentText',
  'healthCard',
  'portraitReference',
  'contact',
]);

/**
 * A portrait that was sent directly after a document waits for it, also if the event of the
 * document has not arrived yet.
 */
const isWaiting = ({ awaits = [] }: EvidenceFacts, alone: readonly EvidenceEvaluation[]): boolean =>
  awaits.some((id) => (alone.find(({ facts }) => facts.evidenceId === id)?.status ?? 'PROCESSING') === 'PROCESSING');

/**
 * A comparison needs a consent; without it, the comparison is set aside. A portrait that was
 * INVALID stays so while it is compared with the same reference.
 */
const comparisonCounts = (
  { evidenceId, consents }: EvidenceFacts,
  referenceId: string,
  { facts, former, today }: EvaluationRun,
): boolean => {
  const before = former.get(evidenceId);
  const isDenied = before?.status === 'INVALID' && before.referenceId === referenceId;
  return isDenied || mayBeCompared({ consents }, facts.consents, today);
};

const evaluatePortraits = (run: EvaluationRun, alone: readonly EvidenceEvaluation[]): EvidenceEvaluation[] => {
  const reference = portraitReferenceOf(alone);
  const referenceId = reference?.facts.evidenceId;
  return run.facts.evidences
    .filter(({ kind }) => kind === 'portrait')
    .map((portrait) => {
      const counts = referenceId !== undefined && comparisonCounts(portrait, referenceId, run);
      const comparison = counts ? comparisonOf(run.facts, portrait.evidenceId, referenceId) : undefined;
      const { adjudication } = portrait.settings;
      const { faces } = run.policy;
      const isPhotograph = isDocumentsPhotograph(run.facts, portrait.evidenceId, faces);
      const played = counts ? portrait.playedMatching : undefined;
      const isCompared = comparison !== undefined || played !== undefined;
      return evaluateEvidence(
        portrait,
        {
          derived: played ?? matchingIndicators(comparison, faces, adjudication.enabled, isPhotograph),
          ...(referenceId && isCompared ? { referenceId } : {}),
          ...(reference?.score && isCompared ? { referenceScore: reference.score } : {}),
          ...(isWaiting(portrait, alone) ? { waits: true } : {}),
        },
        run,
      );
    });
};

/** Adds to the indicators of a document how it compares with the name reference. */
const withConsistency = (facts: CaseFacts, outcomes: readonly EvidenceEvaluation[]): EvidenceEvaluation[] => {
  const reference = nameReferenceOf(outcomes);
  return outcomes.map((one) => {
    if (!reference || one === reference || !isDocument(one.facts) || one.status === 'PROCESSING') return one;
    const agreement = agreementOf(facts, one.facts.evidenceId, reference.facts.evidenceId);
    return agreement ? { ...one, raised: [...one.raised, ...consistencyIndicators(agreement)].sort() } : one;
  });
};

/** Whether a portrait has no reference yet and would match one. */
const waitsForReference = (
  { facts: { evidenceId, face }, status, consentApproved, context }: EvidenceEvaluation,
  { facts, policy }: CaseQuestion,
): boolean =>
  (status === 'NOT_VERIFIED' || status === 'PROCESSING') &&
  face !== undefined &&
  consentApproved &&
  context.referenceId === undefined &&
  !isDocumentsPhotograph(facts, evidenceId, policy.faces);

const referenceIn = ({ evidences, countedEvidence, portraitReferenceId }: CaseAssessment): Position['reference'] => {
  const reference = evidences.find(({ facts }) => facts.evidenceId === portraitReferenceId);
  if (!reference) return undefined;
  const at = countedEvidence.counted.findIndex(({ outcome }) => outcome === reference);
  const counted = at >= 0 || isVouchedReference(reference);
  return { score: levelNumber(reference.score), counted, ...(at >= 0 ? { at } : {}) };
};

const positionOf = (assessed: CaseAssessment, question: CaseQuestion): Position => {
  const { evidences, countedEvidence, nameReferenceId } = assessed;
  const portrait = newestPortrait(evidences);
  return {
    scores: scoresOf(countedEvidence),
    counted: countedEvidence.counted.map(({ outcome: { facts } }) => ({
      kind: facts.kind,
      type: facts.type,
      face: facts.face !== undefined,
    })),
    hasDocument: nameReferenceId !== undefined,
    portrait: portrait !== undefined && (portrait.status === 'VERIFIED' || waitsForReference(portrait, question)),
    ...present({ reference: referenceIn(assessed) }),
  };
};

const REMEMBERED = 500;
const paths = new WeakMap<Policy, Map<string, UpgradePaths>>();

/**
 * Upgrade paths by position: most identities are in a position that another one was in before.
 * `counted`: the types of the evidence that counts already.
 */
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
  const found =
    known.get(key) ?? upgradePathsOf(policy, position, withoutTypes(possibleSubmissions(policy, settings), taken));
  if (known.size > REMEMBERED) known.clear();
  known.set(key, found);
  return found;
};

/**
 * Evaluates a case: a pure function of its facts, the policy and the date. The order in which the
 * facts arrived makes no difference. `former` only keeps INVALID what was INVALID.
 */
export const assessCase = (question: CaseQuestion): CaseAssessment => {
  const { policy, today, former = new Map() } = question;
  const facts = factsInForce(question.facts, today);
  const run: EvaluationRun = { facts, policy, today, former };
  const ordered = [...facts.evidences].sort(bySubmission);
  const alone = withConsistency(
    facts,
    ordered
      .filter(({ kind }) => STANDS_ALONE.has(kind))
      .map((evidence) => evaluateEvidence(evidence, { derived: zoneIndicators(facts, evidence) }, run)),
  );
  const portraits = evaluatePortraits(run, alone);
  const statements = ordered
    .filter(({ kind }) => kind === 'attributes' || kind === 'address')
    .map((evidence) => evaluateEvidence(evidence, contextOfStatement(facts, evidence, alone, policy), run));
  const evidences = [...alone, ...portraits, ...statements].sort((a, b) => bySubmission(a.facts, b.facts));
  const nameReference = nameReferenceOf(alone);
  const portraitReference = portraitReferenceOf(alone);
  const countedEvidence = countEvidence({ facts, policy, outcomes: evidences, nameReference });
  return {
    facts,
    evidences,
    ...assuranceOf(policy, scoresOf(countedEvidence)),
    ...present({
      nameReferenceId: nameReference?.facts.evidenceId,
      portraitReferenceId: portraitReference?.facts.evidenceId,
    }),
    countedEvidence,
  };
};

/** Evaluates a case, with the upgrade paths of the identity. */
export const evaluateCase = (question: CaseQuestion): CaseEvaluation => {
  const { policy, settings } = question;
  const assessed = assessCase(question);
  const counted = assessed.countedEvidence.counted.map(({ outcome }) => outcome.facts.type);
  const latest = assessed.evidences.at(-1)?.facts.settings ?? settings;
  return {
    ...assessed,
    upgradePaths: latest
      ? rememberedPaths(policy, condensed(policy, positionOf(assessed, question)), latest, counted)
      : {},
  };
};
