/** Requests of one key that a process may admit without asking the others. */
export interface Lease {
  /** End of the minute that is counted. */
  resetAt: Date;
  /** Requests of that minute that all processes have leased, as far as this one knows. */
  leased: number;
  /** Requests of that minute that this process has leased. */
  own: number;
  /** Of those, the ones it has not admitted yet. */
  left: number;
}

/**
 * The largest share of the remaining requests that one lease takes: few leases at first, exact at
 * the end.
 */
const PART = 8;
/**
 * The share of the limit that a process leases first; then it doubles what it has. So a process
 * that ends loses little, and many that begin take little.
 */
const FIRST_PART = 128;

/** How many requests to lease next. */
export const leaseSize = (limit: number, { leased, own }: Pick<Lease, 'leased' | 'own'> = NOTHING): number =>
  Math.max(1, Math.ceil(Math.min((limit - leased) / PART, Math.max(limit / FIRST_PART, own))));
const NOTHING = { leased: 0, own: 0 };

interface Leasing {
  limit: number;
  size: number;
  /** Leased already, by all processes. */
  before: number;
  /** Leased by this process in the same minute. */
  own?: number | undefined;
  resetAt: Date;
}

/** The lease after `size` more requests were leased; what exceeds the limit is not leased. */
export const leasedMore = ({ limit, size, before, own = 0, resetAt }: Leasing): Lease => ({
  resetAt,
  leased: before + size,
  own: own + size,
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
