import type { Channel, ConsumeMessage } from 'amqplib';

/** The messages that one channel brought, and the answers to them. */
export interface Acks {
  /** A message came; called for every one, in the order in which they came. */
  took(message: ConsumeMessage): void;
  /** It is done with. */
  ack(message: ConsumeMessage): void;
  /** It goes back to its queue. */
  giveBack(message: ConsumeMessage): void;
  /** Sends the acknowledgements that wait, now; nothing where the channel is closed. */
  flush(): void;
  /** How many came so far, and how many of them have no answer yet. */
  seen(): { given: number; unacknowledged: number };
}

interface Unacknowledged {
  message: ConsumeMessage;
  isDone: boolean;
}

/**
 * Acknowledges together what is done in one turn of the event loop: all that came first with one
 * frame (`multiple`), which a quorum queue writes once, the rest by itself. `multiple` answers
 * everything that came before, so whatever is still worked on ends the run.
 */
export const createAcks = (
  channel: Pick<Channel, 'ack' | 'nack'>,
  isOpen: () => boolean,
  soon: (work: () => void) => void = setImmediate,
): Acks => {
  /** What came and is not answered, in the order in which it came. */
  const unacknowledged = new Map<number, Unacknowledged>();
  let isAsked = false;
  let given = 0;

  const take = (done: Iterable<[number, Unacknowledged]>): ConsumeMessage[] => {
    const messages: ConsumeMessage[] = [];
    for (const [tag, { message }] of done) {
      unacknowledged.delete(tag);
      messages.push(message);
    }
    return messages;
  };

  const flush = (): void => {
    isAsked = false;
    if (!isOpen()) return;
    const all = [...unacknowledged];
    const firstLeft = all.findIndex(([, { isDone }]) => !isDone);
    const run = take(firstLeft < 0 ? all : all.slice(0, firstLeft)).at(-1);
    if (run) channel.ack(run, true);
    for (const message of take([...unacknowledged].filter(([, { isDone }]) => isDone))) channel.ack(message);
  };

  return {
    took: (message) => {
      given += 1;
      unacknowledged.set(message.fields.deliveryTag, { message, isDone: false });
    },
    ack: (message) => {
      const known = unacknowledged.get(message.fields.deliveryTag);
      if (!known) return;
      known.isDone = true;
      if (!isAsked) soon(flush);
      isAsked = true;
    },
    giveBack: (message) => {
      if (unacknowledged.delete(message.fields.deliveryTag)) channel.nack(message, false, true);
    },
    flush,
    seen: () => ({ given, unacknowledged: unacknowledged.size }),
  };
};
