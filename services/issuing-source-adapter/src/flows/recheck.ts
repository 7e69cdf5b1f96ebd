import type { Outbox } from '@assay/mongo';
import { type Clock, createApart, type Log } from '@assay/runtime';
import type { Keyring } from '@assay/sealing';
import type { Check } from '../store/check.ts';
import type { Checks } from '../store/checks.ts';
import type { AskSource, AttemptResult } from './ask-source.ts';
import { checkCompletedEvent } from './check-completed.ts';
import type { Permissions } from './permissions.ts';

export interface Deps {
  checks: Checks;
  outbox: Pick<Outbox, 'publishNow'>;
  permissions: Pick<Permissions, 'find' | 'drop'>;
  keyring: Keyring;
  askSource: AskSource;
  leaseMs: number;
  now: Clock;
  log: Log;
}

const AT_ONCE = 16;
/**
 * How often an inconclusive check is repeated if the tenant does not say it: after maintenance,
 * while the source is still unavailable.
 */
const PAUSE_SECONDS = 300;
/** An identity does not live longer; a check that outlived it is no longer asked. */
const GIVEN_UP_AFTER_MS = 72 * 3600 * 1000;

/**
 * Repeats inconclusive checks, if the tenant wishes it or when maintenance is over. An answer is
 * published as a late one.
 */
export const createRecheck = (deps: Deps) => {
  const { checks, outbox, permissions, keyring, askSource, leaseMs, now, log } = deps;
  const apart = createApart({ sweeper: 'rechecks', log });
  const nextLook = (check: Check, made: AttemptResult | undefined): Date | undefined => {
    const at = now().getTime();
    if (at - check.startedAt.getTime() > GIVEN_UP_AFTER_MS) return undefined;
    if (made?.kind === 'RESTING') return made.until;
    return new Date(at + (check.recheckAfterSeconds ?? PAUSE_SECONDS) * 1000);
  };

  const announce = async (check: Check, made: Extract<AttemptResult, { kind: 'DONE' }>): Promise<void> => {
    const at = now();
    const { outcome, source, service, sealedExchange } = made;
    const event = checkCompletedEvent(check, {
      outcome,
      source,
      services: service ? [service] : [],
      at,
      late: true,
    });
    if (!(await checks.end(check, undefined, { outcome, source, at, service, sealedExchange, event }))) return;
    void outbox.publishNow(check._id);
    const { _id: checkId, identityId } = check;
    log.info({ msg: 'check.answered-late', checkId, identityId, result: outcome.result });
  };

  const lookAgain = async (id: string): Promise<void> => {
    const check = await checks.lease(id, 'ENDED', now(), leaseMs);
    if (!check) return;
    const permission = await permissions.find(check);
    if (permission !== 'GIVEN') return permissions.drop(check, permission);
    const key = await keyring.keyOf(check);
    if (!key) return checks.remove(id);
    const made = await askSource(check, key, () => checks.renew(check, now(), leaseMs));
    if (made.kind === 'DONE') await announce(check, made);
    else await checks.recheckLater(check, nextLook(check, made), made);
  };

  /** One round over what is due. */
  return async (): Promise<'nothing' | undefined> => {
    const due = await checks.dueForRecheck(now(), { limit: AT_ONCE, except: apart.resting() });
    if (due.length === 0) return 'nothing';
    const results = await Promise.allSettled(due.map((id) => apart.each([id], String, lookAgain)));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    return undefined;
  };
};
