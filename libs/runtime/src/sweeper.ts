import { isDependencyDown } from './dependency.ts';
import type { Log } from './log.ts';
import { counter } from './metrics.ts';
import { type Readiness, watchReadiness } from './readiness.ts';
import { asRound } from './round.ts';
import type { Closable } from './service.ts';

export interface SweeperOptions {
  name: string;
  everyMs: number;
  /**
   * The longest pause, in milliseconds: while rounds find nothing each pause is twice the former.
   * `everyMs` by default, so that pauses do not grow.
   */
  idleMs?: number;
  /**
   * One round; never runs twice at once in this process. Other replicas run their own: rounds take
   * leases. 'more' asks for the next round at once, 'nothing' tells that there was nothing to do.
   */
  run: () => Promise<unknown>;
  log: Log;
  /**
   * The process is not ready when no round has succeeded for so long, in milliseconds, and none
   * has dealt with an item; five of the longest pauses and at least two minutes by default. A
   * process that is only slow has to go on: started again it would be slower still.
   */
  allowedMs?: number;
}

export interface Sweeper extends Closable {
  /** Requests a round soon, because there is work. Pauses are short again. */
  wake(): void;
}

const rounds = counter('assay_sweeper_rounds_total', 'Rounds of sweepers by outcome', ['sweeper', 'outcome']);
const ALLOWED_MS = 120_000;
/** The longest pause after a round that failed: a seldom one is not due again for many minutes. */
const AFTER_FAILURE_MS = 30_000;
const ALLOWED_ROUNDS = 5;

/**
 * The pause between rounds: it grows while nothing is found, is short after a failure, and ends
 * early on request.
 */
const createPause = (everyMs: number, idleMs: number) => {
  let ms = everyMs;
  let end = (_afterMs: number): void => undefined;
  const begin = (): Promise<void> =>
    new Promise((resolve) => {
      const startedAt = performance.now();
      let timer = setTimeout(resolve, ms);
      end = (afterMs) => {
        clearTimeout(timer);
        timer = setTimeout(resolve, Math.max(0, afterMs - (performance.now() - startedAt)));
      };
    });
  return {
    begin,
    after: (result: unknown): void => {
      ms = result === 'nothing' ? Math.min(idleMs, ms * 2) : everyMs;
    },
    afterFailure: (): void => {
      ms = Math.min(everyMs, AFTER_FAILURE_MS);
    },
    /** Resets the growth. */
    shorten: (): void => {
      if (ms <= everyMs) return;
      ms = everyMs;
      end(everyMs);
    },
    end: (): void => end(0),
  };
};

/**
 * Repeats a round of work with a pause between rounds. A failing round is logged, and repeated
 * after half a minute at most; readiness reports it.
 */
export const startSweeper = ({
  name,
  everyMs,
  idleMs = everyMs,
  run,
  log,
  allowedMs = Math.max(ALLOWED_MS, ALLOWED_ROUNDS * idleMs),
}: SweeperOptions): Sweeper => {
  let closed = false;
  let progressedAt = performance.now();
  const onProgress = (): void => {
    progressedAt = performance.now();
  };
  let failure: unknown;
  const pause = createPause(everyMs, idleMs);
  const round = async (): Promise<unknown> => {
    try {
      const result = await asRound(run, onProgress);
      onProgress();
      failure = undefined;
      rounds.inc({ sweeper: name, outcome: 'succeeded' });
      pause.after(result);
      return result;
    } catch (error) {
      failure = error;
      pause.afterFailure();
      rounds.inc({ sweeper: name, outcome: 'failed' });
      log.error({ msg: 'sweeper.failed', sweeper: name, error });
      return undefined;
    }
  };
  const readiness = (): Readiness => {
    const ms = performance.now() - progressedAt;
    if (ms < allowedMs) return true;
    const seconds = Math.round(ms / 1000);
    const why = failure instanceof Error ? `the last one failed: ${failure.name}` : 'the last one has not ended';
    return { reason: `no round for ${seconds} s, ${why}`, isDependency: isDependencyDown(failure) };
  };
  for (const outcome of ['succeeded', 'failed']) rounds.inc({ sweeper: name, outcome }, 0);
  const unwatch = watchReadiness(`sweeper ${name}`, readiness);
  const loop = (async () => {
    let result: unknown;
    while (!closed) {
      if (result !== 'more') await pause.begin();
      if (closed) return;
      result = await round();
    }
  })();
  return {
    wake: pause.shorten,
    close: () => {
      closed = true;
      unwatch();
      pause.end();
      return loop;
    },
  };
};
