import { checkDigit } from './check-digit.ts';

/** Where a number stands, with its check digit, and the optional data in which it may go on. */
const PLACES = {
  TD1: { line: 0, number: [5, 15], optional: [15, 30] },
  TD2: { line: 1, number: [0, 10], optional: [28, 35] },
} as const;

/**
 * A number whose end and check digit take up all of the optional data (ICAO 9303-5 and 9303-6, note
 * j); undefined if the zone has none. The parser finds the end of a long number by a filler alone.
 */
export const numberToTheEnd = (
  format: string,
  lines: readonly string[],
): { readonly number: string; readonly isRight: boolean } | undefined => {
  if (format !== 'TD1' && format !== 'TD2') return undefined;
  const { line, number, optional } = PLACES[format];
  const written = [number, optional].map(([from, to]) => lines[line]!.slice(from, to)).join('');
  const [, first, rest, digit] = /^([A-Z0-9]{9})<([A-Z0-9]+)(\d)$/.exec(written) ?? [];
  if (first === undefined || rest === undefined) return undefined;
  // Some issuers count the filler between the two parts, as with shorter numbers.
  const isRight = [first + rest, `${first}<${rest}`].some((counted) => checkDigit(counted) === digit);
  return { number: first + rest, isRight };
};
