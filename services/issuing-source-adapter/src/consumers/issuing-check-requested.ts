import { RetryLater } from '@assay/bus';
import type { DataOf, Envelope, issuingCheckRequested } from '@assay/contracts';
import type { Outbox } from '@assay/mongo';
import type { Clock, Log } from '@assay/runtime';
import type { Keyring } from '@assay/sealing';
import { completed } from '../announce.ts';
import type { Attempt, MakeAttempt } from '../attempt.ts';
import { type Outcome, unavailable } from '../domain/outcome.ts';
import { isSpent, nextAttemptAt, type Pace } from '../domain/pace.ts';
import type { Check } from '../store/check.ts';
import type { Checks } from '../store/checks.ts';
import type { Tombstones } from '../store/tombstones.ts';

type Requested = Envelope<DataOf<typeof issuingCheckRequested>>;

export interface CheckParts {
  checks: Checks;
  tombstones: Tombstones;
  outbox: Pick<Outbox, 'publishNow'>;
  keyring: Keyring;
  attempt: MakeAttempt;
  pace: Pace;
  leaseMs: number;
  now: Clock;
  log: Log;
}

const YOUNG_MS = 1000;

const stored = ({ tenantId, identityId, data }: Requested, now: Date) => ({
  _id: data.checkId,
  tenantId,
  identityId,
  evidenceId: data.evidenceId,
  type: data.type,
  mode: data.mode,
  userCategory: data.userCategory,
  sealedDocument: data.sealedDocument,
  ...(data.recheckAfterSeconds === undefined ? {} : { recheckAfterSeconds: data.recheckAfterSeconds }),
  state: 'OPEN' as const,
  startedAt: now,
  nextAttemptAt: now,
});

const inSeconds = (now: Date, seconds: number | undefined): Date | undefined =>
  seconds === undefined ? undefined : new Date(now.getTime() + seconds * 1000);

/**
 * issuing-check.requested: asks the source, in as many attempts as the pace allows, and announces what came of it. The message waits at the broker
 * between attempts; the check remembers how far it got. A request repeated after the end is answered from the record.
 */
export const onIssuingCheckRequested = (parts: CheckParts) => {
  const { checks, tombstones, outbox, keyring, attempt, pace, leaseMs, now, log } = parts;

  const tell = (check: Check, event: Envelope<unknown>, outcome: Outcome, attempts: number): void => {
    void outbox.publishNow(check._id, [event]);
    const { _id: checkId, identityId, type, mode } = check;
    log.info({ msg: 'check.ended', checkId, identityId, type, mode, result: outcome.result, attempts });
  };

  const giveUp = async (check: Check, { key }: Requested): Promise<void> => {
    const at = now();
    const outcome = unavailable(undefined);
    const event = completed(check, { outcome, source: check.source, services: check.services, at, key });
    const recheckAt = inSeconds(at, check.recheckAfterSeconds);
    if (await checks.giveUp(check._id, at, { outcome, at, recheckAt, event }))
      tell(check, event, outcome, check.attempts);
    else throw new RetryLater('the check is being asked');
  };

  const end = async (
    check: Check,
    { id: messageId, key }: Requested,
    made: Attempt,
    outcome: Outcome,
    recheckAt?: Date,
  ) => {
    const at = now();
    const { source, service, sealedExchange } = made;
    const services = [...check.services, ...(service ? [service] : [])];
    const event = completed(check, { outcome, source, services, at, key });
    const ending = { outcome, source, at, recheckAt, service, sealedExchange, event };
    // Whoever holds the lease now ends the check; should it be lost again, this message comes back to it.
    if (!(await checks.end(check, messageId, ending))) throw new RetryLater('the lease was lost');
    tell(check, event, outcome, check.attempts + (service ? 1 : 0));
  };

  const postpone = async (check: Check, until: Date, counts: boolean, made: Attempt): Promise<never> => {
    await checks.postpone(check, until, counts, made);
    throw new RetryLater(`the source gave no answer: ${made.kind}`);
  };

  const settle = async (check: Check, event: Requested, made: Attempt): Promise<void> => {
    if (made.kind === 'DONE') return end(check, event, made, made.outcome);
    const at = now();
    const recheckAt = inSeconds(at, check.recheckAfterSeconds);
    if (made.kind === 'RESTING') {
      if (!isSpent(pace, check.startedAt, made.until)) return postpone(check, made.until, false, made);
      return end(check, event, made, made.inconclusive, made.until);
    }
    if (made.kind === 'BUSY') {
      if (isSpent(pace, check.startedAt, at)) return end(check, event, made, made.inconclusive, recheckAt);
      return postpone(check, at, false, made);
    }
    const again = nextAttemptAt(pace, check.startedAt, check.attempts + 1, at);
    if (again) return postpone(check, again, true, made);
    return end(check, event, made, made.inconclusive, recheckAt);
  };

  const answerAgain = async (check: Check, { id: messageId, key }: Requested): Promise<void> => {
    const { outcome, endedAt, source, services } = check;
    if (!outcome || !endedAt) return;
    const event = completed(check, { outcome, source, services, at: endedAt, key });
    if (await checks.repeat(check._id, messageId, event)) void outbox.publishNow(check._id, [event]);
  };

  /** Stores a check nobody heard of, with its lease in the same write; nothing when somebody did meanwhile. */
  const begin = async (event: Requested, forMs: number): Promise<Check | 'CLOSED' | undefined> => {
    const check = await checks.begin(stored(event, now()), forMs);
    // Looked up after the write: an identity closing at this moment either finds the check, or is found here.
    if (!check || !(await tombstones.has(event.identityId))) return check;
    await checks.remove(check._id);
    return 'CLOSED';
  };

  const ask = async (leased: Check, event: Requested): Promise<void> => {
    if (!event.key) throw new Error('the event carries no key');
    const key = await keyring.unwrap(event.key, event.identityId);
    // Where the question's turn comes at once there is room enough left in the lease.
    const isYoung = () => leased.leaseUntil.getTime() - now().getTime() > leaseMs - YOUNG_MS;
    const goOn = async () =>
      !isSpent(pace, leased.startedAt, now()) && (isYoung() || (await checks.renew(leased, now(), leaseMs)));
    await settle(leased, event, await attempt(leased, key, goOn));
  };

  const handle = async (event: Requested): Promise<void> => {
    const known = await checks.find(event.data.checkId);
    if (known?.state === 'ENDED') return answerAgain(known, event);
    // One that never got as far as an attempt is looked at all the same: whether it may be asked at all, and when, is part of its answer.
    const waited = known && known.nextAttemptAt > known.startedAt;
    if (waited && isSpent(pace, known.startedAt, now())) return giveUp(known, event);
    if (waited && now() < known.nextAttemptAt) throw new RetryLater('not yet time to ask again');
    const leased = known ? await checks.lease(known._id, 'OPEN', now(), leaseMs) : await begin(event, leaseMs);
    if (leased === 'CLOSED') return;
    if (!leased) throw new RetryLater('the check is being asked');
    await ask(leased, event);
  };

  return {
    handle,
    /** Before a request goes to the dead letters: the check ends inconclusive. */
    onGivenUp: async (event: Envelope<unknown>): Promise<void> => {
      const request = event as Requested;
      const check = (await checks.find(request.data.checkId)) ?? (await begin(request, 0));
      if (check && check !== 'CLOSED' && check.state === 'OPEN') await giveUp(check, request);
    },
  };
};
