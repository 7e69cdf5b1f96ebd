import { setTimeout as pause } from 'node:timers/promises';
import type { Envelope } from '@assay/contracts';
import { type Clock, crashPoint, type Log, pauseAfter } from '@assay/runtime';
import type { ConsumeMessage } from 'amqplib';
import type { Acks } from './acks.ts';
import { REASON, sendingOn } from './headers.ts';
import { deadLettersOf } from './names.ts';
import type { Outgoing } from './outgoing.ts';
import { nearestRoom, Poison, RetryLater, type SettlementPlan, UnknownType } from './settlement.ts';
import type { WaitingCopies } from './waiting-copies.ts';

/** A message that is not settled, and how to answer the channel it came by. */
export interface Unsettled {
  acks: Pick<Acks, 'ack' | 'giveBack'>;
  message: ConsumeMessage;
  /** False once the channel is closed: the broker hands the message out again by itself. */
  isOpen(): boolean;
}

export interface Decided extends SettlementPlan {
  event?: Envelope<unknown>;
  error?: unknown;
  /** How long the handler took, if it ran. */
  durationMs?: number;
}

export interface SettleOptions {
  service: string;
  queue: string;
  rooms: readonly number[];
  /** Where a surplus goes. */
  surplusQueue?: string;
  outgoing: Pick<Outgoing, 'send' | 'sendLater'>;
  waiting: Pick<WaitingCopies, 'put'>;
  onGivenUp?: ((event: Envelope<unknown>, error: unknown) => Promise<void>) | undefined;
  now: Clock;
  log: Log;
  isClosing(): boolean;
  /** How often settling is tried before the message goes back to its queue. */
  attempts?: number;
}

const ATTEMPTS = 12;
const BACKOFF = { firstMs: 200, longestMs: 5000 };
const GIVING_UP_AGAIN_MS = 5000;

/** A class of failure, never a value: messages of drivers can carry documents. */
const reasonOf = (error: unknown): string => {
  if (error instanceof Poison || error instanceof UnknownType) return error.message;
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' || typeof code === 'number' ? `${error.name} ${code}` : error.name;
};

/**
 * Tells the broker what was decided about a message. What cannot be settled now is tried again for
 * a while; then the message goes back to its queue: it never holds its place among the messages in
 * hand for good. Resolves to false when the message went back.
 */
export const createSettle = (options: SettleOptions) => {
  const { service, queue, rooms, surplusQueue, outgoing, waiting, onGivenUp, now, log, isClosing } = options;
  const { attempts = ATTEMPTS } = options;

  const later = ({ message }: Unsettled, { tries }: Decided, ms: number): Promise<void> =>
    waiting.put(message, ms, () => outgoing.sendLater(queue, ms, message.content, sendingOn(message, tries)));

  const toDeadLetters = async ({ message }: Unsettled, { tries, error }: Decided): Promise<void> => {
    const headers = { ...tries, firstFailedAt: tries.firstFailedAt ?? now().getTime() };
    const publish = sendingOn(message, headers, { [REASON]: reasonOf(error) });
    await outgoing.send('', deadLettersOf(queue), message.content, publish);
  };

  const toSurplus = ({ message }: Unsettled, { tries }: Decided, to: string): Promise<void> =>
    outgoing.send('', to, message.content, sendingOn(message, tries));

  const giveUp = async (unsettled: Unsettled, decided: Decided): Promise<void> => {
    const { event, error } = decided;
    if (event && onGivenUp) {
      try {
        await onGivenUp(event, error);
      } catch (failure) {
        // No stable status could be left behind: the message comes back and is given up then.
        const ms = nearestRoom(rooms, failure instanceof RetryLater ? failure.delayMs : GIVING_UP_AGAIN_MS);
        log.warn({ msg: 'message.not-given-up', queue, messageId: event.id, error: failure });
        return later(unsettled, decided, ms);
      }
    }
    await toDeadLetters(unsettled, decided);
  };

  const once = async (unsettled: Unsettled, decided: Decided): Promise<void> => {
    const { message, acks } = unsettled;
    const { outcome, roomMs } = decided;
    if (outcome === 'acknowledged') crashPoint(`${service}.after-effect-before-ack`);
    else if (outcome === 'dead-letter') await giveUp(unsettled, decided);
    else if (outcome === 'parked') await toDeadLetters(unsettled, decided);
    else if (outcome === 'surplus' && surplusQueue) await toSurplus(unsettled, decided, surplusQueue);
    else if (outcome !== 'duplicate') await later(unsettled, decided, roomMs);
    if (unsettled.isOpen()) acks.ack(message);
  };

  return async (unsettled: Unsettled, decided: Decided): Promise<boolean> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await once(unsettled, decided);
        return true;
      } catch (error) {
        log.warn({ msg: 'message.not-settled', queue, outcome: decided.outcome, attempt, error });
        if (!unsettled.isOpen()) return false;
        if (attempt === attempts || isClosing()) {
          unsettled.acks.giveBack(unsettled.message);
          return false;
        }
        await pause(pauseAfter(attempt, BACKOFF));
      }
    }
  };
};
