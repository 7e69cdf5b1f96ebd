/**
 * Numbers that choose the outcome without a record: zeros (at least five) and one digit, up to three letters before them. Documented in
 * docs/issuing-sources.md; a record in the book wins.
 */
export const OUTCOMES = {
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
export type MagicOutcome = (typeof OUTCOMES)[keyof typeof OUTCOMES];

/** The outcome a number asks for; undefined for every other number. */
export const magicOutcome = (number: string): MagicOutcome | undefined => {
  const digit = /^[A-Z]{0,3}0{5,}([1-9])$/.exec(number)?.[1];
  return digit === undefined ? undefined : OUTCOMES[Number(digit) as keyof typeof OUTCOMES];
};
