/**
 * What names stand for, of text that may come from outside: without a prototype, so that
 * `constructor` and `__proto__` are no names of it.
 */
export const table = <Value>(entries: Record<string, Value>): Readonly<Record<string, Value>> =>
  Object.assign(Object.create(null), entries);
