import { ERRORS, type ErrorObject, type Indicator } from '@assay/contracts';
import type { DocumentPortraitAssessment, PortraitAssessment, PortraitRefusal } from './portrait-rules.ts';

/**
 * Indicators of a selfie seen alone. Nothing here can detect presentation attacks, so liveness
 * stays unverified.
 */
export const selfieIndicators = ({ refusals, warnings }: PortraitAssessment): Indicator[] => [
  qualityIndicator(refusals.length, warnings.length),
  'BIOMETRIC_LIVENESS_CHALLENGE_UNVERIFIED',
];

function qualityIndicator(refusals: number, warnings: number): Indicator {
  if (refusals > 0) return 'BIOMETRIC_QUALITY_CHECK_FAILED';
  return warnings > 0 ? 'BIOMETRIC_QUALITY_CHECK_WARNING' : 'BIOMETRIC_QUALITY_CHECK_OK';
}

const REASONS: Record<PortraitRefusal, string> = {
  NO_FACE: 'no face was found',
  SEVERAL_FACES: 'there is more than one face',
  FACE_TOO_SMALL: 'the face is too small',
  HEAD_TILTED: 'the head is tilted',
  HEAD_TURNED: 'the head is turned away',
  BLURRED: 'the face is blurred',
  TOO_DARK: 'the face is too dark',
  TOO_BRIGHT: 'the face is too bright',
  UNEVEN_LIGHT: 'half of the face is in shadow',
  EYES_COVERED: 'the eyes are covered',
  MOUTH_COVERED: 'the mouth is covered',
};

/** Error 1570 with every reason in words, or nothing. */
export const selfieErrors = ({ refusals }: PortraitAssessment): ErrorObject[] =>
  refusals.length === 0
    ? []
    : [
        {
          code: ERRORS.PORTRAIT_QUALITY.code,
          field: 'Portrait',
          message: `${ERRORS.PORTRAIT_QUALITY.title}: ${refusals.map((reason) => REASONS[reason]).join(', ')}`,
        },
      ];

/** The PORTRAIT indicator of a document. */
export function documentPortraitIndicator(verdict: DocumentPortraitAssessment): Indicator {
  switch (verdict) {
    case 'USABLE':
      return 'PORTRAIT_OK';
    case 'SMALL':
      return 'PORTRAIT_WARNING';
    case 'UNUSABLE':
      return 'PORTRAIT_UNVERIFIED';
    case 'ABSENT':
      return 'PORTRAIT_FAILED';
  }
}
