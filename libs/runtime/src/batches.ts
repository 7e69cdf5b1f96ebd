export interface BatchOptions<T> {
  /**
   * Handles several items at once. If that fails, each item is tried separately, so that a bad one
   * fails alone.
   */
  work: (items: readonly T[]) => Promise<void>;
  /** How long the first item of a batch waits for others, in milliseconds. */
  lingerMs: number;
  /** A batch of this size waits no longer. */
  most: number;
}

export interface Batches<T> {
  /** Resolves once the item's batch is done. */
  add(item: T): Promise<void>;
  /** Handles the waiting items now. Never rejects: each caller gets the result of its own item. */
  flush(): Promise<void>;
}

interface Waiting<T> {
  item: T;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Collects items for a short while and handles them together. Each caller waits for its own item:
 * nothing is acknowledged before it is handled.
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
