import type { Clock } from './ids.ts';

export interface NextLookOptions {
  now: Clock;
  /** Work that another process stores from now on is found this late, at most. */
  withinMs: number;
}

/**
 * When a sweep has to query for due work: the store gives the first due time, and writers announce
 * an earlier one. Until then a round makes no query.
 */
export interface NextLook {
  isDue(): boolean;
  /** The first due time, queried at `askedAt`; undefined if nothing is due. */
  found(first: Date | undefined, askedAt: Date): void;
  /** Announces work that is due at this time. */
  expect(dueAt: Date): void;
}

export const createNextLook = ({ now, withinMs }: NextLookOptions): NextLook => {
  let at = 0;
  // An answer of the store may be older than what was expected while it was asked.
  let expected = Number.POSITIVE_INFINITY;
  return {
    isDue: () => {
      const leftMs = at - now().getTime();
      // No look is further away than that, unless the clock was put back meanwhile.
      return leftMs <= 0 || leftMs > withinMs;
    },
    found: (first, askedAt) => {
      at = Math.min(askedAt.getTime() + withinMs, first?.getTime() ?? Number.POSITIVE_INFINITY, expected);
      expected = Number.POSITIVE_INFINITY;
    },
    expect: (dueAt) => {
      expected = Math.min(expected, dueAt.getTime());
      at = Math.min(at, expected);
    },
  };
};
