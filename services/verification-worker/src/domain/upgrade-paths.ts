import { LEVELS_OF_ASSURANCE, type PathStep, present, type TrustLevel, type UpgradePaths } from '@assay/contracts';
import type { Policy } from '@assay/policy';
import { applyRules, levelNumber } from './apply-rules.ts';
import { type AssuranceScores, assuranceOf, rankOf } from './assurance.ts';
import { isUnseenChip } from './counted-evidence.ts';
import { type CountedItem, needOtherDocument } from './other-document.ts';
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

const LONGEST = 4;

/**
 * The state of the identity if the offers were all submitted with success, with a portrait if
 * `selfie`.
 */
const afterwards = (
  policy: Policy,
  position: Position,
  submissions: readonly PossibleSubmission[],
  selfie: boolean,
): AssuranceScores => {
  const best = submissions.filter(({ face }) => face).sort((a, b) => levelNumber(b.score) - levelNumber(a.score))[0];
  const fresh: FaceSource | undefined = best && { score: levelNumber(best.score), counted: true };
  const reference = fresh && fresh.score > (position.reference?.score ?? 0) ? fresh : position.reference;
  const portrayed = (selfie || position.portrait) && reference?.counted === true;
  const hasDocument =
    position.hasDocument || submissions.some(({ kind }) => kind.startsWith('document') || kind === 'healthCard');
  const usable = submissions.filter(({ needsDocument }) => hasDocument || !needsDocument);
  return {
    evidence: [
      ...position.scores.evidence.map((one, at) =>
        selfie && position.counted[at]!.face ? { ...one, ownership: 1 } : one,
      ),
      ...usable.map(({ score, strength, face }) => ({
        score: levelNumber(score),
        strength,
        ownership: face && (selfie || position.portrait) ? 1 : 0,
      })),
    ],
    portrait: portrayed ? portraitScore(policy, reference.score) : 0,
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

/** Offers by their index, ascending, and whether a portrait is submitted too. */
interface Candidate {
  chosen: readonly number[];
  selfie: boolean;
}

const combinations = (submissions: number, size: number, from = 0): number[][] => {
  if (size === 0) return [[]];
  const found: number[][] = [];
  for (let at = from; at < submissions; at += 1)
    for (const rest of combinations(submissions, size - 1, at)) found.push([at, ...rest]);
  return found;
};

/** Whether one offer asks for no more than another one: the same submission or a weaker one. */
const asksNoMore = (one: PossibleSubmission, other: PossibleSubmission): boolean =>
  one.kind === other.kind &&
  levelNumber(one.score) <= levelNumber(other.score) &&
  (one.with === undefined || one.with === other.with) &&
  other.evidenceTypes.every((type) => one.evidenceTypes.includes(type));

/** Whether a path is redundant: another one asks for no more in every step. */
const isCovered = (path: Candidate, by: Candidate, noMore: readonly (readonly boolean[])[]): boolean => {
  const assigned = (at: number, used: number): boolean =>
    at === by.chosen.length ||
    path.chosen.some(
      (other, slot) => !(used & (1 << slot)) && noMore[by.chosen[at]!]![other]! && assigned(at + 1, used | (1 << slot)),
    );
  return (path.selfie || !by.selfie) && by.chosen.length <= path.chosen.length && assigned(0, 0);
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

const stepsOf = (
  policy: Policy,
  position: Position,
  submissions: readonly PossibleSubmission[],
  path: Candidate,
  rank: number,
): PathStep[] => {
  const chosen = path.chosen.map((at) => submissions[at]!);
  const { portrait } = afterwards(policy, position, chosen, path.selfie);
  const selfie = { evidenceTypes: ['PORTRAIT' as const], score: `LEVEL${Math.max(1, portrait)}` as TrustLevel };
  const { oneOfEachType } = policy.consistency;
  const shares = (submission: PossibleSubmission, before: PossibleSubmission) =>
    submission.evidenceTypes.some((type) => before.evidenceTypes.includes(type));
  const otherDocument = needOtherDocument({
    ...{ counted: position.counted, measures: position.scores.evidence, chosen },
    reaches: (counted, left) =>
      rankReached(
        policy,
        reducedTo(position, counted),
        left.map((at) => chosen[at]!),
        path.selfie,
      ) >= rank,
  });
  return [
    ...chosen.map((submission, at) => {
      const other = oneOfEachType && chosen.slice(0, at).some((before) => shares(submission, before));
      const needs = [
        ...(submission.with ? [submission.with] : []),
        ...(other ? [OTHER_TYPE] : []),
        ...(otherDocument[at] && !other ? [OTHER_DOCUMENT] : []),
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

/** Every combination of at most four submissions, the shorter ones first. */
const candidatesOf = (submissions: number, portrait: boolean): Candidate[] => {
  const found: Candidate[] = [];
  for (let size = 1; size <= LONGEST; size += 1) {
    for (const chosen of combinations(submissions, size)) found.push({ chosen, selfie: false });
    if (!portrait) for (const chosen of combinations(submissions, size - 1)) found.push({ chosen, selfie: true });
  }
  return found;
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
  const present = rankOf(assuranceOf(policy, position.scores).level);
  const noMore = submissions.map((one) => submissions.map((other) => asksNoMore(one, other)));
  const needed = LEVELS_OF_ASSURANCE.map((): Candidate[] => []);
  for (const path of candidatesOf(submissions.length, position.portrait)) {
    const open = needed.map((found, rank) => rank > present && !found.some((other) => isCovered(path, other, noMore)));
    if (!open.includes(true)) continue;
    const chosen = path.chosen.map((at) => submissions[at]!);
    if (policy.consistency.oneOfEachType && !haveOwnTypes(chosen)) continue;
    const reached = rankReached(policy, position, chosen, path.selfie);
    for (let rank = present + 1; rank <= reached; rank += 1)
      if (open[rank]) needed[rank] = [...needed[rank]!.filter((other) => !isCovered(other, path, noMore)), path];
  }
  return Object.fromEntries(
    LEVELS_OF_ASSURANCE.flatMap((level, rank) =>
      needed[rank]!.length > 0
        ? [[level, needed[rank]!.map((path) => stepsOf(policy, position, submissions, path, rank))]]
        : [],
    ),
  );
};
