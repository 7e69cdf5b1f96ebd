import type { Case, CaseEvidence } from './case.ts';

type FacePair = readonly [portrait: CaseEvidence, reference: CaseEvidence];

/** A face that was described, or can be. A played one can neither. */
const isComparable = ({ face, sealed, undescribed }: CaseEvidence): boolean =>
  face !== undefined && (sealed.face !== undefined || undescribed !== undefined);

/** Every portrait of a case with every other face it was not compared with yet. */
export const openPairs = ({ evidences, comparisons }: Case): FacePair[] => {
  const faces = evidences.filter(isComparable);
  const isKnown = (portrait: CaseEvidence, reference: CaseEvidence) =>
    comparisons.some((one) => one.portraitId === portrait.evidenceId && one.referenceId === reference.evidenceId);
  return faces
    .filter(({ kind }) => kind === 'portrait')
    .flatMap((portrait) =>
      faces
        .filter((reference) => reference.kind !== 'portrait' && !isKnown(portrait, reference))
        .map((reference): FacePair => [portrait, reference]),
    );
};

/** Faces that are to be compared, and were not described yet. */
export const facesToDescribe = (current: Case): CaseEvidence[] => [
  ...new Set(openPairs(current).flatMap((pair) => pair.filter(({ undescribed }) => undescribed !== undefined))),
];
