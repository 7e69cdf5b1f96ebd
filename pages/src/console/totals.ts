/** The sum of these members over all days of each name, in the order of the names. */
export const totalOf = <D extends object, K extends keyof D>(
  days: readonly D[],
  nameOf: (day: D) => string,
  members: readonly K[],
): [string, Record<K, number>][] => {
  const names = [...new Set(days.map(nameOf))].sort();
  return names.map((name) => {
    const own = days.filter((day) => nameOf(day) === name);
    const sums = members.map((member) => [member, own.reduce((sum, day) => sum + Number(day[member]), 0)] as const);
    return [name, Object.fromEntries(sums) as Record<K, number>];
  });
};
