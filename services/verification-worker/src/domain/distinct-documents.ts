import type { EvidenceType } from '@assay/contracts';
import type { EvidenceKind } from '@assay/policy';
import { CARDS } from './agreement.ts';
import { levelNumber } from './apply-rules.ts';
import type { Measures } from './assurance.ts';
import { isDocument } from './facts.ts';
import type { PossibleSubmission } from './possible-submissions.ts';

/** An evidence that counts: a further submission could be the same document. */
export interface CountedItem {
  kind: EvidenceKind;
  type: EvidenceType;
  /** A face was seen in it. */
  face: boolean;
}

interface SeenItem {
  kind: EvidenceKind;
  types: readonly EvidenceType[];
}

interface Item extends SeenItem {
  face: boolean;
  worth: number;
}

/** More than any worth. */
const FACE_FIRST = 1000;
const worthOf = (score: number, strength: number): number => score * 10 + strength;

/** Whether two evidences may be the same document, by the rule of `sameDocument`. */
const mayBeSame = (one: SeenItem, other: SeenItem): boolean => {
  if (!isDocument(one) || !isDocument(other)) return false;
  const types = [one.types, other.types] as const;
  const isChipOfAny = one.kind === 'documentChip' || other.kind === 'documentChip';
  return (
    types[0].some((type) => types[1].includes(type)) ||
    types.every((some) => some.some((type) => CARDS.includes(type))) ||
    (isChipOfAny && types.some((some) => some.includes('ID_DOCUMENT')))
  );
};

/** For each item the earlier one that is the same document. */
type SameDocuments = readonly (number | undefined)[];

/**
 * The items that remain if some are the same document: of each document the best one, or the best
 * one with a face where there is one.
 */
const eachDocumentOnce = (items: readonly Item[], sameDocuments: SameDocuments, withFace: boolean): number[] => {
  const rootOf = (at: number): number => {
    const earlier = sameDocuments[at];
    return earlier === undefined ? at : rootOf(earlier);
  };
  const best = new Map<number, number>();
  const rank = ({ face, worth }: Item): number => worth + (withFace && face ? FACE_FIRST : 0);
  for (const [at, item] of items.entries()) {
    const root = rootOf(at);
    const known = best.get(root);
    if (known === undefined || rank(item) > rank(items[known]!)) best.set(root, at);
  }
  return [...best.values()].sort((one, other) => one - other);
};

/** Whether a further submission may be of a document that counts. */
export const mayRepeat = ({ kind, type }: CountedItem, submission: PossibleSubmission): boolean =>
  mayBeSame({ kind, types: [type] }, { kind: submission.kind, types: submission.evidenceTypes });

/** Whether two submissions may be of the same document. */
export const mayShareDocument = (one: PossibleSubmission, other: PossibleSubmission): boolean =>
  mayBeSame({ kind: one.kind, types: one.evidenceTypes }, { kind: other.kind, types: other.evidenceTypes });

interface Path {
  counted: readonly CountedItem[];
  measures: readonly Measures[];
  chosen: readonly PossibleSubmission[];
  /** The rank that is reached if only these of both count. */
  reach: (counted: readonly number[], chosen: readonly number[]) => number;
}

const itemsOf = ({ counted, measures, chosen }: Path): Item[] => [
  ...counted.map(({ kind, type, face }, at) => ({
    kind,
    types: [type],
    face,
    worth: worthOf(measures[at]!.score, measures[at]!.strength),
  })),
  ...chosen.map(({ kind, evidenceTypes, face, score, strength }) => ({
    kind,
    types: evidenceTypes,
    face,
    worth: worthOf(levelNumber(score), strength),
  })),
];

/** The rank that is reached if only some items count, found once for each choice. */
const rankOfItems = ({ counted: { length: from }, reach }: Path) => {
  const known = new Map<string, number>();
  return (left: readonly number[]): number => {
    const key = left.join();
    const rank =
      known.get(key) ??
      reach(
        left.filter((at) => at < from),
        left.filter((at) => at >= from).map((at) => at - from),
      );
    known.set(key, rank);
    return rank;
  };
};

/**
 * For each submission of a path, and for the rank that it is to reach: whether it must be another
 * document than those that count and those before it, because that rank would not be reached
 * otherwise.
 */
export const mustBeAnotherDocument = (path: Path): ((rank: number) => boolean[]) => {
  const from = path.counted.length;
  const items = itemsOf(path);
  const rankOf = rankOfItems(path);
  const partners = items.map((item, step) =>
    items.flatMap((other, at) => (at < step && mayBeSame(other, item) ? [at] : [])),
  );
  return (rank) => {
    const free: number[] = [];
    const reaches = (sameDocuments: SameDocuments): boolean =>
      [false, true].some((withFace) => rankOf(eachDocumentOnce(items, sameDocuments, withFace)) >= rank);
    /** Whether the rank is reached, whichever of these steps are documents seen before. */
    const reachesHowever = (steps: readonly number[], sameDocuments: SameDocuments): boolean => {
      const [step, ...rest] = steps;
      if (step === undefined) return reaches(sameDocuments);
      const asAnother = !free.includes(step) || reachesHowever(rest, sameDocuments);
      return asAnother && partners[step]!.every((at) => reachesHowever(rest, sameDocuments.with(step, at)));
    };
    const none: SameDocuments = items.map(() => undefined);
    return path.chosen.map((_, index) => {
      const mayBeSameAsBefore = reachesHowever([...free, from + index], none);
      if (mayBeSameAsBefore) free.push(from + index);
      return !mayBeSameAsBefore;
    });
  };
};
