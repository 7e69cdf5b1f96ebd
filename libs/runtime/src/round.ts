import { AsyncLocalStorage } from 'node:async_hooks';

const rounds = new AsyncLocalStorage<true>();

/**
 * Runs one round of a sweeper: what it does is told apart from what a client or a message caused.
 */
export const asRound = <T>(run: () => T): T => rounds.run(true, run);

/** True within a round of a sweeper, false in work for a client or a message. */
export const isInRound = (): boolean => rounds.getStore() === true;
