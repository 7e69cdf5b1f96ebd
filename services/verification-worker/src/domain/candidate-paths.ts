import { levelNumber } from './apply-rules.ts';
import { type CountedItem, mayRepeat, mayShareDocument } from './distinct-documents.ts';
import type { PossibleSubmission } from './possible-submissions.ts';

/** Steps of a path at most. */
export const LONGEST = 4;

/** Possible submissions by their index, ascending, and whether a portrait is submitted too. */
export interface CandidatePath {
  chosen: readonly number[];
  selfie: boolean;
}

/**
 * A candidate, and for each submission whether it must be another document than those that count
 * and those before it.
 */
export interface UpgradePath extends CandidatePath {
  mustDiffer: readonly boolean[];
}

const combinations = (submissions: number, size: number, from = 0): number[][] => {
  if (size === 0) return [[]];
  const found: number[][] = [];
  for (let at = from; at < submissions; at += 1)
    for (const rest of combinations(submissions, size - 1, at)) found.push([at, ...rest]);
  return found;
};

/** Every combination of at most four submissions, the shorter ones first. */
export const candidatePathsOf = (submissions: number, portrait: boolean): CandidatePath[] => {
  const found: CandidatePath[] = [];
  for (let size = 1; size <= LONGEST; size += 1) {
    for (const chosen of combinations(submissions, size)) found.push({ chosen, selfie: false });
    if (!portrait) for (const chosen of combinations(submissions, size - 1)) found.push({ chosen, selfie: true });
  }
  return found;
};

/** Whether one submission asks for no more than another: the same or a weaker one. */
const asksNoMore = (one: PossibleSubmission, other: PossibleSubmission): boolean =>
  one.kind === other.kind &&
  levelNumber(one.score) <= levelNumber(other.score) &&
  (one.with === undefined || one.with === other.with) &&
  other.evidenceTypes.every((type) => one.evidenceTypes.includes(type));

/** How submissions, named by their index, relate to each other and to what counts. */
export interface Relations {
  /** Whether the first asks for no more than the second. */
  asksNoMore: readonly (readonly boolean[])[];
  /** Whether two may be of the same document. */
  mayShareDocument: readonly (readonly boolean[])[];
  /** Whether a submission may be of a document that counts. */
  mayRepeatCounted: readonly boolean[];
}

export const relationsOf = (
  counted: readonly CountedItem[],
  submissions: readonly PossibleSubmission[],
): Relations => ({
  asksNoMore: submissions.map((one) => submissions.map((other) => asksNoMore(one, other))),
  mayShareDocument: submissions.map((one) => submissions.map((other) => mayShareDocument(one, other))),
  mayRepeatCounted: submissions.map((submission) => counted.some((item) => mayRepeat(item, submission))),
});

/** Whether a step of a path is another document than those that count and those of other steps. */
const isAnotherDocument = (
  { chosen, mustDiffer }: UpgradePath,
  slot: number,
  others: readonly number[],
  relations: Relations,
): boolean =>
  (mustDiffer[slot] || !relations.mayRepeatCounted[chosen[slot]!]) &&
  others.every(
    (other) => mustDiffer[Math.max(slot, other)] || !relations.mayShareDocument[chosen[slot]!]![chosen[other]!],
  );

/**
 * Whether a path is redundant: another one asks for no more in every step. A step that must be
 * another document asks for more than one that may be the same.
 */
export const isRedundant = (path: UpgradePath, by: UpgradePath, relations: Relations): boolean => {
  const asksNoMoreAt = (at: number, slot: number, slots: readonly number[]): boolean =>
    !slots.includes(slot) &&
    relations.asksNoMore[by.chosen[at]!]![path.chosen[slot]!]! &&
    (!by.mustDiffer[at] || isAnotherDocument(path, slot, slots, relations));
  const assigned = (slots: readonly number[]): boolean =>
    slots.length === by.chosen.length ||
    path.chosen.some((_, slot) => asksNoMoreAt(slots.length, slot, slots) && assigned([...slots, slot]));
  return (path.selfie || !by.selfie) && by.chosen.length <= path.chosen.length && assigned([]);
};
