/**
 * A lookup table for names that may come from outside. It has no prototype, so `constructor` and
 * `__proto__` are no names in it.
 */
export const table = <Value>(entries: Record<string, Value>): Readonly<Record<string, Value>> =>
  Object.assign(Object.create(null), entries);
