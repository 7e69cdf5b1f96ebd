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
 * The order in which a server without snapshots is read: a service that consumes events before the
 * one that publishes them. After a restore the publisher publishes again what changed in between
 * (docs/events.md), whereas nothing brings to it what its consumer alone knows. So the histories of
 * proof-builder come first, then the gateway, the worker, and those whose events the worker
 * consumes. What refers to something comes before it.
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

/** Where a collection comes in that order; one that is not in it comes last. */
const placeOf = (name: string): number => {
  const place = ORDER.findIndex((entry) => name === entry || name.startsWith(`${entry}.`));
  return place < 0 ? ORDER.length : place;
};

/** Collections, as `database.collection`, in the order they are read in. */
export const inReadingOrder = (names: readonly string[]): string[] =>
  names.toSorted().toSorted((a, b) => placeOf(a) - placeOf(b));

/** The processes of issuing-source-adapter that run, each with the time until which it counts. */
export const REPLICAS = { database: 'issuing_source_adapter', collection: 'replicas' } as const;

/**
 * What was so when the backup was made and is not restored: the processes that ran, and who was
 * signed in, because a session may have been ended since.
 */
export const OF_THE_MOMENT: readonly string[] = [
  `${REPLICAS.database}.${REPLICAS.collection}`,
  'gateway.staffSessions',
];

/** Where a suite's databases are. */
export interface Place {
  url: string;
  /** The prefix of their names. */
  prefix: string;
}
