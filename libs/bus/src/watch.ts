import type { Channel } from 'amqplib';

/** What is seen of a subscribed queue at one time. */
export interface Look {
  /** Consumers that the broker knows, of any process. */
  consumers: number;
  /** Messages that wait to be handed out. */
  waiting: number;
  /** Messages that this subscription was given so far, and those among them without an answer. */
  given: number;
  unacknowledged: number;
}

const isIdle = (look: Look): boolean => look.waiting > 0 && look.unacknowledged === 0;

/**
 * Why a subscription brings nothing any more though nobody cancelled it. A queue that is deleted
 * and declared again at once has none of its consumers, and the broker may not say so.
 */
export const whyUnusable = (before: Look | undefined, now: Look): string | undefined => {
  if (now.consumers === 0) return 'the broker knows no consumer of the queue';
  const isPassedOver = before !== undefined && isIdle(before) && isIdle(now) && before.given === now.given;
  return isPassedOver ? 'messages wait and none is handed out' : undefined;
};

export interface WatchDeps {
  channel: Pick<Channel, 'checkQueue' | 'once'>;
  queue: string;
  everyMs: number;
  /** Messages delivered so far, and those not acknowledged yet. */
  seen(): Pick<Look, 'given' | 'unacknowledged'>;
  unusable(reason: string): void;
}

/** Asks the broker again and again whether the subscription exists, until its channel closes. */
export const watchSubscription = ({ channel, queue, everyMs, seen, unusable }: WatchDeps): void => {
  let before: Look | undefined;
  const look = async (): Promise<void> => {
    const { consumerCount, messageCount } = await channel.checkQueue(queue);
    const now = { consumers: consumerCount, waiting: messageCount, ...seen() };
    const reason = whyUnusable(before, now);
    before = now;
    if (reason !== undefined) unusable(reason);
  };
  // A queue that is missing closes the channel, and that is heard by whoever opened it.
  const timer = setInterval(() => void look().catch(() => undefined), everyMs);
  timer.unref();
  channel.once('close', () => clearInterval(timer));
};
