import { AsyncLocalStorage } from 'node:async_hooks';

const rounds = new AsyncLocalStorage<() => void>();

/**
 * Runs one round of a sweeper: what it does is told apart from what a client or a message caused.
 * `onProgress` is called whenever the round has dealt with one of its items.
 */
export const asRound = <T>(run: () => T, onProgress: () => void): T => rounds.run(onProgress, run);

/** True within a round of a sweeper, false in work for a client or a message. */
export const isInRound = (): boolean => rounds.getStore() !== undefined;

/** Tells the sweeper whose round this is that it gets on; does nothing outside a round. */
export const progressed = (): void => rounds.getStore()?.();
