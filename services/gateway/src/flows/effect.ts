import { ok, type Reply } from '@assay/http';
import { type Clock, newId } from '@assay/runtime';
import { applied, type ChangeResult } from '../domain/change.ts';
import type { Identity } from '../domain/identity.ts';
import { once } from '../domain/markers.ts';
import { type OperationKind, recordingOperation } from '../domain/operations.ts';
import type { Identities } from '../store/identities.ts';
import type { Access, Opened } from './access.ts';
import { type Caller, operationOf, originOf } from './caller.ts';
import { bodyIn, sealedReply } from './marked-reply.ts';
import { accepted } from './refusal.ts';

/** One call's effect on an identity. */
interface Effect {
  method: 'POST' | 'DELETE';
  /** What the call did, or, where that depends on the identity, what it does to this one. */
  kind: OperationKind | ((found: Identity) => OperationKind);
  /** Applies the rules. The id is that of the operation that records the call. */
  decide: (identity: Identity, operationId: string, now: Date) => ChangeResult;
  /** The reply, made from the identity after the change. */
  body: (after: Identity) => unknown;
}

export interface Deps {
  identities: Identities;
  access: Access;
  now: Clock;
}

export type Effects = (caller: Caller, opened: Opened, effect: Effect) => Promise<Reply>;

/**
 * Carries out a call with one write: the change, the record of the call for the proof, and the
 * reply of an idempotent request. A repeated request finds all of them or none.
 */
export const createEffects =
  ({ identities, access, now }: Deps): Effects =>
  async (caller, opened, { method, kind, decide, body }) => {
    const operationId = newId();
    const sealedCaller = access.seal(opened, 'caller', originOf(caller));
    const at = now();
    const operation = operationOf(caller, method, operationId, sealedCaller);
    const kindIn = (found: Identity): OperationKind => (typeof kind === 'function' ? kind(found) : kind);
    const { decide: decideOnce, replyOf } = once(caller.idempotency?.lockId);
    const result = await identities.change(
      opened.identity._id,
      (current) =>
        decideOnce(
          current,
          () => recordingOperation(operation, kindIn(current), at)(current, decide(current, operationId, at)),
          (change) => sealedReply(opened, body(applied(current, change))),
        ),
      { now: at, known: opened.identity },
    );
    const { identity } = accepted(result);
    const marked = replyOf(identity);
    return ok(marked ? bodyIn(opened, marked) : body(identity));
  };
