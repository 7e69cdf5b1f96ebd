import { type Clock, type Log, type Sweeper, startSweeper } from '@assay/runtime';
import type { IdempotencyKeys, Owned } from '../store/idempotency-keys.ts';

export interface Deps {
  locks: Pick<IdempotencyKeys, 'renew'>;
  now: Clock;
  log: Log;
  /** Well below the lease of a lock. */
  everyMs?: number;
}

/** A lock is renewed from now on, until the function it returns is called. */
export type RenewWhileRunning = (owned: Owned) => () => void;

const RENEWED_EVERY_MS = 1500;

/**
 * Renews the locks of all requests that run, with one command for all. A command for each would
 * keep an overloaded database busy with the locks of the requests that wait for it, and never let
 * it recover.
 */
export const createLockRenewal = ({ locks, now, log, everyMs = RENEWED_EVERY_MS }: Deps): RenewWhileRunning => {
  const running = new Set<Owned>();
  let renewing: Sweeper | undefined;
  return (owned) => {
    running.add(owned);
    renewing ??= startSweeper({
      name: 'idempotency locks',
      everyMs,
      run: () => locks.renew([...running], now()),
      log,
    });
    return () => {
      running.delete(owned);
      if (running.size > 0) return;
      void renewing?.close();
      renewing = undefined;
    };
  };
};
