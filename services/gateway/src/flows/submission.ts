import { type SubmissionReply, todayAt } from '@assay/contracts';
import { type CallClaims, isRefusal, type Reply, unavailable } from '@assay/http';
import { type Clock, type Log, startSweeper } from '@assay/runtime';
import type { EvidenceIntake, StoredEvidence } from '../clients/evidence-intake.ts';
import { isRefusal as isRefused, type Refusal } from '../domain/change.ts';
import { type ConsentRuleName, consentMissing } from '../domain/consent-rules.ts';
import type { Identity } from '../domain/identity.ts';
import { isTaken, release, renew, reserve, type Submission } from '../domain/reservations.ts';
import { commit, documentsInWork, firstStatus, type StoredSubmission } from '../domain/submissions.ts';
import { isReserved } from '../domain/transaction.ts';
import type { Identities } from '../store/identities.ts';
import type { Access, Opened } from './access.ts';
import { type Caller, isRepeat, tenantOf } from './caller.ts';
import type { Effects } from './effect.ts';
import { accepted } from './refusal.ts';

export interface Deps {
  identities: Identities;
  access: Access;
  effects: Effects;
  intake: Pick<EvidenceIntake, 'isStored'>;
  now: Clock;
  log: Log;
}

/** Hands a submission to evidence-intake under the claims it is granted. */
type Send = (claims: CallClaims) => Promise<StoredEvidence>;
type NewSubmission = Omit<Submission, 'evidenceId'>;
export type Submit = (caller: Caller, identityId: string, submission: NewSubmission, send: Send) => Promise<Reply>;

const RENEWED_EVERY_MS = 5000;

/**
 * Has evidence-intake store a submission while its reservation is renewed. A refusal releases the
 * reservation, as does an upload that broke off.
 */
const sendReserved =
  ({ identities, now, log }: Deps) =>
  async (caller: Caller, { identity }: Opened, evidenceId: string, work: () => Promise<StoredEvidence>) => {
    // Left by a request that was abandoned, and is now repeated: its outcome is not known.
    const isRepeated = identity.reservations.some((entry) => entry.evidenceId === evidenceId);
    const renewing = startSweeper({
      name: 'reservation',
      everyMs: RENEWED_EVERY_MS,
      run: () => identities.change(identity._id, (current) => renew(current, evidenceId, now()), { now: now() }),
      log,
    });
    return work()
      .catch(async (error: unknown) => {
        // evidence-intake stores nothing of a body without its end, which then never reaches it.
        // What became of an earlier request with the whole of it, the refusal of its repeat does
        // not say.
        const isWithoutEnd = caller.isCutOff() || caller.atEnd.hasFailed;
        if (!isRepeated && (isWithoutEnd || isRefusal(error)))
          await identities.change(identity._id, (current) => release(current, evidenceId), { now: now() });
        throw error;
      })
      .finally(() => renewing.close());
  };

interface Reserved {
  identity: Identity;
  consent: ConsentRuleName;
}

/**
 * Reserves a place, and gives the consent that must hold until all of the request has come. What an
 * earlier request under the same Idempotency-Key had stored needs none any more: the consent was in
 * force then. 503 while that request may still be on its way.
 */
const reserving =
  ({ identities, access, intake, now }: Deps) =>
  async (caller: Caller, opened: Opened, submission: Submission) => {
    const { identity } = opened;
    const { evidenceId } = submission;
    const at = now();
    const reserveUnder = async (consent: ConsentRuleName): Promise<Reserved | Refusal> => {
      const decide = (current: Identity) => reserve(current, { ...submission, consent }, at);
      const reserved = await identities.change(identity._id, decide, { now: at, known: identity });
      return isRefused(reserved) ? reserved : { identity: reserved.identity, consent };
    };
    const reserved = await reserveUnder(submission.consent);
    const isDoubted = isRepeat(caller) && isRefused(reserved) && reserved.refused === 'CONSENT_MISSING';
    if (!isDoubted) return accepted<Reserved>(reserved);
    if (await intake.isStored(access.claims(caller, opened, { evidenceId }), evidenceId))
      return accepted<Reserved>(await reserveUnder('NONE'));
    if (isReserved(identity, evidenceId, at)) throw unavailable();
    return accepted<Reserved>(reserved);
  };

/**
 * Takes one submission in (endpoints 3 to 6): makes room with one conditional write, has
 * evidence-intake store it, then turns the reservation into an evidence. When the outcome is
 * unknown the reservation stays until its lease ends: the event reports what was stored.
 */
export const createSubmit = (deps: Deps): Submit => {
  const { identities, access, effects, now } = deps;
  const sending = sendReserved(deps);
  const reserveFor = reserving(deps);
  return async (caller, identityId, submission, send) => {
    const opened = await access.open(caller, identityId);
    const evidenceId = caller.seedId;
    const { transactionLifetimeSeconds } = tenantOf(caller).effective;
    const { identity, consent } = await reserveFor(caller, opened, { ...submission, evidenceId });
    const own = { ...opened, identity };
    const claims = access.claims(caller, own, {
      evidenceId,
      operation: submission.operation,
      documentsInWork: documentsInWork(identity),
    });
    caller.atEnd.checks.push(async () => {
      const current = await identities.find(identity.tenantId, identityId);
      if (!current || !isTaken(current, evidenceId))
        accepted(consentMissing(current?.consents ?? [], consent, todayAt(now())) ?? {});
    });
    const stored = await sending(caller, opened, evidenceId, () => send(claims));
    const taken: StoredSubmission = { ...stored, evidenceId, operation: submission.operation };
    return effects(caller, own, {
      method: 'POST',
      kind: { name: submission.operation, type: 'ADD', contextIds: [evidenceId] },
      decide: (current, _operationId, takenAt) => commit(current, taken, transactionLifetimeSeconds, takenAt),
      body: (): SubmissionReply => ({
        status: firstStatus(submission.operation),
        type: stored.type,
        id: evidenceId,
        ...stored.extra,
      }),
    });
  };
};
