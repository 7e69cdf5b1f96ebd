/** Connections that are refused, cut or time out; a file system that is full. */
const SYSTEM =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOSPC|EDQUOT|EMFILE|UNAVAILABLE)$/;

const NAMES =
  /^(Mongo.*(Network|ServerSelection|NotConnected|PoolCleared|Topology|ConnectionPool|WaitQueue)|MongooseServerSelection|PoolClosed|NotPublished)/;

/**
 * Errors of MongoDB about the server, its state or our access to it, not about the document. Among
 * them is what the server calls an interruption, an invalidated cursor, a stale shard or a failed
 * write concern. An unknown code is none of them: a consumer would wait for it for ever.
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
  246, // SnapshotUnavailable
  249, // StaleDbVersion
  250, // StaleChunkHistory
  262, // ExceededTimeLimit
  279, // ClientDisconnect
  317, // ConnectionPoolExpired
  355, // InterruptedDueToStorageChange
  365, // TemporarilyUnavailable
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
]);

const DISK_FULL = /no space left on device|disk (is )?full|quota exceeded/i;

interface ErrorMembers {
  code?: unknown;
  status?: unknown;
  cause?: unknown;
  /** The error inside the one that the driver of MongoDB throws for a bulk write. */
  errorResponse?: unknown;
  message?: unknown;
}

const DEEPEST_CAUSE = 5;

/**
 * True if a failure was caused by a dependency of this process (database, broker, another service,
 * the disk), not by the message or request. The only place that decides this: a consumer then
 * waits, a client gets 503.
 */
export const isDependencyDown = (error: unknown, depth = 0): boolean => {
  if (!(error instanceof Error) || depth > DEEPEST_CAUSE) return false;
  const { code, status, cause, errorResponse } = error as ErrorMembers;
  const isMongo = error.name.startsWith('Mongo');
  return (
    NAMES.test(error.name) ||
    (typeof code === 'string' && SYSTEM.test(code)) ||
    (isMongo && typeof code === 'number' && MONGODB_CODES.has(code)) ||
    (isMongo && DISK_FULL.test(error.message)) ||
    status === 503 ||
    isDependencyDown(cause, depth + 1) ||
    isDependencyDown(errorResponse, depth + 1)
  );
};
