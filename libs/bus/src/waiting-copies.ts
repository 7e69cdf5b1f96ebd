import type { ConsumeMessage } from 'amqplib';

/** The messages of a queue that this process put into a waiting room and that are still there. */
export interface WaitingCopies {
  /** A copy of this message is in a waiting room: whatever becomes of this one, that one comes. */
  has(message: ConsumeMessage): boolean;
  /**
   * Puts a message into a waiting room with `send`, unless a copy of it is there already. Resolves
   * once one copy is confirmed to be there.
   * @throws what `send` throws
   */
  put(message: ConsumeMessage, ms: number, send: () => Promise<void>): Promise<void>;
}

const MOST_REMEMBERED = 10_000;
/**
 * The clocks of the broker and of this process may differ in speed: a copy is taken to be in its
 * waiting room for less than the whole time, never for longer.
 */
const SAFE_SHARE = 0.9;

/**
 * Remembers what waits, so that each message waits once. A broker delivers at least once: were each
 * copy of a message put into a waiting room, every wait would multiply the copies.
 */
export const createWaitingCopies = (): WaitingCopies => {
  /** Until when a copy of the message waits, by `performance.now()`; the oldest entry first. */
  const waitingUntil = new Map<string, number>();
  const beingSent = new Map<string, Promise<void>>();
  const idOf = ({ properties, fields }: ConsumeMessage): string | undefined =>
    properties.messageId && `${properties.type ?? fields.routingKey} ${properties.messageId}`;

  const waits = (id: string | undefined): boolean =>
    id !== undefined && performance.now() < (waitingUntil.get(id) ?? Number.NEGATIVE_INFINITY);

  const remember = (id: string, until: number): void => {
    waitingUntil.delete(id);
    waitingUntil.set(id, until);
    const oldest = waitingUntil.size > MOST_REMEMBERED && waitingUntil.keys().next().value;
    if (oldest) waitingUntil.delete(oldest);
  };

  const sendAs = (id: string, ms: number, send: () => Promise<void>): Promise<void> => {
    const sentAt = performance.now();
    const sending = send()
      .then(() => remember(id, sentAt + ms * SAFE_SHARE))
      .finally(() => beingSent.delete(id));
    beingSent.set(id, sending);
    return sending;
  };

  return {
    has: (message) => waits(idOf(message)),
    put: async (message, ms, send) => {
      const id = idOf(message);
      if (id === undefined) return send();
      // Another copy is not confirmed yet: if it fails, this one is sent.
      for (let other = beingSent.get(id); other; other = beingSent.get(id)) await other.catch(() => undefined);
      if (!waits(id)) await sendAs(id, ms, send);
    },
  };
};
