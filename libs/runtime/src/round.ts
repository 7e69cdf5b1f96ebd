import { AsyncLocalStorage } from 'node:async_hooks';

const rounds = new AsyncLocalStorage<() => void>();
let running = 0;

/**
 * Runs one round of a sweeper: what it does can be separated from what a client or a message
 * caused. `onProgress` is called whenever the round has dealt with one of its items.
 */
export const asRound = <T>(run: () => Promise<T>, onProgress: () => void): Promise<T> => {
  running += 1;
  return rounds
    .run(onProgress, async () => run())
    .finally(() => {
      running -= 1;
      // Until then Node 20 follows every promise of the process: each costs twice as much.
      if (running === 0) rounds.disable();
    });
};

/** True within a round of a sweeper, false in work for a client or a message. */
export const isInRound = (): boolean => rounds.getStore() !== undefined;

/** Reports progress to the sweeper of this round; does nothing outside a round. */
export const progressed = (): void => rounds.getStore()?.();
