import type { Values } from './document.ts';

/** What sources call their answers: letters, digits and the signs that join them. */
const REFERENCE = /^[\w.:/+=-]{1,64}$/;
/** Shorter values are found in any reference by chance. */
const TELLING_LETTERS = 4;

const plain = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();

/**
 * The name that a source gives its answer, unless it says something of the person: it is stored in
 * clear, beside the check and in the proof. Undefined for prose, and for what repeats a value of
 * the question.
 */
export const plainReference = (given: string | undefined, values: Values): string | undefined => {
  if (given === undefined || !REFERENCE.test(given)) return undefined;
  const asked = Object.values(values).map((value) => plain(value ?? ''));
  const repeated = asked.some((value) => value.length >= TELLING_LETTERS && plain(given).includes(value));
  return repeated ? undefined : given;
};
