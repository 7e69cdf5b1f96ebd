import type { SourceAnswer } from './answer.ts';
import type { QuestionField } from './source.ts';

/**
 * The document verification system's result codes: match, no match, document error, system error.
 */
export const DVS_CODES = ['Y', 'N', 'D', 'S'] as const;
export type DvsCode = (typeof DVS_CODES)[number];

/**
 * What a result code says (specification, Issuing sources). D never reached a comparison. S is the
 * source's own error: the caller takes it for an outage and asks again. There are no results by
 * field: the one result is about every value that was asked.
 */
export const answerOfDvs = (code: Exclude<DvsCode, 'S'>, asked: readonly QuestionField[]): SourceAnswer => ({
  result: code === 'Y' ? 'VERIFIED' : code === 'N' ? 'FAILED' : 'UNVERIFIED',
  raised: [],
  asked,
});
