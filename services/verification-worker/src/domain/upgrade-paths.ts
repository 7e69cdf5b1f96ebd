import { LEVELS_OF_ASSURANCE, type PathStep, type TrustLevel, type UpgradePaths } from '@assay/contracts';
import type { Policy } from '@assay/policy';
import { assuranceOf, rankOf, type Standing } from './assurance.ts';
import { judge, levelNumber } from './judge.ts';
import { haveOwnTypes, MATCHED, type Offer } from './offers.ts';

/** A VERIFIED document that a portrait is, or would be, compared with. */
export interface FaceSource {
  score: number;
  /** False where it does not count itself: then no portrait that matches it does. */
  counted: boolean;
}

/** Where an identity stands, as far as it matters to what could follow. */
export interface Position {
  standing: Standing;
  /** For each evidence of the standing, whether it shows a face that a new portrait could match. */
  faces: boolean[];
  hasDocument: boolean;
  /** The present portrait reference. */
  reference?: FaceSource;
  /** A portrait that is VERIFIED, or that waits for a reference and has no fault. */
  portrait: boolean;
}

const LONGEST = 4;

/** What the identity would come to if the offers were all taken up with success, and a portrait too where `selfie` says so. */
export const afterwards = (policy: Policy, position: Position, offers: readonly Offer[], selfie: boolean): Standing => {
  const best = offers.filter(({ face }) => face).sort((a, b) => levelNumber(b.score) - levelNumber(a.score))[0];
  const fresh: FaceSource | undefined = best && { score: levelNumber(best.score), counted: true };
  const reference = fresh && fresh.score > (position.reference?.score ?? 0) ? fresh : position.reference;
  const portrayed = (selfie || position.portrait) && reference?.counted === true;
  const hasDocument =
    position.hasDocument || offers.some(({ kind }) => kind.startsWith('document') || kind === 'healthCard');
  const usable = offers.filter(({ needsDocument }) => hasDocument || !needsDocument);
  return {
    evidence: [
      ...position.standing.evidence.map((one, at) => (selfie && position.faces[at] ? { ...one, ownership: 1 } : one)),
      ...usable.map(({ score, strength, face }) => ({
        score: levelNumber(score),
        strength,
        ownership: face && (selfie || position.portrait) ? 1 : 0,
      })),
    ],
    portrait: portrayed ? portraitScore(policy, reference.score) : 0,
    ...(position.standing.person ? { person: position.standing.person } : {}),
  };
};

/** Score of a portrait that matches a reference of this score, as a number; 0 where no match can be enough. */
const portraitScore = (policy: Policy, reference: number): number => {
  const referenceScore = `LEVEL${reference}` as TrustLevel;
  const { score } = judge({
    rules: policy.kinds.portrait,
    type: 'PORTRAIT',
    raised: MATCHED,
    rejected: false,
    settings: { acceptSpecimens: false },
    referenceScore,
  });
  return levelNumber(score);
};

/** Offers by their place in the list, in ascending order, and whether a portrait is submitted too. */
interface Candidate {
  chosen: readonly number[];
  selfie: boolean;
}

const combinations = (offers: number, size: number, from = 0): number[][] => {
  if (size === 0) return [[]];
  const found: number[][] = [];
  for (let at = from; at < offers; at += 1)
    for (const rest of combinations(offers, size - 1, at)) found.push([at, ...rest]);
  return found;
};

/** One offer asks no more than another: the same submission or a weaker one. */
const asksNoMore = (one: Offer, other: Offer): boolean =>
  one.kind === other.kind &&
  levelNumber(one.score) <= levelNumber(other.score) &&
  (one.with === undefined || one.with === other.with) &&
  other.evidenceTypes.every((type) => one.evidenceTypes.includes(type));

/** A path is needless when another one asks for no more of it in every step. */
const isCovered = (path: Candidate, by: Candidate, noMore: readonly (readonly boolean[])[]): boolean => {
  const assigned = (at: number, used: number): boolean =>
    at === by.chosen.length ||
    path.chosen.some(
      (other, slot) => !(used & (1 << slot)) && noMore[by.chosen[at]!]![other]! && assigned(at + 1, used | (1 << slot)),
    );
  return (path.selfie || !by.selfie) && by.chosen.length <= path.chosen.length && assigned(0, 0);
};

/** Said of a step whose document has to be of another type than those of the steps before it. */
const OTHER_TYPE = 'OTHER_TYPE';

const stepsOf = (policy: Policy, position: Position, offers: readonly Offer[], path: Candidate): PathStep[] => {
  const chosen = path.chosen.map((at) => offers[at]!);
  const { portrait } = afterwards(policy, position, chosen, path.selfie);
  const selfie = { evidenceTypes: ['PORTRAIT' as const], score: `LEVEL${Math.max(1, portrait)}` as TrustLevel };
  const { oneOfEachType } = policy.consistency;
  const shares = (offer: Offer, before: Offer) =>
    offer.evidenceTypes.some((type) => before.evidenceTypes.includes(type));
  return [
    ...chosen.map((offer, at) => {
      const other = oneOfEachType && chosen.slice(0, at).some((before) => shares(offer, before));
      const needs = [...(offer.with ? [offer.with] : []), ...(other ? [OTHER_TYPE] : [])];
      return {
        evidenceTypes: offer.evidenceTypes,
        score: offer.score,
        ...(needs.length > 0 ? { with: needs } : {}),
      };
    }),
    ...(path.selfie ? [selfie] : []),
  ];
};

/** Every choice of at most four submissions, the shorter ones first. */
const candidatesOf = (offers: number, portrait: boolean): Candidate[] => {
  const found: Candidate[] = [];
  for (let size = 1; size <= LONGEST; size += 1) {
    for (const chosen of combinations(offers, size)) found.push({ chosen, selfie: false });
    if (!portrait) for (const chosen of combinations(offers, size - 1)) found.push({ chosen, selfie: true });
  }
  return found;
};

/**
 * The submissions that would raise the level of assurance: for each level above the present one that can be reached, every path of at most four
 * submissions that reaches it and asks for nothing needless. True by construction: each path was evaluated like the evidence it stands for.
 */
export const upgradePathsOf = (policy: Policy, position: Position, offers: readonly Offer[]): UpgradePaths => {
  const present = rankOf(assuranceOf(policy, position.standing).level);
  const noMore = offers.map((one) => offers.map((other) => asksNoMore(one, other)));
  const needed = LEVELS_OF_ASSURANCE.map((): Candidate[] => []);
  for (const path of candidatesOf(offers.length, position.portrait)) {
    const open = needed.map((kept) => !kept.some((other) => isCovered(path, other, noMore)));
    if (!open.some((is, rank) => is && rank > present)) continue;
    const chosen = path.chosen.map((at) => offers[at]!);
    if (policy.consistency.oneOfEachType && !haveOwnTypes(chosen)) continue;
    const reached = rankOf(assuranceOf(policy, afterwards(policy, position, chosen, path.selfie)).level);
    for (let rank = present + 1; rank <= reached; rank += 1)
      if (open[rank]) needed[rank] = [...needed[rank]!.filter((other) => !isCovered(other, path, noMore)), path];
  }
  return Object.fromEntries(
    LEVELS_OF_ASSURANCE.flatMap((level, rank) =>
      needed[rank]!.length > 0 ? [[level, needed[rank]!.map((path) => stepsOf(policy, position, offers, path))]] : [],
    ),
  );
};
