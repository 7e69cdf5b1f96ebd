import { ERRORS, type ErrorObject, type Indicator } from '@assay/contracts';
import { DOCUMENT_PORTRAIT, MATCHING } from './face-thresholds.ts';
import type { DocumentPortraitVerdict, PortraitRefusal, PortraitVerdict } from './portrait-rules.ts';

/** Indicators of a selfie seen alone. Presentation attacks cannot be told by what is here, so liveness stays unverified. */
export const selfieIndicators = ({ refusals, warnings }: PortraitVerdict): Indicator[] => [
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
export const selfieErrors = ({ refusals }: PortraitVerdict): ErrorObject[] =>
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
export function documentPortraitIndicator(verdict: DocumentPortraitVerdict): Indicator {
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

export interface MatchQuestion {
  /** Fused distance of selfie and reference portrait. */
  distance: number;
  /** Whether the tenant has people to ask. */
  adjudication: boolean;
  /** Width in pixels of the face on the reference: a small one allows no benefit of the doubt. */
  referenceFaceWidth: number;
}

export interface MatchDecision {
  /** ADJUDICATE: an operator decides; UNDECIDED: nobody can (NOT_VERIFIED); NO_MATCH: another person (INVALID). */
  outcome: 'MATCH' | 'ADJUDICATE' | 'UNDECIDED' | 'NO_MATCH';
  /** 0 to 1: 1 - distance. */
  matchingScore: number;
  indicators: Indicator[];
}

/** What a distance means (decisions of the engine notes: .30, .58, .60, .66). */
export function decideMatch({ distance, adjudication, referenceFaceWidth }: MatchQuestion): MatchDecision {
  const matchingScore = Math.max(0, Math.min(1, 1 - distance));
  const review = adjudication ? 'ADJUDICATE' : 'UNDECIDED';
  if (distance < MATCHING.sameBelow) {
    const indicators: Indicator[] = ['BIOMETRIC_MATCHING_CHECK_OK', 'SELFIE_SAME_AS_DOCUMENT_WARNING'];
    return { outcome: review, matchingScore, indicators };
  }
  const alone = !adjudication && referenceFaceWidth >= DOCUMENT_PORTRAIT.smallFaceWidth;
  if (distance <= (alone ? MATCHING.matchWithoutAdjudication : MATCHING.match)) {
    return { outcome: 'MATCH', matchingScore, indicators: ['BIOMETRIC_MATCHING_CHECK_OK'] };
  }
  if (distance <= MATCHING.refuseAbove) {
    return { outcome: review, matchingScore, indicators: ['BIOMETRIC_MATCHING_CHECK_WARNING'] };
  }
  return { outcome: 'NO_MATCH', matchingScore, indicators: ['BIOMETRIC_MATCHING_CHECK_FAILED'] };
}
