import { pauseAfter } from './backoff.ts';
import { isDependencyDown } from './dependency.ts';
import type { Log } from './log.ts';
import { counter } from './metrics.ts';
import { progressed } from './round.ts';

const failed = counter('assay_sweeper_items_failed_total', 'Items that a round could not deal with', ['sweeper']);
const BACKOFF = { firstMs: 1000, longestMs: 600_000 };
const MOST_REMEMBERED = 1000;

export interface Apart {
  /** Ids that failed and are not due again: exclude them from the query, or they fill its limit. */
  resting(): string[];
  /**
   * Works on each item separately. One that fails is logged, counted and skipped for a growing
   * time; a dependency that is down ends the round.
   */
  each<T>(items: readonly T[], idOf: (item: T) => string, work: (item: T) => Promise<unknown>): Promise<void>;
}

export interface ApartOptions {
  sweeper: string;
  log: Log;
  /** How many milliseconds have gone by since any moment, whatever becomes of the clock. */
  elapsedMs?: () => number;
}

/**
 * Keeps one bad document from stopping a round for all others. Make one for each sweeper: it stores
 * what failed.
 */
export const createApart = ({ sweeper, log, elapsedMs = () => performance.now() }: ApartOptions): Apart => {
  const failures = new Map<string, { count: number; until: number }>();
  failed.inc({ sweeper }, 0);

  const remember = (id: string): void => {
    const count = (failures.get(id)?.count ?? 0) + 1;
    failures.delete(id);
    failures.set(id, { count, until: elapsedMs() + pauseAfter(count, BACKOFF) });
    const [longestKnown] = failures.keys();
    if (failures.size > MOST_REMEMBERED && longestKnown !== undefined) failures.delete(longestKnown);
  };
  const rests = (id: string): boolean => (failures.get(id)?.until ?? 0) > elapsedMs();

  return {
    resting: () => [...failures.keys()].filter(rests),
    each: async (items, idOf, work) => {
      for (const item of items) {
        const id = idOf(item);
        if (rests(id)) continue;
        try {
          await work(item);
          failures.delete(id);
          progressed();
        } catch (error) {
          if (isDependencyDown(error)) throw error;
          remember(id);
          failed.inc({ sweeper });
          log.error({ msg: 'sweeper.item-failed', sweeper, itemId: id, error });
        }
      }
    },
  };
};
