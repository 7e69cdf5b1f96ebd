import { EventEmitter } from 'node:events';
import { type Broker, BrokerError, type Message, type Taker } from './broker.ts';
import type { Line } from './line.ts';

interface Unacknowledged {
  queue: string;
  message: Message;
}

/**
 * One channel, at both of its ends: the messages it delivered, its consumers, and whether it is
 * open.
 */
export interface Asking {
  events: EventEmitter;
  unanswered: Map<number, Unacknowledged>;
  takers: Map<string, { queue: string; taker: Taker }>;
  isOpen(): boolean;
  /** Asks the broker for something. A refusal closes the channel. */
  ask<T>(label: string, work: () => T): Promise<T>;
  /** Sends the broker something that it does not answer. */
  notify(label: string, work: () => void): void;
  close(): Promise<void>;
  /** The broker closes it. */
  closeThere(): void;
}

const closed = (): Error => new Error('Channel closed');

const attempt = <T>(work: () => T): T | BrokerError => {
  try {
    return work();
  } catch (error) {
    if (error instanceof BrokerError) return error;
    throw error;
  }
};

export const createAsking = (broker: Broker, line: Line): Asking => {
  const events = new EventEmitter();
  const unanswered: Asking['unanswered'] = new Map();
  const takers: Asking['takers'] = new Map();
  const waiting = new Set<(error: Error) => void>();
  let [isOpen, isOpenThere] = [true, true];

  /** At the broker: consumers end, and unacknowledged messages return to their queues. */
  const endThere = (): void => {
    if (!isOpenThere) return;
    isOpenThere = false;
    for (const { queue, taker } of takers.values()) broker.drop(queue, taker);
    const left = [...unanswered.values()];
    unanswered.clear();
    for (const queue of new Set(left.map((one) => one.queue))) {
      const messages = left.filter((one) => one.queue === queue).map(({ message }) => message);
      broker.takeBack(queue, messages, true);
    }
  };
  const endHere = (error?: BrokerError): void => {
    if (!isOpen) return;
    isOpen = false;
    for (const fail of [...waiting]) fail(error ?? closed());
    if (error) events.emit('error', error);
    events.emit('close');
  };
  line.onClosedThere(endThere);
  line.onClosedHere(() => endHere());

  const ask = <T>(label: string, work: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      if (!isOpen || line.isCut()) return reject(closed());
      waiting.add(reject);
      const settle = (how: () => void) =>
        line.back(`${label} done`, () => {
          waiting.delete(reject);
          how();
        });
      line.there(label, () => {
        if (!isOpenThere) return;
        const result = attempt(work);
        if (!(result instanceof BrokerError)) return settle(() => resolve(result));
        endThere();
        settle(() => {
          reject(result);
          endHere(result);
        });
      });
    });

  return {
    ...{ events, unanswered, takers, ask },
    closeThere: () => {
      endThere();
      line.back('channel closed', () => endHere(new BrokerError(541, 'internal error')));
    },
    isOpen: () => isOpen,
    notify: (label, work) => {
      if (!isOpen) throw closed();
      line.there(label, () => {
        if (isOpenThere) work();
      });
    },
    close: async () => {
      if (!isOpen) throw closed();
      await ask('close channel', endThere);
      endHere();
    },
  };
};
