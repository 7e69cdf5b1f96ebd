import { setTimeout as pause } from 'node:timers/promises';
import type { Envelope } from '@assay/contracts';

/** Longer than the other service takes for its part, on an idle machine. */
const SOON_MS = 12;

type Run = (id: string, just?: readonly Envelope<unknown>[]) => Promise<void>;

/**
 * One run of a document at a time, in the order in which they were requested; a write during it
 * gets a run of its own afterwards. A run that is requested for soon begins a moment later.
 */
export const createRuns = (run: Run) => {
  const running = new Map<string, Promise<void>>();
  const addAfter = (before: Promise<void>, id: string, just?: readonly Envelope<unknown>[]): Promise<void> => {
    const added: Promise<void> = before
      .then(() => run(id, just))
      .finally(() => {
        if (running.get(id) === added) running.delete(id);
      });
    running.set(id, added);
    return added;
  };
  const lastOf = (id: string): Promise<void> | undefined => running.get(id);
  const add: Run = (id, just) => addAfter(lastOf(id) ?? Promise.resolve(), id, just);
  const addSoon: Run = (id, just) => addAfter(lastOf(id) ?? pause(SOON_MS), id, just);
  return {
    has: (id: string): boolean => running.has(id),
    add,
    addSoon,
    ended: () => Promise.allSettled(running.values()),
  };
};
