import type { Send } from '../clients/sms.ts';
import { createAttemptLimit } from './attempt-limit.ts';

/** So many messages of a channel go out at once. */
const AT_ONCE = 10;
/** So many of a channel may be in hand; the others are tried again later. */
const MOST_IN_HAND = 200;

type Senders = Partial<Record<'EMAIL' | 'MOBILE', Send>>;

/**
 * How many messages a consumer has to take at once, so that a channel whose provider hangs leaves
 * places for the other.
 */
export const MESSAGES_IN_HAND = 500;

/** The senders, each with as many messages at once as its channel may have; the others wait. */
export const limitSending = (senders: Senders) => {
  const limit = createAttemptLimit(AT_ONCE, AT_ONCE * 2);
  const limited = (channel: string, send: Send): Send => {
    let inHand = 0;
    const sendWhenFree: Send = async (message) => {
      if (!(await limit.enter(channel))) return 'unavailable';
      return send(message).finally(() => limit.leave(channel));
    };
    return async (message) => {
      if (inHand >= MOST_IN_HAND) return 'unavailable';
      inHand += 1;
      return sendWhenFree(message).finally(() => {
        inHand -= 1;
      });
    };
  };
  const entries = Object.entries(senders).map(([channel, send]) => [channel, limited(channel, send)]);
  return {
    senders: Object.fromEntries(entries) as Senders,
    /** Those that wait are tried again later. */
    close: async (): Promise<void> => limit.close(),
  };
};
