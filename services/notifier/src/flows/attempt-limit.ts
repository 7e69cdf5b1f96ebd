/**
 * How many attempts are made at once: a few for each receiver or channel, so that one that hangs
 * takes no connection from another. The other attempts wait, in the order in which they came.
 */
export interface AttemptLimit {
  /** Waits until the attempt may begin. False if it never may, because the process closes. */
  enter(receiver: string): Promise<boolean>;
  /** The attempt has ended. */
  leave(receiver: string): void;
  /** Answers false to those who wait. */
  close(): void;
}

interface Queue {
  running: number;
  waiting: ((mayBegin: boolean) => void)[];
}

export const createAttemptLimit = (perEndpoint: number, overall: number): AttemptLimit => {
  const queues = new Map<string, Queue>();
  let running = 0;
  let isClosed = false;

  const letIn = (queue: Queue): boolean => {
    if (running >= overall || queue.running >= perEndpoint) return false;
    const next = queue.waiting.shift();
    if (!next) return false;
    queue.running += 1;
    running += 1;
    next(true);
    return true;
  };
  /** All places were taken: receivers get the places that become free one after another. */
  const letAnyIn = (): void => {
    for (const [receiver, queue] of queues) {
      if (!letIn(queue)) continue;
      queues.delete(receiver);
      queues.set(receiver, queue);
      return;
    }
  };

  return {
    enter: (receiver) => {
      if (isClosed) return Promise.resolve(false);
      const queue = queues.get(receiver) ?? { running: 0, waiting: [] };
      queues.set(receiver, queue);
      return new Promise((resolve) => {
        queue.waiting.push(resolve);
        letIn(queue);
      });
    },
    leave: (receiver) => {
      const queue = queues.get(receiver);
      if (!queue) return;
      const wasFull = running >= overall;
      queue.running -= 1;
      running -= 1;
      if (wasFull) letAnyIn();
      else letIn(queue);
      if (queue.running === 0 && queue.waiting.length === 0) queues.delete(receiver);
    },
    close: () => {
      isClosed = true;
      for (const queue of queues.values()) for (const sendAway of queue.waiting.splice(0)) sendAway(false);
    },
  };
};
