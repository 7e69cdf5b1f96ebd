// A little over the longest attempt: another process soon continues what a crashed one had leased.
const LEASE_MS = 12_000;
/** An attempt takes ten seconds at the most, and its outcome is to be stored. */
const ATTEMPT_MS = 11_000;

/** The end of a lease that begins now. */
export const leaseUntil = (at: Date): Date => new Date(at.getTime() + LEASE_MS);

/**
 * Whether a lease lasts until an attempt that begins now has ended, ends during the attempt (renew
 * it first), or is over (any process may have the delivery).
 */
export const leaseAt = (until: Date, at: Date): 'lasts' | 'ends' | 'is over' => {
  const ms = until.getTime() - at.getTime();
  if (ms <= 0) return 'is over';
  return ms < ATTEMPT_MS ? 'ends' : 'lasts';
};
