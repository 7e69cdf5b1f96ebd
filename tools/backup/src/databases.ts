/** The databases of a suite without their prefix. */
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

/**
 * What a server without snapshots reads first: whoever is told something before whoever announces
 * it. After a restore what lies between is announced again (docs/events.md), whereas nobody
 * announces what a reader alone knows. So the history of the proofs comes first, then the gateway,
 * then the worker, then those who answer to it. What refers to something comes before it.
 */
const ORDER = [
  'proof_builder.histories',
  'gateway.auditCheckpoints',
  'gateway',
  'verification_worker',
  'issuing_source_adapter',
  'evidence_intake.evidences',
  'evidence_intake.media',
  'evidence_intake.blobs.files',
  'evidence_intake',
  'proof_builder.proofs',
  'proof_builder.archives.files',
  'proof_builder',
];

/** Where a collection comes in that order; those that nobody waits for come last. */
const placeOf = (name: string): number => {
  const place = ORDER.findIndex((entry) => name === entry || name.startsWith(`${entry}.`));
  return place < 0 ? ORDER.length : place;
};

/** Collections, as `database.collection`, in the order they are read in. */
export const inReadingOrder = (names: readonly string[]): string[] =>
  names.toSorted().toSorted((a, b) => placeOf(a) - placeOf(b));

/** Where a suite's databases are. */
export interface Place {
  url: string;
  /** The prefix of their names. */
  prefix: string;
}
