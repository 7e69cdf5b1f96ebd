import { ok, type Reply } from '@assay/http';
import { type Clock, newId } from '@assay/runtime';
import { applied, type Decision } from '../domain/change.ts';
import type { Identity } from '../domain/identity.ts';
import { markedWith } from '../domain/markers.ts';
import { type OperationKind, recordingOperation } from '../domain/operations.ts';
import { type Call, callerOf, operationOf } from '../http/call.ts';
import type { Identities } from '../store/identities.ts';
import type { Access, Opened } from './access.ts';

/** One call's effect on an identity. */
export interface Effect {
  method: 'POST' | 'DELETE';
  kind: OperationKind;
  /** What the rules make of it; the id is that of the operation which records the call. */
  decide: (identity: Identity, operationId: string, now: Date) => Decision;
  /** The reply, from the identity as the effect leaves it. */
  body: (after: Identity) => unknown;
}

export type Effects = (call: Call, opened: Opened, effect: Effect) => Promise<Reply>;

/**
 * Does what a call asks in one write: the change, the record of the call for the proof, and for an idempotent request its reply. Whatever repeats the
 * request finds all of it or nothing.
 */
export const createEffects =
  ({ identities, access, clock }: { identities: Identities; access: Access; clock: Clock }): Effects =>
  async (call, opened, { method, kind, decide, body }) => {
    const operationId = newId();
    const sealedCaller = access.seal(opened, 'caller', callerOf(call));
    const key = await access.wrap(opened);
    const now = clock();
    const recorded = recordingOperation(operationOf(call, method, operationId, sealedCaller), kind, now);
    const { identity } = await identities.change(
      opened.identity._id,
      (current) => {
        const decision = recorded(current, decide(current, operationId, now));
        const reply = markedWith(call.claim?.claimId, (change) => ({
          status: 200,
          body: body(applied(current, change)),
        }));
        return reply(current, decision);
      },
      { now, key, known: opened.identity },
    );
    return ok(body(identity));
  };
