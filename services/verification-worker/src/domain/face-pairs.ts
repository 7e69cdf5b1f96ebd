import type { Today } from '@assay/contracts';
import type { Case, CaseEvidence } from './case.ts';
import { mayBeCompared } from './consents.ts';

type FacePair = readonly [portrait: CaseEvidence, reference: CaseEvidence];

/** Whether a face has a template, or can get one. A face played by the sandbox has neither. */
const isComparable = ({ face, sealed, undescribed }: CaseEvidence): boolean =>
  face !== undefined && (sealed.face !== undefined || undescribed !== undefined);

/** Every pair of a portrait and another face of the case that was not compared yet and may be. */
export const openPairs = (
  { evidences, comparisons, consents }: Pick<Case, 'evidences' | 'comparisons' | 'consents'>,
  today: Today,
): FacePair[] => {
  const faces = evidences.filter(isComparable);
  const isKnown = (portrait: CaseEvidence, reference: CaseEvidence) =>
    comparisons.some((one) => one.portraitId === portrait.evidenceId && one.referenceId === reference.evidenceId);
  return faces
    .filter((face) => face.kind === 'portrait' && mayBeCompared(face, consents, today))
    .flatMap((portrait) =>
      faces
        .filter((reference) => reference.kind !== 'portrait' && !isKnown(portrait, reference))
        .map((reference): FacePair => [portrait, reference]),
    );
};

/** Faces that are to be compared, and were not described yet. */
export const facesToDescribe = (current: Case, today: Today): CaseEvidence[] => [
  ...new Set(openPairs(current, today).flatMap((pair) => pair.filter(({ undescribed }) => undescribed !== undefined))),
];
