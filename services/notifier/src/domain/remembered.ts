/** Clocks of two machines may differ by so much. */
export const LEEWAY_MS = 60_000;

/**
 * A message may come for so long after what it tells: it waits while a part of the suite is down,
 * is published again for a day, and may be replayed from the dead letters.
 */
const REMEMBERED_SECONDS = 7 * 24 * 3600;

/** After this time a message is not notified any more: whether it was is forgotten. */
export const rememberedMs = (deliveryLogSeconds: number): number =>
  Math.max(deliveryLogSeconds, REMEMBERED_SECONDS) * 1000;

/** The log forgets deliveries before their messages end: what was sent is remembered beside it. */
export const isLogShort = (deliveryLogSeconds: number): boolean => deliveryLogSeconds < REMEMBERED_SECONDS;
