/**
 * Who may send now. A receiver is sent a few webhooks at once, so that a receiver that hangs takes
 * no connection from another. The others wait for their turn, in the order in which they came.
 */
export interface Turns {
  /** Waits for a turn. False where none will come because the process closes. */
  enter(tenantId: string): Promise<boolean>;
  leave(tenantId: string): void;
  /** Answers false to those who wait. */
  close(): void;
}

interface Queue {
  sending: number;
  waiting: ((isTurn: boolean) => void)[];
}

export const createTurns = (perEndpoint: number, overall: number): Turns => {
  const queues = new Map<string, Queue>();
  let sending = 0;
  let isClosed = false;

  const letIn = (queue: Queue): boolean => {
    if (sending >= overall || queue.sending >= perEndpoint) return false;
    const next = queue.waiting.shift();
    if (!next) return false;
    queue.sending += 1;
    sending += 1;
    next(true);
    return true;
  };
  /** All places were taken: receivers get the places that become free one after another. */
  const letAnyIn = (): void => {
    for (const [tenantId, queue] of queues) {
      if (!letIn(queue)) continue;
      queues.delete(tenantId);
      queues.set(tenantId, queue);
      return;
    }
  };

  return {
    enter: (tenantId) => {
      if (isClosed) return Promise.resolve(false);
      const queue = queues.get(tenantId) ?? { sending: 0, waiting: [] };
      queues.set(tenantId, queue);
      return new Promise((resolve) => {
        queue.waiting.push(resolve);
        letIn(queue);
      });
    },
    leave: (tenantId) => {
      const queue = queues.get(tenantId);
      if (!queue) return;
      const wasFull = sending >= overall;
      queue.sending -= 1;
      sending -= 1;
      if (wasFull) letAnyIn();
      else letIn(queue);
      if (queue.sending === 0 && queue.waiting.length === 0) queues.delete(tenantId);
    },
    close: () => {
      isClosed = true;
      for (const queue of queues.values()) for (const sendAway of queue.waiting.splice(0)) sendAway(false);
    },
  };
};
