import type { Indicator } from '@assay/contracts';
import { DOCUMENT_PORTRAIT } from '@assay/engine';
import type { Policy } from '@assay/policy';
import { type CaseFacts, type FaceComparison, isDocument } from './facts.ts';

/** The comparison of a portrait with a reference, if both faces could be compared. */
export const comparisonOf = (facts: CaseFacts, portraitId: string, referenceId: string): FaceComparison | undefined =>
  facts.comparisons.find((one) => one.portraitId === portraitId && one.referenceId === referenceId);

/** The documents of the case whose photograph the portrait is, the reference or others. */
export const documentsOfPhotograph = (facts: CaseFacts, portraitId: string, faces: Policy['faces']): string[] =>
  facts.evidences
    .filter((one) => {
      const comparison = isDocument(one) ? comparisonOf(facts, portraitId, one.evidenceId) : undefined;
      return comparison !== undefined && comparison.distance < faces.samePhoto;
    })
    .map(({ evidenceId }) => evidenceId);

/**
 * Whether the portrait is the photograph of any document of the case: it does not show that a
 * person was present.
 */
export const isDocumentsPhotograph = (facts: CaseFacts, portraitId: string, faces: Policy['faces']): boolean =>
  documentsOfPhotograph(facts, portraitId, faces).length > 0;

const SAME_PHOTO: Indicator = 'SELFIE_SAME_AS_DOCUMENT_WARNING';

export const isSamePhoto = (raised: readonly string[]): boolean => raised.includes(SAME_PHOTO);

/**
 * The meaning of a distance under a policy. If operators can be asked, a wider range goes to them.
 * A small face on the reference gets no tolerance. The reference's own photograph matches.
 */
const matchingIndicator = (
  comparison: FaceComparison | undefined,
  faces: Policy['faces'],
  adjudication: boolean,
): Indicator => {
  if (!comparison) return 'BIOMETRIC_MATCHING_CHECK_UNVERIFIED';
  const { distance, referenceWidth } = comparison;
  if (distance < faces.samePhoto) return 'BIOMETRIC_MATCHING_CHECK_OK';
  const alone = !adjudication && referenceWidth >= DOCUMENT_PORTRAIT.smallFaceWidth;
  if (distance <= (alone ? faces.matchWithoutReview : faces.match)) return 'BIOMETRIC_MATCHING_CHECK_OK';
  return distance <= faces.refuse ? 'BIOMETRIC_MATCHING_CHECK_WARNING' : 'BIOMETRIC_MATCHING_CHECK_FAILED';
};

/**
 * What the comparison of a portrait raises; also that the portrait is a document's photograph. A
 * portrait reference is no document: its own picture only matches.
 */
export const matchingIndicators = (
  comparison: FaceComparison | undefined,
  faces: Policy['faces'],
  adjudication: boolean,
  isPhotograph: boolean,
): Indicator[] => {
  const matching = matchingIndicator(comparison, faces, adjudication);
  return comparison && isPhotograph ? [matching, SAME_PHOTO] : [matching];
};

/** True if a comparison is a match that no operator needs to check. */
export const isMatch = (comparison: FaceComparison | undefined, faces: Policy['faces']): boolean =>
  comparison !== undefined && comparison.distance <= faces.match;

/** True if a document shows somebody else than the portrait, as certainly as refuses a portrait. */
export const isAnother = (comparison: FaceComparison | undefined, faces: Policy['faces']): boolean =>
  comparison !== undefined && comparison.distance > faces.refuse;
