import type { Store } from 'express-rate-limit';

/**
 * Counts calls by key in windows of elapsed time. The store of express-rate-limit goes by the
 * machine's clock: one that steps back by an hour makes its windows an hour longer. No
 * RateLimit-Reset is sent, because the package would reckon it by that clock, too.
 */
export const createWindowStore = (windowMs: number, elapsedMs = () => performance.now()): Store => {
  let calls = new Map<string, number>();
  let beganAt = elapsedMs();
  const countedBy = (key: string, change: number): number => {
    if (elapsedMs() - beganAt >= windowMs) [calls, beganAt] = [new Map(), elapsedMs()];
    const count = Math.max(0, (calls.get(key) ?? 0) + change);
    calls.set(key, count);
    return count;
  };
  return {
    increment: (key) => ({ totalHits: countedBy(key, 1), resetTime: undefined }),
    decrement: (key) => void countedBy(key, -1),
    resetKey: (key) => void calls.delete(key),
  };
};
