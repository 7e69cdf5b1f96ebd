/**
 * Lets everybody through until a dependency fails or several messages in a row do; then one at a
 * time, with a growing pause between attempts, until one succeeds. So an outage is probed with
 * single messages instead of driving a whole queue through its retries.
 */
export interface Gate {
  /**
   * Resolves when this message may be handled. 'waited' when it waited too long: it should not be
   * handled now.
   */
  enter(): Promise<'enter' | 'waited' | 'closed'>;
  /** Says how the attempt went; opens or narrows the gate. */
  leave(how: 'succeeded' | 'failed' | 'down'): void;
  isNarrow(): boolean;
  /** Lets everybody out: the consumer is closing. */
  close(): void;
}

export interface GateOptions {
  firstPauseMs?: number;
  longestPauseMs?: number;
  /** Failures in a row that narrow the gate. */
  failures?: number;
  /**
   * The longest wait of one message, in milliseconds; well below the time the broker gives a
   * consumer (30 minutes).
   */
  longestWaitMs?: number;
}

/** The messages that wait, in order, each for a limited time. */
const createWaitingLine = (longestWaitMs: number) => {
  const waiting = new Set<() => void>();
  return {
    wait: (): Promise<'go' | 'waited'> =>
      new Promise((resolve) => {
        const end = (how: 'go' | 'waited') => (): void => {
          clearTimeout(limit);
          waiting.delete(go);
          resolve(how);
        };
        const go = end('go');
        const limit = setTimeout(end('waited'), longestWaitMs).unref();
        waiting.add(go);
      }),
    letNextIn: (): void => {
      const [next] = waiting;
      next?.();
    },
    letAllIn: (): void => {
      for (const go of [...waiting]) go();
    },
  };
};

export const createGate = ({
  firstPauseMs = 250,
  longestPauseMs = 5000,
  failures = 5,
  longestWaitMs = 600_000,
}: GateOptions = {}): Gate => {
  let narrow = false;
  let busy = false;
  let closed = false;
  let pause = firstPauseMs;
  let inARow = 0;
  let timer: NodeJS.Timeout | undefined;
  const line = createWaitingLine(longestWaitMs);

  const letNextIn = (): void => {
    timer = undefined;
    busy = false;
    line.letNextIn();
  };
  const narrowDown = (): void => {
    narrow = true;
    busy = true;
    // Several that were let in before may fail now: together they are one failure.
    if (timer) return;
    timer = setTimeout(letNextIn, pause).unref();
    pause = Math.min(pause * 2, longestPauseMs);
  };

  return {
    enter: async () => {
      while (narrow && busy && !closed) if ((await line.wait()) === 'waited') return 'waited';
      if (closed) return 'closed';
      if (narrow) busy = true;
      return 'enter';
    },
    leave: (how) => {
      inARow = how === 'succeeded' ? 0 : inARow + 1;
      if (how === 'down' || inARow >= failures) return narrowDown();
      if (how === 'failed' && narrow) return narrowDown();
      if (!narrow) return;
      clearTimeout(timer);
      timer = undefined;
      narrow = false;
      busy = false;
      pause = firstPauseMs;
      line.letAllIn();
    },
    isNarrow: () => narrow,
    close: () => {
      closed = true;
      line.letAllIn();
    },
  };
};
