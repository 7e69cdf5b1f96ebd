import type { DocumentSide } from '../recognition/recognise.ts';
import { type ExpectedValues, matcherFor } from './match.ts';
import type { PlacedLine } from './placed-line.ts';

/** One value may stand on any picture by chance. */
const ENOUGH = 2;

/**
 * Whether the side opposite to the machine-readable part shows what that part says: only then is it
 * known to be a side of the same document.
 */
export const counterpartSeen = (
  lines: readonly PlacedLine[],
  machineSide: DocumentSide,
  expected: ExpectedValues,
): boolean => {
  const matcher = matcherFor(expected);
  for (const line of lines) if (line.side !== machineSide) matcher.look(line);
  return Object.values(matcher.result()).filter(({ verdict }) => verdict === 'exact').length >= ENOUGH;
};
