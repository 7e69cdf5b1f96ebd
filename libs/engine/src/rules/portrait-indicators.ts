import { ERRORS, type ErrorObject, errorObject, type Indicator } from '@assay/contracts';
import { capital, PORTRAIT_FAULTS } from '@assay/contracts/words';
import type { DocumentPortraitAssessment, PortraitAssessment, PortraitRefusal } from './portrait-rules.ts';

/**
 * The indicators of a selfie by itself. Nothing here can detect presentation attacks, so liveness
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

const FAULTS: Record<PortraitRefusal, { what: string; change: string }> = PORTRAIT_FAULTS;

/** Error 1570 with every reason and what to change; undefined if there is no reason. */
export const selfieErrors = ({ refusals }: PortraitAssessment): ErrorObject[] => {
  if (refusals.length === 0) return [];
  const faults = refusals.map((refusal) => FAULTS[refusal]);
  const what = faults.map((fault) => fault.what).join(', ');
  const change = capital(faults.map((fault) => fault.change).join('; '));
  return [errorObject('PORTRAIT_QUALITY', 'Portrait', `${ERRORS.PORTRAIT_QUALITY.title}: ${what}. ${change}.`)];
};

/** The PORTRAIT indicator of a document. */
export function documentPortraitIndicator(assessment: DocumentPortraitAssessment): Indicator {
  switch (assessment) {
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
