import { LEVELS_OF_ASSURANCE, type PathStep, present, type TrustLevel, type UpgradePaths } from '@assay/contracts';
import type { Policy } from '@assay/policy';
import { applyRules, levelNumber } from './apply-rules.ts';
import { type AssuranceScores, assuranceOf, rankOf } from './assurance.ts';
import { candidatePathsOf, isRedundant, relationsOf, type UpgradePath } from './candidate-paths.ts';
import { isUnseenChip } from './counted-evidence.ts';
import { type CountedItem, mustBeAnotherDocument } from './distinct-documents.ts';
import { haveOwnTypes, MATCHED, type PossibleSubmission } from './possible-submissions.ts';

/** A VERIFIED document that a portrait is or would be compared with. */
interface FaceSource {
  score: number;
  /** False if it does not count: then a portrait that matches it does not count either. */
  counted: boolean;
  /** Its place among the counted evidence; none if it counts without being there. */
  at?: number;
}

/** The state of an identity, as far as upgrade paths depend on it. */
export interface Position {
  scores: AssuranceScores;
  /** What each counted evidence is. */
  counted: CountedItem[];
  hasDocument: boolean;
  /** The present portrait reference. */
  reference?: FaceSource;
  /** A portrait that is VERIFIED, or that waits for a reference and has no defect. */
  portrait: boolean;
}

/** The state of the identity if all were submitted with success, with a portrait if `selfie`. */
const afterwards = (
  policy: Policy,
  position: Position,
  submissions: readonly PossibleSubmission[],
  selfie: boolean,
): AssuranceScores => {
  const best = submissions.filter(({ face }) => face).sort((a, b) => levelNumber(b.score) - levelNumber(a.score))[0];
  const fresh: FaceSource | undefined = best && { score: levelNumber(best.score), counted: true };
  const reference = fresh && fresh.score > (position.reference?.score ?? 0) ? fresh : position.reference;
  const hasDocument =
    position.hasDocument || submissions.some(({ kind }) => kind.startsWith('document') || kind === 'healthCard');
  const usable = submissions.filter(({ needsDocument }) => hasDocument || !needsDocument);
  const before = position.scores.evidence.map((one, at) =>
    selfie && position.counted[at]!.face ? { ...one, ownership: 1 } : one,
  );
  // Beside a reference that does not count, the portrait counts by what it matches.
  const owned = before.filter((one, at) => one.ownership === 1 && position.counted[at]!.face);
  const matched = Math.max(0, fresh?.score ?? 0, ...owned.map(({ score }) => score));
  const compared = reference?.counted ? reference.score : Math.min(reference?.score ?? 0, matched);
  return {
    evidence: [
      ...before,
      ...usable.map(({ score, strength, face }) => ({
        score: levelNumber(score),
        strength,
        ownership: face && (selfie || position.portrait) ? 1 : 0,
      })),
    ],
    portrait: (selfie || position.portrait) && compared > 0 ? portraitScore(policy, compared) : 0,
    ...present({ person: position.scores.person }),
  };
};

const scoreOfMatch = (policy: Policy, reference: number): number => {
  const referenceScore = `LEVEL${reference}` as TrustLevel;
  const { score } = applyRules({
    rules: policy.kinds.portrait,
    type: 'PORTRAIT',
    raised: MATCHED,
    rejected: false,
    settings: { acceptSpecimens: false },
    referenceScore,
  });
  return levelNumber(score);
};

const portraitScores = new WeakMap<Policy, number[]>();

/**
 * The score of a portrait that matches a reference of this score, as a number; 0 if no match is
 * enough.
 */
const portraitScore = (policy: Policy, reference: number): number => {
  const known = portraitScores.get(policy) ?? [];
  const score = known[reference] ?? scoreOfMatch(policy, reference);
  known[reference] = score;
  portraitScores.set(policy, known);
  return score;
};

/** The note on a step whose document must be of another type than those of the steps before it. */
const OTHER_TYPE = 'OTHER_TYPE';
/**
 * The note on a step that must not be a document that counts already, or one of a step before it.
 */
const OTHER_DOCUMENT = 'OTHER_DOCUMENT';

const rankReached = (
  policy: Policy,
  position: Position,
  chosen: readonly PossibleSubmission[],
  selfie: boolean,
): number => {
  const rank = (scores: AssuranceScores): number => rankOf(assuranceOf(policy, scores).level);
  const after = afterwards(policy, position, chosen, selfie);
  const isUnseen = (at: number): boolean => at < position.counted.length && isUnseenChip(position.counted[at]!);
  const seen = after.evidence.filter((_, at) => !isUnseen(at));
  if (after.portrait === 0 || seen.length === after.evidence.length) return rank(after);
  // Either such a chip counts or the portrait does.
  const unowned = after.evidence.map((one) => ({ ...one, ownership: 0 }));
  return Math.max(rank({ ...after, evidence: unowned, portrait: 0 }), rank({ ...after, evidence: seen }));
};

/** A reference that does not count any more takes the portrait with it. */
const referenceAmong = (reference: FaceSource | undefined, selected: readonly number[]): FaceSource | undefined =>
  reference?.at === undefined || selected.includes(reference.at) ? reference : { ...reference, counted: false };

/** The state the identity would have without some of its evidence. */
const reducedTo = (position: Position, selected: readonly number[]): Position => ({
  ...position,
  scores: { ...position.scores, evidence: selected.map((at) => position.scores.evidence[at]!) },
  counted: selected.map((at) => position.counted[at]!),
  ...present({ reference: referenceAmong(position.reference, selected) }),
});

/** The rank that some of the counted evidence reaches with some submissions, all by index. */
type Reach = (counted: readonly number[], chosen: readonly number[], selfie: boolean) => number;

/** Finds ranks, each once: many candidates differ only in a document that counts once. */
const reachOf = (policy: Policy, position: Position, submissions: readonly PossibleSubmission[]): Reach => {
  const known = new Map<string, number>();
  return (counted, chosen, selfie) => {
    const key = `${counted} ${chosen} ${selfie}`;
    const added = () => chosen.map((at) => submissions[at]!);
    const rank = known.get(key) ?? rankReached(policy, reducedTo(position, counted), added(), selfie);
    known.set(key, rank);
    return rank;
  };
};

const stepsOf = (
  policy: Policy,
  position: Position,
  submissions: readonly PossibleSubmission[],
  path: UpgradePath,
): PathStep[] => {
  const chosen = path.chosen.map((at) => submissions[at]!);
  const { portrait } = afterwards(policy, position, chosen, path.selfie);
  const selfie = { evidenceTypes: ['PORTRAIT' as const], score: `LEVEL${Math.max(1, portrait)}` as TrustLevel };
  const { oneOfEachType } = policy.consistency;
  const shares = (submission: PossibleSubmission, before: PossibleSubmission) =>
    submission.evidenceTypes.some((type) => before.evidenceTypes.includes(type));
  return [
    ...chosen.map((submission, at) => {
      const other = oneOfEachType && chosen.slice(0, at).some((before) => shares(submission, before));
      const needs = [
        ...(submission.with ? [submission.with] : []),
        ...(other ? [OTHER_TYPE] : []),
        ...(path.mustDiffer[at] && !other ? [OTHER_DOCUMENT] : []),
      ];
      return {
        evidenceTypes: submission.evidenceTypes,
        score: submission.score,
        ...(needs.length > 0 ? { with: needs } : {}),
      };
    }),
    ...(path.selfie ? [selfie] : []),
  ];
};

/**
 * The submissions that would raise the level of assurance. For each level above the present one
 * that can be reached: every path of at most four submissions that reaches it, without redundant
 * ones. Each path is evaluated like real evidence, so what it promises is true.
 */
export const upgradePathsOf = (
  policy: Policy,
  position: Position,
  submissions: readonly PossibleSubmission[],
): UpgradePaths => {
  const presentRank = rankOf(assuranceOf(policy, position.scores).level);
  const relations = relationsOf(position.counted, submissions);
  const reach = reachOf(policy, position, submissions);
  const everything = position.counted.map((_, at) => at);
  /** By rank, the paths found so far that reach it. */
  const found = LEVELS_OF_ASSURANCE.map((): UpgradePath[] => []);
  const isRedundantAt = (rank: number, path: UpgradePath): boolean =>
    found[rank]!.some((other) => isRedundant(path, other, relations));
  const add = (rank: number, path: UpgradePath): void => {
    if (isRedundantAt(rank, path)) return;
    found[rank] = [...found[rank]!.filter((other) => !isRedundant(other, path, relations)), path];
  };
  for (const candidate of candidatePathsOf(submissions.length, position.portrait)) {
    const chosen = candidate.chosen.map((at) => submissions[at]!);
    if (policy.consistency.oneOfEachType && !haveOwnTypes(chosen)) continue;
    // A candidate asks for no less than this: where this is redundant, the candidate is.
    const least = { ...candidate, mustDiffer: [] };
    const ranks = [...found.keys()].filter((rank) => rank > presentRank && !isRedundantAt(rank, least));
    if (ranks.length === 0) continue;
    const reached = reach(everything, candidate.chosen, candidate.selfie);
    const mustDifferFor = mustBeAnotherDocument({
      counted: position.counted,
      measures: position.scores.evidence,
      chosen,
      reach: (counted, left) =>
        reach(
          counted,
          left.map((at) => candidate.chosen[at]!),
          candidate.selfie,
        ),
    });
    for (const rank of ranks) if (rank <= reached) add(rank, { ...candidate, mustDiffer: mustDifferFor(rank) });
  }
  return Object.fromEntries(
    LEVELS_OF_ASSURANCE.flatMap((level, rank) =>
      found[rank]!.length > 0
        ? [[level, found[rank]!.map((path) => stepsOf(policy, position, submissions, path))]]
        : [],
    ),
  );
};
