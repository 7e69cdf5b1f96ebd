import { type DocumentSide, type Recognition, recognise } from '../recognition/recognise.ts';
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
  return Object.values(matcher.result()).filter(({ match }) => match === 'exact').length >= ENOUGH;
};

/** What the words on the side opposite to the machine-readable part say the document is. */
export const counterpartModel = (lines: readonly PlacedLine[], machineSide: DocumentSide): Recognition | undefined => {
  const opposite = lines.filter(({ side }) => side !== machineSide);
  return recognise(
    undefined,
    undefined,
    opposite.map(({ text }) => text),
  );
};
