import { RetryLater } from '@assay/bus';
import { createAttemptLimit } from './attempt-limit.ts';

const CHANNELS = 2;
/** So many messages of a channel go out at once. */
const AT_ONCE = 10;
/** So many of a channel go out or wait for that; the others come back later. */
const MOST_OF_CHANNEL = 200;
/** About as long as those take where the provider answers. */
const SOON_MS = 5000;
/** Where it has sent nothing lately, there will hardly be a place sooner. */
const LATER_MS = 30_000;
const LATELY_MS = 10_000;

/**
 * How many messages a consumer has to take at once, so that a channel whose provider hangs leaves
 * places for the other.
 */
export const MESSAGES_AT_ONCE = 500;

/**
 * Handles so many messages of each channel at once. A message that waits is looked at when it may
 * go out: its code may have expired by then.
 */
export const createSendingLimit = () => {
  const limit = createAttemptLimit(AT_ONCE, AT_ONCE * CHANNELS);
  const taken = { EMAIL: 0, MOBILE: 0 };
  const sentAt = { EMAIL: Number.NEGATIVE_INFINITY, MOBILE: Number.NEGATIVE_INFINITY };
  const later = (channel: keyof typeof taken): RetryLater => {
    const isSending = performance.now() - sentAt[channel] < LATELY_MS;
    return new RetryLater('other messages of the channel go out first', isSending ? SOON_MS : LATER_MS);
  };

  const whenFree = async (channel: keyof typeof taken, handle: () => Promise<void>): Promise<void> => {
    if (!(await limit.enter(channel))) throw later(channel);
    await handle().finally(() => limit.leave(channel));
    sentAt[channel] = performance.now();
  };

  return {
    within: async (channel: keyof typeof taken, handle: () => Promise<void>): Promise<void> => {
      if (taken[channel] >= MOST_OF_CHANNEL) throw later(channel);
      taken[channel] += 1;
      await whenFree(channel, handle).finally(() => {
        taken[channel] -= 1;
      });
    },
    /** Messages that wait come back later. */
    close: async (): Promise<void> => limit.close(),
  };
};
