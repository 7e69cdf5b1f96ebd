import { type Clock, createApart, type Log, type NextLook } from '@assay/runtime';
import type { Due } from '../store/due-evidences.ts';
import type { Evidence, EvidenceStore } from '../store/evidences.ts';

const BATCH = 50;

export interface Deps {
  evidences: Pick<EvidenceStore, 'due' | 'firstDue'>;
  now: Clock;
  log: Log;
}

interface DueSweep {
  /** Its name in logs and metrics. */
  sweeper: string;
  /** The time by which an evidence is due. */
  what: Due;
  /** When a round queries the database; other rounds do nothing. */
  next: NextLook;
  /** Does what is due for one evidence. An evidence that fails does not delay the others. */
  work: (evidence: Evidence) => Promise<void>;
}

/** Rounds that do the work of a batch of due evidences; 'nothing' if none was due. */
export const createDueSweep = ({ evidences, now, log }: Deps, { sweeper, what, next, work }: DueSweep) => {
  const apart = createApart({ sweeper, log });
  return async (): Promise<'nothing' | undefined> => {
    if (!next.isDue()) return 'nothing';
    const askedAt = now();
    next.found(await evidences.firstDue(what, apart.resting()), askedAt);
    if (!next.isDue()) return 'nothing';
    const due = await evidences.due(what, now(), { limit: BATCH, except: apart.resting() });
    await apart.each(due, ({ _id }) => _id, work);
    return due.length === 0 ? 'nothing' : undefined;
  };
};
