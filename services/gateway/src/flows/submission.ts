import type { SubmissionReply } from '@assay/contracts';
import { ApiError, type CallClaims, type Reply } from '@assay/http';
import { type Clock, type Log, startSweeper } from '@assay/runtime';
import type { StoredEvidence } from '../clients/evidence-intake.ts';
import { commit, firstStatus, release, renew, reserve, type Stored, type Submission } from '../domain/submissions.ts';
import { type Call, tenantOf } from '../http/call.ts';
import type { Identities } from '../store/identities.ts';
import type { Access } from './access.ts';
import type { Effects } from './effect.ts';

export interface SubmissionParts {
  identities: Identities;
  access: Access;
  effects: Effects;
  clock: Clock;
  log: Log;
}

/** Hands a submission to evidence-intake under the claims it is granted. */
export type Send = (claims: CallClaims) => Promise<StoredEvidence>;
export type Submit = (call: Call, submission: Omit<Submission, 'evidenceId'>, send: Send) => Promise<Reply>;

const RENEWED_EVERY_MS = 5000;

const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status < 500;

/** The client went away in the middle of its request. evidence-intake stores nothing of a body without its end, which then never reaches it. */
const isCutOff = ({ request }: Call): boolean => !request.complete;

/**
 * Takes one submission in (endpoints 3 to 6): makes room with one conditional write, has evidence-intake store it, then turns the reservation into an evidence.
 * A refusal leaves nothing behind, nor does an upload that broke off. When the outcome is unknown the reservation stays until its lease ends: the event tells of
 * what was stored.
 */
export const createSubmit =
  ({ identities, access, effects, clock, log }: SubmissionParts): Submit =>
  async (call, submission, send) => {
    const opened = await access.open(call);
    const evidenceId = call.seedId;
    const identityId = opened.identity._id;
    const { transactionLifetimeSeconds } = tenantOf(call).effective;
    // Left by a request that was abandoned, and is now repeated: what that one came to is not known.
    const isRepeated = opened.identity.reservations.some((entry) => entry.evidenceId === evidenceId);
    const reservedAt = clock();
    const { identity: reserved } = await identities.change(
      identityId,
      (current) => reserve(current, { ...submission, evidenceId }, reservedAt),
      { now: reservedAt, known: opened.identity },
    );
    const claims = await access.claims(call, opened, { evidenceId, operation: submission.operation });
    const renewing = startSweeper({
      name: 'reservation',
      everyMs: RENEWED_EVERY_MS,
      run: () => identities.change(identityId, (current) => renew(current, evidenceId, clock()), { now: clock() }),
      log,
    });
    const stored = await send(claims)
      .catch(async (error: unknown) => {
        if (isRefusal(error) || (isCutOff(call) && !isRepeated))
          await identities.change(identityId, (current) => release(current, evidenceId), { now: clock() });
        throw error;
      })
      .finally(() => renewing.close());
    const taken: Stored = { ...stored, evidenceId, operation: submission.operation };
    return effects(
      call,
      { ...opened, identity: reserved },
      {
        method: 'POST',
        kind: { name: submission.operation, type: 'ADD', contextIds: [evidenceId] },
        decide: (current, _operationId, now) => commit(current, taken, transactionLifetimeSeconds, now),
        body: (): SubmissionReply => ({
          status: firstStatus(submission.operation),
          type: stored.type,
          id: evidenceId,
          ...stored.extra,
        }),
      },
    );
  };
