/**
 * A lookup table for names that come from outside. It has no prototype, so `constructor` is no name
 * in it. @assay/contracts has the same; this library needs nothing else of it.
 */
export const table = <Value>(entries: Record<string, Value>): Readonly<Record<string, Value>> =>
  Object.assign(Object.create(null), entries);
