/**
 * Which names of a zone are whole: the surname, then each given name. A zone whose names fill it
 * may have been too short (ICAO 9303-4, 4.2.3). Then the last name may be cut, and so may each word
 * of a surname that has several; an initial shows that the issuer shortens given names.
 */
export const wholeNames = (surname: string, givenNames: readonly string[], isFull: boolean): boolean[] => {
  const names = [surname, ...givenNames];
  if (!isFull) return names.map(() => true);
  const areShortened = givenNames.some((name) => name.length === 1);
  const isShort = (name: string, at: number): boolean =>
    at === 0 ? name.includes(' ') || name.length === 1 : areShortened;
  return names.map((name, at) => at + 1 < names.length && !isShort(name, at));
};
