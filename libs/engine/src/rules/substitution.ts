import type { Indicator } from '@assay/contracts';
import { MATCHING, SECOND } from './face-thresholds.ts';

/** What speaks for or against the portrait on a document being the issuer's. */
export interface PortraitTraces {
  /**
   * How much better the rest of the page fits a JPEG quantisation that the portrait did not go
   * through; absent where it could not be measured.
   */
  historyGap?: number;
  /**
   * Distance of the face in the second portrait; absent where none was found, or none to compare.
   */
  secondDistance?: number;
  /**
   * Distance of the face on the second of two pictures of a one-sided document; absent where there
   * is none.
   */
  surplusDistance?: number;
}

/**
 * A portrait put into a finished picture lacks the picture's own compression. 0.34 was the widest
 * gap on a genuine page (docs/indicators.md).
 */
export const WIDEST_GAP = 0.5;

/**
 * Whether the portrait was exchanged: a warning by any trace. OK only where a second portrait was
 * compared and shows the same person; else nobody can tell.
 */
export const substitutionIndicator = ({ historyGap, secondDistance, surplusDistance }: PortraitTraces): Indicator => {
  const other = [secondDistance, surplusDistance].some((one) => one !== undefined && one > SECOND.refuseAbove);
  if (other || (historyGap !== undefined && historyGap > WIDEST_GAP)) return 'PORTRAIT_SUBSTITUTION_WARNING';
  const same = secondDistance !== undefined && secondDistance <= MATCHING.match;
  return same ? 'PORTRAIT_SUBSTITUTION_OK' : 'PORTRAIT_SUBSTITUTION_UNVERIFIED';
};
