// A little over the longest attempt: what a crashed process had leased is taken up soon after.
const LEASE_MS = 12_000;
/** An attempt takes ten seconds at the most, and its outcome is to be stored. */
const ATTEMPT_MS = 11_000;

/** Until when a delivery that is taken in hand now belongs to this process. */
export const leaseUntil = (at: Date): Date => new Date(at.getTime() + LEASE_MS);

/**
 * Whether what has waited may be attempted under its lease: it is renewed where it would end
 * before the attempt may, and what ended is anybody's.
 */
export const leaseAt = (until: Date, at: Date): 'lasts' | 'ends' | 'is over' => {
  const ms = until.getTime() - at.getTime();
  if (ms <= 0) return 'is over';
  return ms < ATTEMPT_MS ? 'ends' : 'lasts';
};
