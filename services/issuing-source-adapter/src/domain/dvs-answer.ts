import type { SourceAnswer } from './answer.ts';

/** The document verification system's result codes: match, no match, document error, system error. */
export const DVS_CODES = ['Y', 'N', 'D', 'S'] as const;
export type DvsCode = (typeof DVS_CODES)[number];

/**
 * What a result code says (decisions, Issuing sources). D never reached a comparison. S is the source's own error: the caller takes it for an outage
 * and asks again. There are no results by field.
 */
export const answerOfDvs = (code: Exclude<DvsCode, 'S'>): SourceAnswer => ({
  result: code === 'Y' ? 'VERIFIED' : code === 'N' ? 'FAILED' : 'UNVERIFIED',
  raised: [],
});
