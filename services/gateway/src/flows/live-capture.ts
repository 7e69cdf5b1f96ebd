import { present } from '@assay/contracts';
import { ApiError, type CallClaims, ok, type Reply } from '@assay/http';
import { type Clock, newId } from '@assay/runtime';
import type { StoredEvidence } from '../clients/evidence-intake.ts';
import { type ChangeResult, type IdentityChange, refuse } from '../domain/change.ts';
import { sessionConsentMissing } from '../domain/consent-rules.ts';
import type { Evidence, Identity } from '../domain/identity.ts';
import { once } from '../domain/markers.ts';
import { recordingOperation } from '../domain/operations.ts';
import { takeIn } from '../domain/submissions.ts';
import { restartedClock, whyNotAddable, whyNotWritable } from '../domain/transaction.ts';
import type { Identities } from '../store/identities.ts';
import type { Access, Opened } from './access.ts';
import { type Caller, operationOf, originOf, tenantOf } from './caller.ts';
import { bodyIn, sealedReply } from './marked-reply.ts';
import { accepted } from './refusal.ts';

export interface Deps {
  identities: Identities;
  access: Access;
  now: Clock;
}

/**
 * Sends frames to evidence-intake under the claims that are granted. Returns how many frames the
 * session has.
 */
export type SendFrames = (claims: CallClaims) => Promise<number>;

/** Asks evidence-intake something about a session. */
type AskSession = (claims: CallClaims, evidence: Evidence) => Promise<Record<string, unknown>>;
/** Has evidence-intake submit what a session is for. */
type SendSession = (claims: CallClaims) => Promise<StoredEvidence>;

export type LiveCapture = ReturnType<typeof createLiveCapture>;

/** Which calls a session refuses: calls that add frames are limited, the one that ends it not. */
type Rule = typeof whyNotAddable;

interface OpenSession {
  opened: Opened;
  evidence: Evidence;
  rule: Rule;
}

/** Finding the identity and the evidence of a session, open for writing. */
const sessionOpeners = ({ access, now }: Pick<Deps, 'access' | 'now'>) => {
  const openSession = async (caller: Caller, sessionId: string, rule: Rule): Promise<OpenSession> => {
    const opened = await access.openSession(caller, sessionId);
    const evidence = opened.identity.evidences.find((entry) => entry.sessionId === sessionId);
    if (!evidence) throw new ApiError('NOT_FOUND');
    const refused = rule(opened.identity);
    if (refused) throw new ApiError(refused);
    return { opened, evidence, rule };
  };

  const openConsented = async (caller: Caller, sessionId: string): Promise<OpenSession> => {
    const found = await openSession(caller, sessionId, whyNotAddable);
    accepted(sessionConsentMissing(found.opened.identity.consents, found.evidence.operation, now()) ?? {});
    return found;
  };

  /**
   * For a step that sends personal data: nothing is stored without the consent it needs. The
   * consent is checked again when the last byte has arrived.
   */
  const openWithConsent = async (caller: Caller, sessionId: string): Promise<OpenSession> => {
    const found = await openConsented(caller, sessionId);
    caller.atEnd.checks.push(async () => void (await openConsented(caller, sessionId)));
    return found;
  };

  return { openSession, openWithConsent };
};

/**
 * Each accepted POST restarts the transaction's time; `more` is what else it changes. The record of
 * the call for the proof, and the reply of an idempotent request, are in the same write.
 */
const answerer =
  ({ identities, access, now }: Deps) =>
  async (
    caller: Caller,
    { opened, evidence: { evidenceId, operation }, rule }: OpenSession,
    body: Record<string, unknown>,
    more: (identity: Identity, at: Date) => IdentityChange | undefined = () => undefined,
  ): Promise<Reply> => {
    const { transactionLifetimeSeconds } = tenantOf(caller).effective;
    const at = now();
    const { decide: decideOnce, replyOf } = once(caller.idempotency?.lockId);
    const call = operationOf(caller, 'POST', newId(), access.seal(opened, 'caller', originOf(caller)));
    const recorded = recordingOperation(call, { name: operation, type: 'ADD', contextIds: [evidenceId] }, at);
    const decide = (identity: Identity): ChangeResult => {
      const refused = rule(identity);
      if (refused) return refuse(refused);
      const { set, events } = more(identity, at) ?? { set: {}, events: [] };
      const change = { set: { ...set, ...restartedClock(transactionLifetimeSeconds, at) }, events };
      return recorded(identity, change);
    };
    const result = await identities.change(
      opened.identity._id,
      (identity) =>
        decideOnce(
          identity,
          () => decide(identity),
          () => sealedReply(opened, body),
        ),
      { now: at },
    );
    const marked = replyOf(accepted(result).identity);
    return ok(marked ? bodyIn(opened, marked) : body);
  };

/**
 * Continues a session that was begun; the session names the identity, within the caller's tenant.
 */
export const createLiveCapture = (deps: Deps) => {
  const { access } = deps;
  const { openSession, openWithConsent } = sessionOpeners(deps);

  const claimsOf = (caller: Caller, opened: Opened, { evidenceId, operation }: Evidence) =>
    access.claims(caller, opened, { evidenceId, operation, batchId: caller.seedId });

  const answered = answerer(deps);

  const step = async (caller: Caller, sessionId: string, ask: AskSession): Promise<Reply> => {
    const found = await openWithConsent(caller, sessionId);
    const { opened, evidence } = found;
    return answered(caller, found, await ask(await claimsOf(caller, opened, evidence), evidence));
  };

  const submitted = async (caller: Caller, found: OpenSession, send: SendSession): Promise<Reply> => {
    const { opened, evidence } = found;
    const { evidenceId, operation, sessionId } = evidence;
    const stored = await send(await claimsOf(caller, opened, evidence));
    return answered(caller, found, { status: 'PROCESSING', type: stored.type, id: evidenceId }, (identity, at) =>
      takeIn(identity, { ...stored, evidenceId, operation, ...present({ sessionId }) }, at),
    );
  };

  return {
    /** A step that submits nothing yet. */
    step,

    /** The step that sends the session's evidence and submits it. */
    submit: async (caller: Caller, sessionId: string, send: SendSession): Promise<Reply> =>
      submitted(caller, await openWithConsent(caller, sessionId), send),

    /** Submits what was sent. Without the consent the evidence ends NOT_VERIFIED. */
    end: async (caller: Caller, sessionId: string, send: SendSession): Promise<Reply> =>
      submitted(caller, await openSession(caller, sessionId, whyNotWritable), send),

    addFrames: (caller: Caller, sessionId: string, send: SendFrames): Promise<Reply> =>
      step(caller, sessionId, async (claims, { type, evidenceId }) => {
        const frames = await send(claims);
        return { status: 'PROCESSING', type, id: evidenceId, sessionId, frames };
      }),
  };
};
