import type { Case, CaseEvidence } from './case.ts';
import { agreementOf } from './facts.ts';

type FacePair = readonly [portrait: CaseEvidence, reference: CaseEvidence];

/** A face that was described, or can be. A played one can neither. */
const isComparable = ({ face, sealed, undescribed }: CaseEvidence): boolean =>
  face !== undefined && (sealed.face !== undefined || undescribed !== undefined);

/** Two faces were compared, whichever of them is the reference. */
const isKnown = ({ comparisons }: Case, one: CaseEvidence, other: CaseEvidence): boolean =>
  comparisons.some(
    ({ portraitId, referenceId }) =>
      (portraitId === one.evidenceId && referenceId === other.evidenceId) ||
      (portraitId === other.evidenceId && referenceId === one.evidenceId),
  );

/**
 * Two pictures of one document, or a picture and its chip once that was described: nothing is
 * described for this alone.
 */
const isOneDocument = (current: Case, one: CaseEvidence, other: CaseEvidence): boolean => {
  const isImage = one.kind === 'documentImage' || other.kind === 'documentImage';
  const isDescribed = one.undescribed === undefined && other.undescribed === undefined;
  return isImage && isDescribed && agreementOf(current, one.evidenceId, other.evidenceId)?.sameDocument === true;
};

/**
 * Every portrait of a case with every other face that it was not compared with yet, and every two
 * faces of one document.
 */
export const openPairs = (current: Case): FacePair[] => {
  const faces = current.evidences.filter(isComparable);
  const portraits = faces.filter(({ kind }) => kind === 'portrait');
  const others = faces.filter(({ kind }) => kind !== 'portrait');
  return [
    ...portraits.flatMap((portrait) => others.map((reference): FacePair => [portrait, reference])),
    ...others.flatMap((one, at) =>
      others
        .slice(at + 1)
        .filter((other) => isOneDocument(current, one, other))
        .map((other): FacePair => [other, one]),
    ),
  ].filter(([one, other]) => !isKnown(current, one, other));
};

/** Faces that are to be compared, and were not described yet. */
export const facesToDescribe = (current: Case): CaseEvidence[] => [
  ...new Set(openPairs(current).flatMap((pair) => pair.filter(({ undescribed }) => undescribed !== undefined))),
];
