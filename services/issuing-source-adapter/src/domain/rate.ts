/** A token bucket: `tokens` may be taken at once, refilled at so many a second. */
export interface Bucket {
  tokens: number;
  at: number;
}

/**
 * Takes one token at an instant (milliseconds). `waitMs` is 0 if there was one; otherwise nothing
 * was taken, and there will be one after that time.
 */
export const takeToken = (
  bucket: Bucket | undefined,
  perSecond: number,
  now: number,
): { bucket: Bucket; waitMs: number } => {
  const room = Math.max(1, perSecond);
  const before = bucket ?? { tokens: room, at: now };
  const tokens = Math.min(room, before.tokens + (Math.max(0, now - before.at) / 1000) * perSecond);
  if (tokens >= 1) return { bucket: { tokens: tokens - 1, at: now }, waitMs: 0 };
  return { bucket: { tokens, at: now }, waitMs: Math.ceil(((1 - tokens) / perSecond) * 1000) };
};
