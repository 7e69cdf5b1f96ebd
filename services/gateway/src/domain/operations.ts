import {
  type ClientRole,
  formatDateTime,
  type IdentityOperationName,
  type IdentityOperationType,
  operationRecorded,
  present,
} from '@assay/contracts';
import { type ChangeResult, type IdentityChange, isRefusal, newEvent } from './change.ts';
import type { Identity } from './identity.ts';

/** One call that changes the identity, for the proof's processingDetails. */
export interface OperationCall {
  operationId: string;
  requestId: string;
  role: ClientRole;
  method: 'POST' | 'PUT' | 'DELETE';
  /** Path without query. */
  uri: string;
  startedAt: Date;
  /** Sealed JSON {ip?, userAgent?}. */
  sealedCaller?: string;
}

export interface OperationKind {
  name?: IdentityOperationName;
  type: IdentityOperationType;
  contextIds: string[];
}

/**
 * Adds to a change the record of the call that made it (operation.recorded); the proof waits until
 * its history has it.
 */
export const withOperation = (
  identity: Identity,
  change: IdentityChange,
  call: OperationCall,
  { name, type, contextIds }: OperationKind,
  now: Date,
): IdentityChange => ({
  ...change,
  set: { ...change.set, operationIds: [...identity.operationIds, call.operationId] },
  events: [
    ...change.events,
    newEvent(operationRecorded, {
      operationId: call.operationId,
      ...present({ name }),
      type,
      contextIds,
      rest: {
        uri: call.uri,
        method: call.method,
        httpCode: 200,
        startDateTime: formatDateTime(call.startedAt),
        endDateTime: formatDateTime(now),
        submissionId: call.requestId,
        tokenRole: call.role,
      },
      ...present({ sealedCaller: call.sealedCaller }),
    }),
  ],
});

/** The same for a decision that may be a refusal. */
export const recordingOperation =
  (call: OperationCall, kind: OperationKind, now: Date) =>
  (identity: Identity, decision: ChangeResult): ChangeResult =>
    decision === undefined || isRefusal(decision) ? decision : withOperation(identity, decision, call, kind, now);
