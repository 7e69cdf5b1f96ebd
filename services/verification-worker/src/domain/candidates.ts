import { levelNumber } from './apply-rules.ts';
import { type CountedItem, mayBeOffered, mayBeTakenAlike } from './other-document.ts';
import type { PossibleSubmission } from './possible-submissions.ts';

const LONGEST = 4;

/** Offers by their index, ascending, and whether a portrait is submitted too. */
export interface Candidate {
  chosen: readonly number[];
  selfie: boolean;
}

/** A candidate, and for each offer whether it must differ from what counts and those before it. */
export interface Way extends Candidate {
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
export const candidatesOf = (submissions: number, portrait: boolean): Candidate[] => {
  const found: Candidate[] = [];
  for (let size = 1; size <= LONGEST; size += 1) {
    for (const chosen of combinations(submissions, size)) found.push({ chosen, selfie: false });
    if (!portrait) for (const chosen of combinations(submissions, size - 1)) found.push({ chosen, selfie: true });
  }
  return found;
};

/** Whether one offer asks for no more than another one: the same submission or a weaker one. */
const asksNoMore = (one: PossibleSubmission, other: PossibleSubmission): boolean =>
  one.kind === other.kind &&
  levelNumber(one.score) <= levelNumber(other.score) &&
  (one.with === undefined || one.with === other.with) &&
  other.evidenceTypes.every((type) => one.evidenceTypes.includes(type));

/** How the offers relate to each other and to what counts; offers are named by their index. */
export interface Relations {
  /** Whether the first asks for no more than the second. */
  noMore: readonly (readonly boolean[])[];
  /** Whether two may be taken with the same document. */
  alike: readonly (readonly boolean[])[];
  /** Whether a document that counts may be what the offer asks for. */
  known: readonly boolean[];
}

export const relationsOf = (counted: readonly CountedItem[], offers: readonly PossibleSubmission[]): Relations => ({
  noMore: offers.map((one) => offers.map((other) => asksNoMore(one, other))),
  alike: offers.map((one) => offers.map((other) => mayBeTakenAlike(one, other))),
  known: offers.map((offer) => counted.some((item) => mayBeOffered(item, offer))),
});

/** Whether a step of a path is a document apart from what counts and from some other steps. */
const isApart = ({ chosen, mustDiffer }: Way, slot: number, others: readonly number[], relations: Relations): boolean =>
  (mustDiffer[slot] || !relations.known[chosen[slot]!]) &&
  others.every((other) => mustDiffer[Math.max(slot, other)] || !relations.alike[chosen[slot]!]![chosen[other]!]);

/**
 * Whether a path is redundant: another one asks for no more in every step. A step that must be
 * another document asks for more than one that may be the same.
 */
export const isCovered = (path: Way, by: Way, relations: Relations): boolean => {
  const takes = (at: number, slot: number, slots: readonly number[]): boolean =>
    !slots.includes(slot) &&
    relations.noMore[by.chosen[at]!]![path.chosen[slot]!]! &&
    (!by.mustDiffer[at] || isApart(path, slot, slots, relations));
  const assigned = (slots: readonly number[]): boolean =>
    slots.length === by.chosen.length ||
    path.chosen.some((_, slot) => takes(slots.length, slot, slots) && assigned([...slots, slot]));
  return (path.selfie || !by.selfie) && by.chosen.length <= path.chosen.length && assigned([]);
};
