import type { Log } from './log.ts';
import type { Closable } from './service.ts';

export interface SweeperOptions {
  name: string;
  everyMs: number;
  /** One round; never runs twice at once in this process. Other replicas run their own: rounds take leases. */
  run: () => Promise<unknown>;
  log: Log;
}

/** Repeats a round of work with a pause between rounds. A failing round is logged and the next one tries again. */
export const startSweeper = ({ name, everyMs, run, log }: SweeperOptions): Closable => {
  let closed = false;
  let wake = (): void => undefined;
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, everyMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const rounds = (async () => {
    while (!closed) {
      await pause();
      if (!closed) await run().catch((error: unknown) => log.error({ msg: 'sweeper.failed', sweeper: name, error }));
    }
  })();
  return {
    close: () => {
      closed = true;
      wake();
      return rounds;
    },
  };
};
