/** Connections that are refused, cut or time out; a file system that is full. */
const SYSTEM =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOSPC|EDQUOT|EMFILE|UNAVAILABLE)$/;

const NAMES =
  /^(Mongo.*(Network|ServerSelection|NotConnected|PoolCleared|Topology|ConnectionPool|WaitQueue)|MongooseServerSelection|PoolClosed|NotPublished)/;

/**
 * Errors of MongoDB about the server, its state or our access to it, not about the document. Among
 * them is what the server calls an interruption, an overload, an invalidated cursor or snapshot, a
 * stale shard or a failed write concern. An unknown code is none of them: a consumer would wait for
 * it for ever.
 */
const MONGODB_CODES: ReadonlySet<number> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  13, // Unauthorized
  18, // AuthenticationFailed
  24, // LockTimeout
  43, // CursorNotFound
  46, // LockBusy
  50, // MaxTimeMSExpired
  64, // WriteConcernTimeout
  70, // ShardNotFound
  79, // UnknownReplWriteConcern
  89, // NetworkTimeout
  91, // ShutdownInProgress
  100, // UnsatisfiableWriteConcern
  107, // LockFailed
  112, // WriteConflict
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  150, // StaleEpoch
  175, // QueryPlanKilled
  189, // PrimarySteppedDown
  202, // NetworkInterfaceExceededTimeLimit
  211, // KeyNotFound
  215, // DatabaseDropPending
  216, // ElectionInProgress
  237, // CursorKilled
  239, // SnapshotTooOld
  246, // SnapshotUnavailable
  249, // StaleDbVersion
  250, // StaleChunkHistory
  261, // TooManyLogicalSessions
  262, // ExceededTimeLimit
  264, // TooManyFilesOpen
  272, // MigrationConflict
  279, // ClientDisconnect
  281, // TransactionCoordinatorSteppingDown
  282, // TransactionCoordinatorReachedAbortDecision
  290, // TransactionExceededLifetimeLimitSeconds
  303, // SplitHorizonChange
  314, // ObjectIsBusy
  317, // ConnectionPoolExpired
  355, // InterruptedDueToStorageChange
  365, // TemporarilyUnavailable
  371, // UserWritesBlocked
  391, // ReauthenticationRequired
  398, // StreamTerminated
  402, // ResourceExhausted
  407, // PooledConnectionAcquisitionExceededTimeLimit
  433, // AdmissionQueueOverflow
  449, // RateLimitExceeded
  450, // PooledConnectionAcquisitionRejected
  453, // InterruptedDueToReshardingCriticalSection
  462, // IngressRequestRateLimitExceeded
  8000, // a quota of the hosted server
  9001, // SocketException
  10058, // LegacyNotPrimary
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11601, // Interrupted
  11602, // InterruptedDueToReplStateChange
  13388, // StaleConfig
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
  14031, // OutOfDiskSpace
  46841, // ClientMarkedKilled
  91331, // RetriableRemoteCommandFailure
  10045600, // InterruptedDueToFCVChange
]);

const DISK_FULL = /no space left on device|disk (is )?full|quota exceeded/i;

interface ErrorMembers {
  code?: unknown;
  status?: unknown;
  cause?: unknown;
  /** The error inside the one that the driver of MongoDB throws for a bulk write. */
  errorResponse?: unknown;
}

/**
 * Errors of MongoDB that say only that the server failed: over its storage, or over this document
 * each time.
 */
const UNEXPLAINED_CODES: ReadonlySet<number> = new Set([
  1, // InternalError
  8, // UnknownError
  96, // OperationFailed
]);

const DEEPEST_CAUSE = 5;

/** Whether this holds for an error, or for one that caused it. */
const holdsFor = (error: unknown, test: (error: Error & ErrorMembers) => boolean, depth = 0): boolean => {
  if (!(error instanceof Error) || depth > DEEPEST_CAUSE) return false;
  const { cause, errorResponse } = error as ErrorMembers;
  return test(error) || holdsFor(cause, test, depth + 1) || holdsFor(errorResponse, test, depth + 1);
};

const hasCode = ({ name, code }: Error & ErrorMembers, codes: ReadonlySet<number>): boolean =>
  name.startsWith('Mongo') && typeof code === 'number' && codes.has(code);

/**
 * True if a failure was caused by a dependency of this process (database, broker, another service,
 * the disk), not by the message or request. The only place that decides this: a consumer then
 * waits, a client gets 503.
 */
export const isDependencyDown = (error: unknown): boolean =>
  holdsFor(
    error,
    (one) =>
      NAMES.test(one.name) ||
      (typeof one.code === 'string' && SYSTEM.test(one.code)) ||
      hasCode(one, MONGODB_CODES) ||
      (one.name.startsWith('Mongo') && DISK_FULL.test(one.message)) ||
      one.status === 503,
  );

/**
 * True if MongoDB failed and does not say over what. A client gets 503 and may repeat the request.
 * A consumer counts it as a failure of the message: it would wait for one bad document for ever.
 */
export const isUnexplained = (error: unknown): boolean => holdsFor(error, (one) => hasCode(one, UNEXPLAINED_CODES));
