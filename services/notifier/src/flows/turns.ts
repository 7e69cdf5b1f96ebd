/**
 * Who may send now. A receiver is sent a few webhooks at once, so that one that hangs takes no
 * connection of another; the others wait for their turn, in the order in which they came.
 */
export interface Turns {
  /** Waits for a turn; false where there will be none, because the process is closing. */
  enter(tenantId: string): Promise<boolean>;
  leave(tenantId: string): void;
  /** Sends away those who wait. */
  close(): void;
}

interface Lane {
  sending: number;
  waiting: ((isTurn: boolean) => void)[];
}

export const createTurns = (perEndpoint: number, overall: number): Turns => {
  const lanes = new Map<string, Lane>();
  let sending = 0;
  let isClosed = false;

  const letIn = (lane: Lane): boolean => {
    if (sending >= overall || lane.sending >= perEndpoint) return false;
    const next = lane.waiting.shift();
    if (!next) return false;
    lane.sending += 1;
    sending += 1;
    next(true);
    return true;
  };
  /** All places were taken: the receivers have the one that became free by turns. */
  const letAnyIn = (): void => {
    for (const [tenantId, lane] of lanes) {
      if (!letIn(lane)) continue;
      lanes.delete(tenantId);
      lanes.set(tenantId, lane);
      return;
    }
  };

  return {
    enter: (tenantId) => {
      if (isClosed) return Promise.resolve(false);
      const lane = lanes.get(tenantId) ?? { sending: 0, waiting: [] };
      lanes.set(tenantId, lane);
      return new Promise((resolve) => {
        lane.waiting.push(resolve);
        letIn(lane);
      });
    },
    leave: (tenantId) => {
      const lane = lanes.get(tenantId);
      if (!lane) return;
      const wasFull = sending >= overall;
      lane.sending -= 1;
      sending -= 1;
      if (wasFull) letAnyIn();
      else letIn(lane);
      if (lane.sending === 0 && lane.waiting.length === 0) lanes.delete(tenantId);
    },
    close: () => {
      isClosed = true;
      for (const lane of lanes.values()) for (const sendAway of lane.waiting.splice(0)) sendAway(false);
    },
  };
};
