/**
 * What names stand for, of text of a stranger's file: without a prototype, so that `constructor` is
 * no name of it. As in @assay/contracts, of which this library needs nothing else.
 */
export const table = <Value>(entries: Record<string, Value>): Readonly<Record<string, Value>> =>
  Object.assign(Object.create(null), entries);
