const FEWEST_ALIKE = 2;

/** The length to which an issuer may have cut all words: no word is longer, and several have it. */
const commonLength = (words: readonly string[]): number | undefined => {
  const longest = Math.max(...words.map(({ length }) => length));
  return words.filter(({ length }) => length === longest).length >= FEWEST_ALIKE ? longest : undefined;
};

/**
 * Which names of a zone are whole: the surname, then each given name. A zone whose names fill it
 * may have been too short (ICAO 9303-4, 4.2.3). Then the last name may be cut, and so may each word
 * of a surname that has several, and words of one length; an initial shows that the issuer shortens
 * given names.
 */
export const wholeNames = (surname: string, givenNames: readonly string[], isFull: boolean): boolean[] => {
  const names = [surname, ...givenNames];
  if (!isFull) return names.map(() => true);
  const length = commonLength(names.slice(0, -1).flatMap((name) => name.split(' ')));
  const areShortened = givenNames.some((name) => name.length === 1);
  const isShort = (name: string, at: number): boolean =>
    name.length === length || (at === 0 ? name.includes(' ') || name.length === 1 : areShortened);
  return names.map((name, at) => at + 1 < names.length && !isShort(name, at));
};
