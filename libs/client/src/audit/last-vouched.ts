interface CheckedHead {
  checkpoint: { seq: number };
  faults: readonly string[];
}

/**
 * The number of the last entry that a good head vouches for; 0 without one. A chain has a head for
 * each minute in which it grew: more than a call takes arguments.
 */
export const lastVouched = (heads: readonly CheckedHead[]): number =>
  heads.reduce((last, { checkpoint, faults }) => (faults.length === 0 ? Math.max(last, checkpoint.seq) : last), 0);
