import { type Indicator, type IndicatorName, indicator } from '@assay/contracts';
import type { QuestionField } from './source.ts';

/** The answer of a source about one element: the same, different, or no answer. */
export type Match = boolean | undefined;

/**
 * The answer of a source, independent of its protocol. `raised` holds the comparisons it made and
 * those it did not make.
 */
export interface SourceAnswer {
  result: 'VERIFIED' | 'FAILED' | 'UNVERIFIED';
  raised: Indicator[];
  /** The values that the source was asked about: no other one is confirmed. */
  asked?: readonly QuestionField[];
  /**
   * Values of which only a part is the same: they are not confirmed, whatever a comparison says.
   */
  partly?: readonly QuestionField[];
}

/** Why there is no answer. None of these reasons says anything about the document. */
const OUTAGES = ['TIMEOUT', 'UNREACHABLE', 'FAULT', 'UNREADABLE', 'REFUSED'] as const;
export type Outage = (typeof OUTAGES)[number];

/** true, false and absent as `_OK`, `_FAILED` and `_UNVERIFIED`. */
export const compared = (name: IndicatorName, match: Match): Indicator =>
  indicator(name, match === undefined ? 'UNVERIFIED' : match ? 'OK' : 'FAILED');

/**
 * An exact comparison and its approximate one. "When an exact component match reports a mismatch,
 * fuzzy indicators are returned": also where the source compared approximately only; never beside
 * an exact match.
 */
export const comparedName = (exact: IndicatorName, fuzzy: IndicatorName, match: Match, near: Match): Indicator[] => [
  compared(exact, match),
  ...(match === false || (match === undefined && near !== undefined) ? [compared(fuzzy, near)] : []),
];
