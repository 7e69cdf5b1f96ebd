/*
 * An archive may be a stranger's, and name a million things: whoever looks each of them up in the
 * list of all would be at it for hours.
 */

/** Values that were there before. */
export const repeated = (values: readonly string[]): string[] => {
  const seen = new Set<string>();
  return values.filter((value) => seen.size === seen.add(value).size);
};

/** By id; of two with one id the first counts. */
export const byId = <T>(entries: readonly (readonly [string, T])[]): Map<string, T> => new Map(entries.toReversed());

/** Something about each object, made when it is asked for first. */
export const onceEach = <O extends object, T>(make: (object: O) => T): ((object: O | undefined) => T | undefined) => {
  const made = new WeakMap<O, { value: T }>();
  return (object) => {
    if (!object) return undefined;
    const known = made.get(object) ?? { value: make(object) };
    made.set(object, known);
    return known.value;
  };
};
