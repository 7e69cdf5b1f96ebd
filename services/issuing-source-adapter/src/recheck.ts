import type { WrappedKey } from '@assay/contracts';
import type { Outbox } from '@assay/mongo';
import type { Clock, Log } from '@assay/runtime';
import type { Keyring } from '@assay/sealing';
import { completed } from './announce.ts';
import type { Attempt, MakeAttempt } from './attempt.ts';
import type { AskKey } from './clients/gateway.ts';
import type { Check } from './store/check.ts';
import type { Checks } from './store/checks.ts';

export interface RecheckParts {
  checks: Checks;
  outbox: Pick<Outbox, 'publishNow'>;
  keyring: Keyring;
  askKey: AskKey;
  attempt: MakeAttempt;
  leaseMs: number;
  now: Clock;
  log: Log;
}

const AT_ONCE = 16;
/** Where the tenant does not say how often: after maintenance, when the source is still not there. */
const PAUSE_SECONDS = 300;
/** An identity does not live longer; a check that outlived it is no longer asked. */
const GIVEN_UP_AFTER_MS = 72 * 3600 * 1000;

/** Asks again what ended inconclusive: when the tenant wishes it, or when maintenance is over. An answer is announced as late. */
export const createRecheck = ({ checks, outbox, keyring, askKey, attempt, leaseMs, now, log }: RecheckParts) => {
  const nextLook = (check: Check, made: Attempt | undefined): Date | undefined => {
    const at = now().getTime();
    if (at - check.startedAt.getTime() > GIVEN_UP_AFTER_MS) return undefined;
    if (made?.kind === 'RESTING') return made.until;
    return new Date(at + (check.recheckAfterSeconds ?? PAUSE_SECONDS) * 1000);
  };

  const announce = async (check: Check, made: Extract<Attempt, { kind: 'DONE' }>, key: WrappedKey): Promise<void> => {
    const at = now();
    const { outcome, source, service, sealedExchange } = made;
    const event = completed(check, { outcome, source, services: service ? [service] : [], at, key, late: true });
    if (!(await checks.end(check, undefined, { outcome, source, at, service, sealedExchange, event }))) return;
    void outbox.publishNow(check._id);
    const { _id: checkId, identityId } = check;
    log.info({ msg: 'check.answered-late', checkId, identityId, result: outcome.result });
  };

  const lookAgain = async (id: string): Promise<void> => {
    const check = await checks.lease(id, 'ENDED', now(), leaseMs);
    if (!check) return;
    const wrapped = await askKey(check.tenantId, check.identityId);
    if (!wrapped) return checks.remove(id);
    const key = await keyring.unwrap(wrapped, check.identityId);
    const made = await attempt(check, key, () => checks.renew(check, now(), leaseMs));
    if (made.kind === 'DONE') await announce(check, made, wrapped);
    else await checks.recheckLater(check, nextLook(check, made), made);
  };

  /** One round over what is due; what fails keeps its lease until it runs out and is tried again. */
  return async (): Promise<void> => {
    const due = await checks.dueForRecheck(now(), AT_ONCE);
    const results = await Promise.allSettled(due.map(lookAgain));
    for (const result of results)
      if (result.status === 'rejected') log.warn({ msg: 'recheck.failed', error: result.reason });
  };
};
