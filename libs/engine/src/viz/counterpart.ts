import { ISSUERS, type Issuer } from '../barcode/issuers.ts';
import { type DocumentSide, type Recognition, recognise } from '../recognition/recognise.ts';
import { fold } from './letters.ts';
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

/** Lines of print that hold the heading of a card. */
const HEADING = 4;

/** The states that a heading names; the Virginia of West Virginia is none. */
const statesIn = (heading: string, issuers: readonly Issuer[]): string[] => {
  let rest = heading;
  return [...issuers]
    .sort((a, b) => b.name.length - a.name.length)
    .flatMap(({ name, state }) => {
      const named = new RegExp(`\\b${fold(name)}(?:USA)?\\b`, 'g');
      const isNamed = named.test(rest);
      rest = rest.replace(named, '');
      return isNamed && state ? [state] : [];
    });
};

/**
 * The state that the heading of a licence's front names, if it is not the one that issued its
 * barcode. A holder may be called as a state is, and the heading may have the code of the own one.
 */
export const otherIssuer = (
  lines: readonly PlacedLine[],
  machineSide: DocumentSide,
  issuer: Issuer,
  { surname = '', givenNames = [] }: ExpectedValues,
): string | undefined => {
  const names = [surname, ...givenNames].join(' ').split(/[ -]/);
  const heading = lines
    .filter(({ side }) => side !== machineSide)
    .sort((a, b) => a.y - b.y)
    .slice(0, HEADING)
    .map(({ text }) => fold(text))
    .filter((text) => !/\d/.test(text))
    .join('\n');
  const { country, state, name } = issuer;
  const has = (word: string) => new RegExp(`\\b${word}\\b`).test(heading);
  // Each word of a name may have been found as a line of its own: West, Virginia.
  const own = fold(name).split(' ');
  if (state === undefined || has(state) || (own.length > 1 && own.every(has))) return undefined;
  const issuers = ISSUERS.filter((one) => one.country === country && !names.includes(fold(one.name)));
  const named = statesIn(heading, issuers);
  return named.includes(state) ? undefined : named[0];
};
