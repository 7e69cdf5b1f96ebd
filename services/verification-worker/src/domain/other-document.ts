import type { EvidenceType } from '@assay/contracts';
import type { EvidenceKind } from '@assay/policy';
import { CARDS } from './agreement.ts';
import { levelNumber } from './apply-rules.ts';
import type { Measures } from './assurance.ts';
import { isDocument } from './facts.ts';
import type { PossibleSubmission } from './possible-submissions.ts';

/** An evidence that counts, as a document that a further submission could be the same as. */
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

/**
 * The items that remain if some are the same document: of each document the best one, or the best
 * one with a face where there is one.
 */
const withoutTwins = (items: readonly Item[], twins: ReadonlyMap<number, number>, withFace: boolean): Set<number> => {
  const rootOf = (at: number): number => {
    const twin = twins.get(at);
    return twin === undefined ? at : rootOf(twin);
  };
  const best = new Map<number, number>();
  const rank = ({ face, worth }: Item): number => worth + (withFace && face ? FACE_FIRST : 0);
  for (const [at, item] of items.entries()) {
    const known = best.get(rootOf(at));
    if (known === undefined || rank(item) > rank(items[known]!)) best.set(rootOf(at), at);
  }
  return new Set(best.values());
};

/** Whether an evidence may be the same document as what the offer asks for. */
export const mayBeOffered = ({ kind, type }: CountedItem, offer: PossibleSubmission): boolean =>
  mayBeSame({ kind, types: [type] }, { kind: offer.kind, types: offer.evidenceTypes });

/** Whether two offers may be taken with the same document. */
export const mayBeTakenAlike = (one: PossibleSubmission, other: PossibleSubmission): boolean =>
  mayBeSame({ kind: one.kind, types: one.evidenceTypes }, { kind: other.kind, types: other.evidenceTypes });

interface Path {
  counted: readonly CountedItem[];
  measures: readonly Measures[];
  chosen: readonly PossibleSubmission[];
  /** Whether the level is reached if only these of both count. */
  reaches: (counted: readonly number[], chosen: readonly number[]) => boolean;
}

/**
 * For each submission of a path: whether it must be another document than those that count and
 * those before it, because the path would not reach its level otherwise.
 */
export const needOtherDocument = ({ counted, measures, chosen, reaches }: Path): boolean[] => {
  const from = counted.length;
  const items: Item[] = [
    ...counted.map(({ kind, type, face }, at) => ({
      ...{ kind, types: [type], face },
      worth: worthOf(measures[at]!.score, measures[at]!.strength),
    })),
    ...chosen.map(({ kind, evidenceTypes, face, score, strength }) => ({
      ...{ kind, types: evidenceTypes, face },
      worth: worthOf(levelNumber(score), strength),
    })),
  ];
  const reachesWith = (twins: ReadonlyMap<number, number>): boolean =>
    [false, true].some((withFace) => {
      const left = withoutTwins(items, twins, withFace);
      const reduced = (length: number, offset: number) =>
        Array.from({ length }, (_, at) => at).filter((at) => left.has(at + offset));
      return reaches(reduced(from, 0), reduced(chosen.length, from));
    });
  const free: number[] = [];
  const holds = (steps: readonly number[], twins: ReadonlyMap<number, number>): boolean => {
    const [step, ...rest] = steps;
    if (step === undefined) return reachesWith(twins);
    const partners = items.flatMap((item, at) => (at < step && mayBeSame(item, items[step]!) ? [at] : []));
    const apart = !free.includes(step) || holds(rest, twins);
    return apart && partners.every((at) => holds(rest, new Map([...twins, [step, at]])));
  };
  return chosen.map((_, index) => {
    const suffices = holds([...free, from + index], new Map());
    if (suffices) free.push(from + index);
    return !suffices;
  });
};
