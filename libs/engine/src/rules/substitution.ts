import type { Indicator } from '@assay/contracts';
import { SECOND } from './face-thresholds.ts';

/** What supports or refutes that the portrait on a document is the issuer's. */
export interface PortraitTraces {
  /**
   * How much better the rest of the page fits a JPEG quantisation that the portrait did not go
   * through; absent if it could not be measured.
   */
  historyGap?: number;
  /**
   * The distance of the face in the second portrait; absent if none was found, or there is none to
   * compare.
   */
  secondDistance?: number;
  /**
   * The distance of the face on the second picture of a one-sided document; absent if there is
   * none.
   */
  surplusDistance?: number;
}

/**
 * A portrait that was inserted into a finished picture lacks the compression of that picture. 0.34
 * was the widest gap on a genuine page (docs/indicators.md).
 */
export const WIDEST_GAP = 0.5;

/**
 * Whether the portrait was exchanged. Any trace gives a warning. OK needs a second portrait that
 * was compared and shows the same person; else it is unknown.
 */
export const substitutionIndicator = ({ historyGap, secondDistance, surplusDistance }: PortraitTraces): Indicator => {
  const other = [secondDistance, surplusDistance].some((one) => one !== undefined && one > SECOND.refuseAbove);
  if (other || (historyGap !== undefined && historyGap > WIDEST_GAP)) return 'PORTRAIT_SUBSTITUTION_WARNING';
  const same = secondDistance !== undefined && secondDistance <= SECOND.sameUpTo;
  return same ? 'PORTRAIT_SUBSTITUTION_OK' : 'PORTRAIT_SUBSTITUTION_UNVERIFIED';
};
