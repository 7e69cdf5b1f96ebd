/** Items by their keys; one without a key is in no group. */
export const group = <T>(items: readonly T[], keysOf: (item: T) => readonly string[]): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items)
    for (const key of keysOf(item)) {
      const known = groups.get(key);
      if (known) known.push(item);
      else groups.set(key, [item]);
    }
  return groups;
};
