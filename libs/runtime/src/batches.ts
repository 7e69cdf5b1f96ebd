export interface BatchOptions<T> {
  /**
   * Does what is asked for several items at once. Where it fails, each item is tried by itself: a
   * bad one fails alone.
   */
  work: (items: readonly T[]) => Promise<void>;
  /** How long the first item of a batch waits for others, in milliseconds. */
  lingerMs: number;
  /** A batch of so many waits no longer. */
  most: number;
}

export interface Batches<T> {
  /** Resolves once the item's batch is done. */
  add(item: T): Promise<void>;
  /** Does what waits, now. Never rejects: whoever asked hears what came of it. */
  flush(): Promise<void>;
}

interface Waiting<T> {
  item: T;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Gathers what is asked within a short while and does it together. Each caller waits for its own
 * item: nothing is acknowledged before it is done.
 */
export const createBatches = <T>({ work, lingerMs, most }: BatchOptions<T>): Batches<T> => {
  let waiting: Waiting<T>[] = [];
  let timer: NodeJS.Timeout | undefined;

  const doEach = (batch: readonly Waiting<T>[]): Promise<unknown> =>
    Promise.all(batch.map(({ item, resolve, reject }) => work([item]).then(resolve, reject)));

  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = [];
    if (batch.length < 2) return void (await doEach(batch));
    await work(batch.map(({ item }) => item)).then(
      () => {
        for (const { resolve } of batch) resolve();
      },
      () => doEach(batch),
    );
  };

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (waiting.length >= most) void flush();
        else timer ??= setTimeout(() => void flush(), lingerMs);
      }),
    flush,
  };
};
