import type { ClientRole, KeyRole } from '@assay/contracts';
import { ApiError } from '@assay/http';
import type { OperationCall } from '../domain/operations.ts';
import type { EffectiveSettings } from '../domain/settings.ts';
import type { StaffSession } from '../domain/sign-in.ts';
import type { Tenant } from '../store/tenants.ts';

/** The right to run an idempotent request. */
interface IdempotencyLock {
  lockId: string;
  /** So often the same request came before, and its outcome is unknown. */
  attempt: number;
}

interface CallerSession {
  sessionId: string;
  /** Of the token that was sent. */
  tokenHash: string;
  identityId: string;
  /** Origins the session is for; those of the tenant where it is absent. */
  allowedOrigins?: readonly string[];
  /** The session moved to another device: this device may only read its state. */
  follows?: true;
}

export type CallerTenant = Tenant & { effective: EffectiveSettings };

/** Checks that are repeated when the last byte of a long request has arrived. */
interface ChecksAtEnd {
  /** The check of the caller, and those a flow adds. Each throws the error of the refusal. */
  checks: (() => Promise<void>)[];
  /** When the caller was known: earlier than the request began where its key was cached. */
  madeAt: Date;
  /** A check has failed: nothing of the request is stored. */
  hasFailed: boolean;
}

/** Who makes a request, and what a flow needs to know of the request. */
export interface Caller {
  keyId: string;
  role: KeyRole;
  /** The key's tenant; absent for administrators. */
  tenant?: CallerTenant;
  /**
   * Set where a session's token was sent instead of a key: the caller may act for this identity
   * alone.
   */
  session?: CallerSession;
  /** The person who calls, where a session or a key says who that is. */
  personId?: string;
  /** Set where a person signed in to a page instead of sending a key. */
  staffSession?: StaffSession;
  requestId: string;
  startedAt: Date;
  /** The path that was called, without query. */
  uri: string;
  /** A real address only (specification, Creation request). */
  ip?: string;
  userAgent?: string;
  /** Id of what the request makes: the same when an idempotent request is repeated. */
  seedId: string;
  idempotency?: IdempotencyLock;
  atEnd: ChecksAtEnd;
  /** True once the client went away in the middle of its request. */
  isCutOff: () => boolean;
}

/** Who acts, as cases name their operators: a person where one is known, else a key. */
export const operatorIdOf = ({ personId, keyId }: Caller): string => personId ?? keyId;

/** Which attempt at its request this is: 0 for the first, more for each repeat. */
export const attemptOf = ({ idempotency }: { idempotency?: IdempotencyLock | undefined }): number =>
  idempotency?.attempt ?? 0;

/** Whether the same request came before, and its outcome is unknown. */
export const isRepeat = (caller: Parameters<typeof attemptOf>[0]): boolean => attemptOf(caller) > 0;

export const tenantOf = ({ tenant }: Caller): CallerTenant => {
  if (!tenant) throw new ApiError('WRONG_ROLE');
  return tenant;
};

/** The role as the proof names it; only the two kinds of client get here. */
export const clientRoleOf = ({ role }: Caller): ClientRole =>
  role === 'USER_AGENT' ? 'USER_AGENT' : 'RELYING_SERVICE';

/** Where a call came from, as the proof records it sealed. */
export const originOf = ({ ip, userAgent }: Caller): { ip?: string; userAgent?: string } => ({
  ...(ip ? { ip } : {}),
  ...(userAgent ? { userAgent } : {}),
});

/** The call as the proof's processingDetails record it. */
export const operationOf = (
  caller: Caller,
  method: 'POST' | 'PUT' | 'DELETE',
  operationId: string,
  sealedCaller: string,
): OperationCall => ({
  operationId,
  requestId: caller.requestId,
  role: clientRoleOf(caller),
  method,
  uri: caller.uri,
  startedAt: caller.startedAt,
  sealedCaller,
});
