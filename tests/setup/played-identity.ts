import { contactChanged, formatDateTime } from '@assay/contracts';
import { applied, type ChangeResult, isRefusal, type NewEvent } from '../../services/gateway/src/domain/change.ts';
import type { Identity } from '../../services/gateway/src/domain/identity.ts';
import { type OperationKind, recordingOperation } from '../../services/gateway/src/domain/operations.ts';
import { after, anIdentity, idOf } from '../../services/gateway/src/testing/builders.ts';
import type { HistoryRecord } from '../../services/proof-builder/src/domain/history.ts';

/**
 * One identity as the gateway stores it, with all events of the suite about it. A refused call
 * changes nothing and causes no event.
 */
export const createIdentity = () => {
  let identity: Identity = anIdentity();
  let ids = 100;
  let seconds = 0;
  const records: HistoryRecord[] = [];
  const now = () => after(seconds);
  const nextId = () => idOf(ids++);
  const record = ({ event, data }: NewEvent): void => {
    const opened = event === contactChanged ? { opened: { value: 'somebody' } } : {};
    records.push({ type: event.type, at: `${formatDateTime(now())}Z`, data, ...opened });
  };
  const take = (decide: (identity: Identity) => ChangeResult): boolean => {
    const decision = decide(identity);
    if (decision === undefined || isRefusal(decision)) return false;
    identity = applied(identity, decision);
    decision.events.forEach(record);
    return true;
  };
  return {
    present: () => identity,
    records,
    now,
    nextId,
    record,
    take,
    later: (more: number): void => {
      seconds += more;
    },
    /** A client's call, recorded as the gateway records it. */
    call: (kind: OperationKind, decide: (identity: Identity, operationId: string) => ChangeResult): boolean => {
      const operationId = nextId();
      const method = kind.type === 'DELETE' ? 'DELETE' : 'POST';
      const made = { operationId, requestId: nextId(), role: 'RELYING_SERVICE', uri: '/', startedAt: now() } as const;
      return take((current) =>
        recordingOperation({ ...made, method }, kind, now())(current, decide(current, operationId)),
      );
    },
  };
};
export type Played = ReturnType<typeof createIdentity>;
