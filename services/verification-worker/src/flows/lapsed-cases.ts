import { type Clock, createApart, createNextLook, type Log, newId } from '@assay/runtime';
import type { CaseStore, DueCase } from '../store/cases.ts';
import type { CaseChanger } from './change-case.ts';

export interface Deps {
  cases: Pick<CaseStore, 'due'>;
  changer: Pick<CaseChanger, 'change'>;
  now: Clock;
  log: Log;
}

const AT_ONCE = 50;
/** Cases that become due earlier than that, after a query, are found this late at most. */
const WITHIN_MS = 60_000;

/**
 * Evaluates cases on the day on which a consent begins or ends, or a document expires. Another
 * replica may have done it meanwhile.
 */
export const createLapsedCases = ({ cases, changer, now, log }: Deps) => {
  const apart = createApart({ sweeper: 'lapsed-cases', log });
  const evaluate = ({ _id: identityId, tenantId }: DueCase): Promise<void> =>
    changer.change({ id: newId(), tenantId, identityId }, (before) =>
      before.dueAt && before.dueAt <= now() ? { after: before } : undefined,
    );
  const next = createNextLook({ now, withinMs: WITHIN_MS });
  return async (): Promise<'more' | undefined> => {
    if (!next.isDue()) return undefined;
    const askedAt = now();
    const until = new Date(askedAt.getTime() + WITHIN_MS);
    const found = await cases.due(until, { limit: AT_ONCE, except: apart.resting() });
    const isDue = ({ dueAt }: DueCase): boolean => dueAt !== undefined && dueAt <= askedAt;
    await apart.each(found.filter(isDue), ({ _id }) => _id, evaluate);
    const isMore = found.length === AT_ONCE && found.every(isDue);
    next.found(isMore ? askedAt : found.find((one) => !isDue(one))?.dueAt, askedAt);
    return isMore ? 'more' : undefined;
  };
};
