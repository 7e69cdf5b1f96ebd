/**
 * The databases of a suite without their prefix, in the order they are read in. The gateway is read
 * first: whatever it knows of an identity, the others know when they are read after it; what they
 * know beyond that does no harm, for they announce it again.
 */
export const STATE = [
  'gateway',
  'evidence_intake',
  'verification_worker',
  'issuing_source_adapter',
  'proof_builder',
  'notifier',
] as const;

/**
 * Whoever has these and a backup of the state, however old, can read what the state sealed under
 * them.
 */
export const KEYS = ['keys', 'proof_keys'] as const;

/** Where a suite's databases are. */
export interface Place {
  url: string;
  /** The prefix of their names. */
  prefix: string;
}
