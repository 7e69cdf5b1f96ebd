export interface Backoff {
  firstMs: number;
  longestMs: number;
  /** The factor by which each failure prolongs the pause; 2 by default. */
  factor?: number;
}

const SPREAD = 0.2;

/**
 * The pause after so many failures in a row, in milliseconds: it grows up to the longest and is
 * spread by a fifth both ways, so that processes which failed together do not come back together.
 * `random` is from 0 to 1.
 */
export const pauseAfter = (
  failures: number,
  { firstMs, longestMs, factor = 2 }: Backoff,
  random: number = Math.random(),
): number =>
  Math.round(Math.min(longestMs, firstMs * factor ** Math.max(0, failures - 1)) * (1 - SPREAD + 2 * SPREAD * random));
