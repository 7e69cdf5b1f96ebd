/**
 * Numbers that choose the outcome without a record: TEST, or 99999 where a number has digits only,
 * then zeros (at least four) and one digit. Nothing else does: to any other number a source answers
 * from its book. Documented in docs/issuing-sources.md; a record in the book wins.
 */
const REPLIES = {
  1: 'MATCH',
  2: 'NO_MATCH',
  3: 'DOCUMENT_ERROR',
  4: 'SYSTEM_ERROR',
  5: 'UNAVAILABLE',
  6: 'TIMEOUT',
  7: 'SLOW',
  8: 'MALFORMED',
  9: 'NEAR_NAMES',
} as const;
export type MagicReply = (typeof REPLIES)[keyof typeof REPLIES];

/** The outcome a number asks for; undefined for every other number. */
export const magicReply = (number: string): MagicReply | undefined => {
  const digit = /^(?:TEST|99999)0{4,}([1-9])$/.exec(number)?.[1];
  return digit === undefined ? undefined : REPLIES[Number(digit) as keyof typeof REPLIES];
};
