import { type Clock, createApart, type Log, newId } from '@assay/runtime';
import type { CaseDocument, CaseStore } from '../store/cases.ts';
import type { CaseChanger } from './change-case.ts';

export interface Deps {
  cases: Pick<CaseStore, 'due'>;
  changer: Pick<CaseChanger, 'change'>;
  now: Clock;
  log: Log;
}

const AT_ONCE = 50;

/**
 * Evaluates cases whose day has come: a consent began or ended, or a document expired. Another
 * replica may have done it meanwhile.
 */
export const createLapsedCases = ({ cases, changer, now, log }: Deps) => {
  const apart = createApart({ sweeper: 'lapsed-cases', log });
  const evaluate = ({ _id: identityId, tenantId }: CaseDocument): Promise<void> =>
    changer.change({ id: newId(), tenantId, identityId }, (before) =>
      before.dueAt && before.dueAt <= now() ? { after: before } : undefined,
    );
  return async (): Promise<'nothing' | 'more' | undefined> => {
    const due = await cases.due(now(), { limit: AT_ONCE, except: apart.resting() });
    if (due.length === 0) return 'nothing';
    await apart.each(due, ({ _id }) => _id, evaluate);
    return due.length === AT_ONCE ? 'more' : undefined;
  };
};
