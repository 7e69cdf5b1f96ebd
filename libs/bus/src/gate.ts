/**
 * Lets everybody through until a dependency fails; then one at a time, with a growing pause between attempts, until one succeeds. So an outage is
 * probed with single messages instead of driving a whole queue through its retries.
 */
export interface Gate {
  enter(): Promise<void>;
  /** Says how the attempt went; opens or narrows the gate. */
  leave(dependencyDown: boolean): void;
  /** Lets everybody out: the consumer is closing. */
  close(): void;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

export const createGate = (): Gate => {
  let narrow = false;
  let busy = false;
  let closed = false;
  let pause = FIRST_PAUSE_MS;
  let waiting: (() => void)[] = [];

  const letNextIn = (): void => {
    busy = false;
    waiting.shift()?.();
  };
  return {
    enter: async () => {
      while (narrow && busy && !closed) await new Promise<void>((resolve) => waiting.push(resolve));
      if (narrow) busy = true;
    },
    leave: (dependencyDown) => {
      if (dependencyDown) {
        narrow = true;
        busy = true;
        setTimeout(letNextIn, pause).unref();
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
        return;
      }
      if (!narrow) return;
      narrow = false;
      busy = false;
      pause = FIRST_PAUSE_MS;
      const all = waiting;
      waiting = [];
      for (const go of all) go();
    },
    close: () => {
      closed = true;
      for (const go of waiting) go();
      waiting = [];
    },
  };
};
