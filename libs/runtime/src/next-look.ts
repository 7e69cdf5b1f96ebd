import type { Clock } from './ids.ts';

export interface NextLookOptions {
  now: Clock;
  /**
   * What another process stores from now on is not due sooner than this, or is looked for this
   * late.
   */
  withinMs: number;
}

/**
 * When a sweep has to look for what is due: the store says what is due first, and who makes
 * something due sooner says so. Until then a round asks nothing.
 */
export interface NextLook {
  isDue(): boolean;
  /** What is due first, asked for at `askedAt`; undefined where nothing is. */
  found(first: Date | undefined, askedAt: Date): void;
  /** Something will be due at this time. */
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
