import { pauseAfter } from './backoff.ts';
import { isDependencyDown } from './dependency.ts';
import type { Log } from './log.ts';
import { counter } from './metrics.ts';
import { progressed } from './round.ts';

const failed = counter('assay_sweeper_items_failed_total', 'Items that a round could not deal with', ['sweeper']);
const BACKOFF = { firstMs: 1000, longestMs: 600_000 };
/** So an item is tried soon after what it depends on is there again. */
const DOWN_BACKOFF = { firstMs: 1000, longestMs: 30_000 };
/** None after the first time: the dependency may have been away for a moment, for every item. */
const pauseWhileDown = (count: number): number => (count === 1 ? 0 : pauseAfter(count - 1, DOWN_BACKOFF));
/** How much of a round may go by with items of which a dependency is down, in milliseconds. */
const DOWN_PATIENCE_MS = 1000;
const MOST_REMEMBERED = 1000;

export interface Apart {
  /** Ids that failed and are not due again: exclude them from the query, or they fill its limit. */
  resting(): string[];
  /**
   * Works on each item separately. One that fails is logged, counted and skipped for a growing
   * time. A dependency that is down may be so for one item alone, as the master key of one identity
   * is: the others are tried as long as it costs little time, and the item rests for up to 30 s
   * from the second time on.
   * @throws the error of the first dependency that was down, at the end of the round
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
  const failures = new Map<string, { count: number; until: number; isDown: boolean }>();
  failed.inc({ sweeper }, 0);

  const remember = (id: string, isDown: boolean): void => {
    const former = failures.get(id);
    const count = (former?.isDown === isDown ? former.count : 0) + 1;
    const pauseMs = isDown ? pauseWhileDown(count) : pauseAfter(count, BACKOFF);
    failures.delete(id);
    failures.set(id, { count, until: elapsedMs() + pauseMs, isDown });
    const [longestKnown] = failures.keys();
    if (failures.size > MOST_REMEMBERED && longestKnown !== undefined) failures.delete(longestKnown);
  };
  const rests = (id: string): boolean => (failures.get(id)?.until ?? 0) > elapsedMs();

  /** Works on one item; gives the error of a dependency that is down. */
  const workOn = async (id: string, work: () => Promise<unknown>): Promise<unknown> => {
    try {
      await work();
      failures.delete(id);
      progressed();
    } catch (error) {
      const isDown = isDependencyDown(error);
      remember(id, isDown);
      if (isDown) return error;
      failed.inc({ sweeper });
      log.error({ msg: 'sweeper.item-failed', sweeper, itemId: id, error });
    }
    return undefined;
  };

  return {
    resting: () => [...failures.keys()].filter(rests),
    each: async (items, idOf, work) => {
      let down: unknown;
      let downMs = 0;
      for (const item of items) {
        const id = idOf(item);
        if (rests(id)) continue;
        const startedAt = elapsedMs();
        const error = await workOn(id, () => work(item));
        if (error === undefined) continue;
        down ??= error;
        downMs += elapsedMs() - startedAt;
        if (downMs >= DOWN_PATIENCE_MS) break;
      }
      if (down !== undefined) throw down;
    },
  };
};
