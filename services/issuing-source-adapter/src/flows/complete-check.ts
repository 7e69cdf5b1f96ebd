import type { DataOf, Envelope, issuingCheckRequested } from '@assay/contracts';
import type { Outbox } from '@assay/mongo';
import type { Clock, Log } from '@assay/runtime';
import { type CheckResult, notConsented, unavailable } from '../domain/check-result.ts';
import type { Check } from '../store/check.ts';
import type { Checks } from '../store/checks.ts';
import type { AttemptResult } from './ask-source.ts';
import { checkCompletedEvent } from './check-completed.ts';

/** The event a check comes from. */
export type CheckRequest = Envelope<DataOf<typeof issuingCheckRequested>>;

export interface Deps {
  checks: Checks;
  outbox: Pick<Outbox, 'publishNow'>;
  now: Clock;
  log: Log;
}

/** The ways a check ends. Each writes the end and its event at once and then publishes it. */
export interface CompleteCheck {
  /**
   * With the result of its last attempt. False when the lease was lost: another process ends the
   * check.
   */
  end(check: Check, request: CheckRequest, ending: Ending): Promise<boolean>;
  /** Inconclusive, without a lease. False when the check is being asked or has ended. */
  giveUp(check: Check): Promise<boolean>;
  /**
   * Without an answer, because the consent to ask was withdrawn; an answer that arrives later is
   * dropped. False if the check has ended already.
   */
  endUnasked(check: Check): Promise<boolean>;
  /** Publishes an ended check once more, for a request that repeats another. */
  repeat(check: Check, request: CheckRequest): Promise<void>;
}

/** The end of a check: what its last attempt did, and the result that follows. */
interface Ending {
  attempt: AttemptResult;
  outcome: CheckResult;
  /** When an inconclusive check is asked again. */
  recheckAt?: Date | undefined;
}

/** The date so many seconds from now, where a number is given. */
export const inSeconds = (now: Date, seconds: number | undefined): Date | undefined =>
  seconds === undefined ? undefined : new Date(now.getTime() + seconds * 1000);

export const createCompleteCheck = ({ checks, outbox, now, log }: Deps): CompleteCheck => {
  const publish = (check: Check, event: Envelope<unknown>, outcome: CheckResult, attempts: number): void => {
    void outbox.publishNow(check._id, [event]);
    const { _id: checkId, identityId, type, mode } = check;
    log.info({ msg: 'check.ended', checkId, identityId, type, mode, result: outcome.result, attempts });
  };

  return {
    end: async (check, { id: messageId }, { attempt, outcome, recheckAt }) => {
      const at = now();
      const { source, service, sealedExchange } = attempt;
      const services = [...check.services, ...(service ? [service] : [])];
      const event = checkCompletedEvent(check, { outcome, source, services, at });
      const ending = { outcome, source, at, recheckAt, service, sealedExchange, event };
      if (!(await checks.end(check, messageId, ending))) return false;
      publish(check, event, outcome, check.attempts + (service ? 1 : 0));
      return true;
    },

    giveUp: async (check) => {
      const at = now();
      const outcome = unavailable(undefined);
      const event = checkCompletedEvent(check, { outcome, source: check.source, services: check.services, at });
      const recheckAt = inSeconds(at, check.recheckAfterSeconds);
      if (!(await checks.giveUp(check._id, at, { outcome, at, recheckAt, event }))) return false;
      publish(check, event, outcome, check.attempts);
      return true;
    },

    endUnasked: async (check) => {
      const at = now();
      const outcome = notConsented();
      const event = checkCompletedEvent(check, { outcome, source: check.source, services: check.services, at });
      if (!(await checks.endUnasked(check._id, { outcome, at, event }))) return false;
      publish(check, event, outcome, check.attempts);
      return true;
    },

    repeat: async (check, { id: messageId }) => {
      const { outcome, endedAt, source, services } = check;
      if (!outcome || !endedAt) return;
      const event = checkCompletedEvent(check, { outcome, source, services, at: endedAt });
      if (await checks.repeat(check._id, messageId, event)) void outbox.publishNow(check._id, [event]);
    },
  };
};
