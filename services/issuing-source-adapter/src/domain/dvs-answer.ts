import type { SourceAnswer } from './answer.ts';
import type { QuestionField } from './source.ts';

/**
 * The document verification system's result codes: match, no match, document error, system error.
 */
export const DVS_CODES = ['Y', 'N', 'D', 'S'] as const;
export type DvsCode = (typeof DVS_CODES)[number];

/**
 * Reads a result code (specification, Issuing sources). D means that nothing was compared. S is an
 * error of the source: it counts as a failure, and the check is repeated. There are no results by
 * field: the result is about all values that were asked.
 */
export const answerOfDvs = (code: Exclude<DvsCode, 'S'>, asked: readonly QuestionField[]): SourceAnswer => ({
  result: code === 'Y' ? 'VERIFIED' : code === 'N' ? 'FAILED' : 'UNVERIFIED',
  raised: [],
  asked,
});
