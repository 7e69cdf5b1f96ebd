import { ApiError, ok, type Reply } from '@assay/http';
import type { Clock } from '@assay/runtime';
import type { EvidenceIntake } from '../clients/evidence-intake.ts';
import { type Change, type Decision, refuse } from '../domain/change.ts';
import type { Evidence, Identity } from '../domain/identity.ts';
import { markedWith } from '../domain/markers.ts';
import { takeIn } from '../domain/submissions.ts';
import { restartedClock, whyNotWritable } from '../domain/transaction.ts';
import { type Call, param, tenantOf, uploadOf } from '../http/call.ts';
import type { Identities } from '../store/identities.ts';
import type { Access, Opened } from './access.ts';

export interface LiveCaptureFlowParts {
  identities: Identities;
  access: Access;
  intake: EvidenceIntake;
  clock: Clock;
}

export type LiveCapture = ReturnType<typeof createLiveCapture>;

/** Goes on with a session that was begun; the session names the identity, within the caller's tenant. */
export const createLiveCapture = ({ identities, access, intake, clock }: LiveCaptureFlowParts) => {
  const openSession = async (call: Call): Promise<{ opened: Opened; evidence: Evidence; sessionId: string }> => {
    const sessionId = param(call, 'sessionId');
    const found = await identities.findBySession(tenantOf(call).tenantId, sessionId);
    if (!found) throw new ApiError('NOT_FOUND');
    const opened = await access.openOf(call, found._id);
    const evidence = opened.identity.evidences.find((entry) => entry.sessionId === sessionId);
    if (!evidence) throw new ApiError('NOT_FOUND');
    const refused = whyNotWritable(opened.identity);
    if (refused) throw new ApiError(refused);
    return { opened, evidence, sessionId };
  };

  const claimsOf = (call: Call, opened: Opened, { evidenceId, operation }: Evidence) =>
    access.claims(call, opened, { evidenceId, operation });

  /** Each accepted POST restarts the clock; `more` is what else it changes. The reply of an idempotent request stands in the same write. */
  const accepted = async (
    call: Call,
    opened: Opened,
    body: Record<string, unknown>,
    more: (identity: Identity, now: Date) => Change | undefined = () => undefined,
  ): Promise<Reply> => {
    const { transactionLifetimeSeconds } = tenantOf(call).effective;
    const now = clock();
    const reply = markedWith(call.claim?.claimId, () => ({ status: 200, body }));
    const decide = (identity: Identity): Decision => {
      const refused = whyNotWritable(identity);
      if (refused) return refuse(refused);
      const { set, facts } = more(identity, now) ?? { set: {}, facts: [] };
      return reply(identity, { set: { ...set, ...restartedClock(transactionLifetimeSeconds, now) }, facts });
    };
    await identities.change(opened.identity._id, decide, { now, key: await access.wrap(opened) });
    return ok(body);
  };

  return {
    addFrames: async (call: Call): Promise<Reply> => {
      const { opened, evidence, sessionId } = await openSession(call);
      const claims = { ...(await claimsOf(call, opened, evidence)), batchId: call.seedId };
      const frames = await intake.frames(claims, sessionId, call.request, uploadOf(call));
      const { type, evidenceId } = evidence;
      return accepted(call, opened, { status: 'PROCESSING', type, id: evidenceId, sessionId, frames });
    },

    end: async (call: Call): Promise<Reply> => {
      const { opened, evidence, sessionId } = await openSession(call);
      const { evidenceId, operation } = evidence;
      const stored = await intake.endSession(await claimsOf(call, opened, evidence), sessionId);
      return accepted(call, opened, { status: 'PROCESSING', type: stored.type, id: evidenceId }, (identity, now) =>
        takeIn(identity, { ...stored, evidenceId, operation, sessionId }, now),
      );
    },
  };
};
