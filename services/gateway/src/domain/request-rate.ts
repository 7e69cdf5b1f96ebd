/** Requests of one key that a process may admit without asking the others. */
export interface Lease {
  /** End of the minute that is counted. */
  resetAt: Date;
  /** Requests of that minute that all processes had leased, as far as this one knows. */
  leased: number;
  /** Of those this process leased, the ones it has not admitted yet. */
  left: number;
}

/** A lease is so large a part of what is not leased yet: few questions at first, exact at the end. */
const PART = 8;

/** How many requests to lease next. */
export const leaseSize = (limit: number, leased = 0): number => Math.max(1, Math.ceil((limit - leased) / PART));

/**
 * The lease after `size` more were leased; `before` were leased already, by whichever process. What
 * is above the limit is nobody's.
 */
export const leasedMore = (limit: number, size: number, before: number, resetAt: Date): Lease => ({
  resetAt,
  leased: before + size,
  left: Math.max(0, Math.min(size, limit - before)),
});

/** What a process does with the next request: admit it, lease more first, or refuse it. */
export const nextStep = (lease: Lease | undefined, limit: number, now: Date): 'ADMIT' | 'LEASE' | 'REFUSE' => {
  if (!lease || lease.resetAt <= now) return 'LEASE';
  if (lease.left > 0) return 'ADMIT';
  return lease.leased < limit ? 'LEASE' : 'REFUSE';
};

/** Requests a key may still send within the minute, as far as this process knows. */
export const remaining = ({ leased, left }: Lease, limit: number): number => Math.max(0, limit - leased) + left;
