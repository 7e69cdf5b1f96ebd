import { RetryLater } from '@assay/bus';
import { present } from '@assay/contracts';
import type { Clock } from '@assay/runtime';
import type { Keyring } from '@assay/sealing';
import { isSpent, nextAttemptAt, type Pace } from '../domain/pace.ts';
import type { Check } from '../store/check.ts';
import type { Checks, Postponement } from '../store/checks.ts';
import type { AskSource, AttemptResult } from './ask-source.ts';
import { type CheckRequest, type CompleteCheck, inSeconds } from './complete-check.ts';
import type { Permissions } from './permissions.ts';

export interface Deps {
  checks: Checks;
  permissions: Permissions;
  keyring: Keyring;
  askSource: AskSource;
  complete: CompleteCheck;
  pace: Pace;
  leaseMs: number;
  now: Clock;
}

export interface RunCheck {
  /**
   * Makes the next attempt of a check, and ends the check if that decides it. @throws RetryLater if
   * the request must come again: the check is postponed, or another process has its lease
   */
  run(request: CheckRequest): Promise<void>;
  /** Ends the check of a request that can no longer be handled, as inconclusive. */
  giveUp(request: CheckRequest): Promise<void>;
}

/** A lease that was taken at most so long ago need not be renewed before a question. */
const YOUNG_MS = 1000;

const newCheck = ({ tenantId, identityId, data }: CheckRequest, now: Date) => ({
  _id: data.checkId,
  tenantId,
  identityId,
  evidenceId: data.evidenceId,
  type: data.type,
  mode: data.mode,
  userCategory: data.userCategory,
  sealedDocument: data.sealedDocument,
  ...present({ recheckAfterSeconds: data.recheckAfterSeconds, consents: data.consents }),
  state: 'OPEN' as const,
  startedAt: now,
  nextAttemptAt: now,
});

/**
 * What follows an attempt: the check is postponed, or it ends, and `recheckAt` says when the source
 * is asked anew.
 */
type Next = { kind: 'END'; recheckAt?: Date | undefined } | ({ kind: 'POSTPONE' } & Postponement);

const nextOf = (pace: Pace, check: Check, attempt: AttemptResult, now: Date): Next => {
  const { startedAt, attempts, recheckAfterSeconds } = check;
  /** No question was sent: the check waits until then, or ends if its time is over by then. */
  const waitUntil = (until: Date, recheckAt: Date | undefined): Next =>
    isSpent(pace, startedAt, until) ? { kind: 'END', recheckAt } : { kind: 'POSTPONE', until, countsAsAttempt: false };
  if (attempt.kind === 'DONE') return { kind: 'END' };
  if (attempt.kind === 'RESTING') return waitUntil(attempt.until, attempt.until);
  const recheckAt = inSeconds(now, recheckAfterSeconds);
  if (attempt.kind === 'BUSY') return waitUntil(now, recheckAt);
  const until = nextAttemptAt(pace, startedAt, attempts + 1, now);
  return until ? { kind: 'POSTPONE', until, countsAsAttempt: true } : { kind: 'END', recheckAt };
};

/**
 * Runs checks. Between attempts the message waits at the broker, and the stored check has the
 * state.
 */
export const createRunCheck = (deps: Deps): RunCheck => {
  const { checks, permissions, keyring, askSource, complete, pace, leaseMs, now } = deps;

  const settle = async (check: Check, request: CheckRequest, attempt: AttemptResult): Promise<void> => {
    const next = nextOf(pace, check, attempt, now());
    if (next.kind === 'POSTPONE') {
      await checks.postpone(check, next, attempt);
      throw new RetryLater(`the source gave no answer: ${attempt.kind}`);
    }
    const outcome = attempt.kind === 'DONE' ? attempt.outcome : attempt.inconclusive;
    // The holder of the lease ends the check. If it loses the lease too, this message comes back.
    if (!(await complete.end(check, request, { attempt, outcome, recheckAt: next.recheckAt })))
      throw new RetryLater('the lease was lost');
  };

  /** Stores a new check with its lease in one write; undefined if another process was first. */
  const begin = (request: CheckRequest, forMs: number): Promise<Check | undefined> =>
    checks.begin(newCheck(request, now()), forMs);

  const ask = async (leased: Check, request: CheckRequest): Promise<void> => {
    const permission = await permissions.find(leased);
    if (permission !== 'GIVEN') return permissions.drop(leased, permission);
    const key = await keyring.keyOf(request);
    // Without a key the identity is closed: no answer is needed any more.
    if (!key) return checks.remove(leased._id);
    // A young lease lasts until a question is answered and stored; an older one is renewed first.
    const isYoung = () => leased.leaseUntil.getTime() - now().getTime() > leaseMs - YOUNG_MS;
    const mayAsk = async () =>
      !isSpent(pace, leased.startedAt, now()) && (isYoung() || (await checks.renew(leased, now(), leaseMs)));
    await settle(leased, request, await askSource(leased, key, mayAsk));
  };

  const giveUp = async (check: Check): Promise<void> => {
    if (!(await complete.giveUp(check))) throw new RetryLater('the check is being asked');
  };

  return {
    run: async (request) => {
      // Nearly always the request is new, so the check is stored without reading first.
      const begun = await begin(request, leaseMs);
      if (begun) return ask(begun, request);
      const known = await checks.find(request.data.checkId);
      if (known?.state === 'ENDED') return complete.repeat(known, request);
      // A check that was never postponed is leased first: `askSource` says whether and when to ask.
      const isPostponed = known && known.nextAttemptAt > known.startedAt;
      if (isPostponed && isSpent(pace, known.startedAt, now())) return giveUp(known);
      if (isPostponed && now() < known.nextAttemptAt) throw new RetryLater('not yet time to ask again');
      const leased = known && (await checks.lease(known._id, 'OPEN', now(), leaseMs));
      if (!leased) throw new RetryLater('the check is being asked');
      await ask(leased, request);
    },
    giveUp: async (request) => {
      const check = (await checks.find(request.data.checkId)) ?? (await begin(request, 0));
      if (check?.state !== 'OPEN') return;
      const permission = await permissions.find(check);
      if (permission !== 'GIVEN') return permissions.drop(check, permission);
      await giveUp(check);
    },
  };
};
