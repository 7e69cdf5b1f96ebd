import { setTimeout as pause } from 'node:timers/promises';
import { formatDateTime, QUEUES } from '@assay/contracts';
import { table } from '@assay/contracts/table';
import type { Channel, ChannelModel, ConsumeMessage, GetMessage } from 'amqplib';
import { REASON, triesOf } from './headers.ts';
import { deadLettersOf } from './names.ts';
import type { Outgoing } from './outgoing.ts';
import { NotPublished, Unroutable } from './publisher.ts';
import { type Await, onOwnChannel } from './topology.ts';

/** What is shown of a dead letter: never its data. */
export interface DeadLetter {
  messageId?: string;
  type?: string;
  tenantId?: string;
  identityId?: string;
  reason: string;
  /** UTC, without a zone, as all times on the wire. */
  firstFailedAt?: string;
}

/**
 * The dead letters of the suite. `queue` is the name in the topology, as `list` tells it; undefined
 * comes back for a queue that does not exist.
 */
export interface DeadLetters {
  /** Queues that have some. */
  list(): Promise<{ queue: string; count: number }[]>;
  /** The oldest ones, left where they are. */
  peek(queue: string, limit?: number): Promise<DeadLetter[] | undefined>;
  /**
   * Hands them to their queue again, as new messages with the same id; the oldest first. Returns
   * how many.
   */
  replay(queue: string, limit?: number): Promise<number | undefined>;
  /** Removes them all. Returns how many. */
  remove(queue: string): Promise<number | undefined>;
}

export interface DeadLettersOptions {
  model(): Promise<ChannelModel>;
  outgoing: Pick<Outgoing, 'send'>;
  namespace: string;
  /** How long the broker may take for one answer, in milliseconds. */
  answerMs: number;
}

/**
 * Messages that are on their way to their queue at a time. A channel of RabbitMQ holds back what is
 * beyond 32 acknowledgements to a quorum queue, and forgets it when it is closed: those letters
 * would be in both queues.
 */
const REPLAYED_TOGETHER = 25;
const PEEK_LIMIT = 100;
const MOST_PEEKED = 1000;
const PUT_BACK_MS = 20;
const PUT_BACK_LOOKS = 50;

const BROKER_REASONS = table<string>({
  delivery_limit: 'handed out too often without an answer: its consumer may have died each time',
  rejected: 'rejected',
  expired: 'waited too long',
  maxlen: 'the queue was full',
});

interface Death {
  reason?: string;
  time?: { value?: number };
}

const fieldsOf = (content: Buffer): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(content.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};

// Ids of ours have this shape; anything else in their place is not repeated.
const ID = /^[A-Za-z0-9_-]{20,64}$/;
const TYPE = /^[a-z][a-z.-]{0,63}$/;
const shaped = (value: unknown, shape: RegExp): string | undefined =>
  typeof value === 'string' && shape.test(value) ? value : undefined;

/** The first time from which no date has the form of times on the wire. */
const NO_TIME = Date.UTC(10_000, 0);

// Headers may be anybody's: one message that cannot be shown would hide all others.
const deathOf = (deaths: unknown): Death | undefined =>
  Array.isArray(deaths)
    ? ((deaths as (Death | null)[]).find((death) => death && death.reason !== 'expired') ?? undefined)
    : undefined;

const toDeadLetter = (message: GetMessage): DeadLetter => {
  const { properties, content } = message;
  const fields = fieldsOf(content);
  const death = deathOf(properties.headers?.['x-death']);
  const reason = properties.headers?.[REASON] ?? BROKER_REASONS[death?.reason ?? ''] ?? death?.reason;
  const at = triesOf(message as unknown as ConsumeMessage).firstFailedAt ?? (Number(death?.time?.value) || 0) * 1000;
  const known = {
    messageId: shaped(properties.messageId, ID),
    type: shaped(properties.type, TYPE),
    tenantId: shaped(fields.tenantId, ID),
    identityId: shaped(fields.identityId, ID),
    firstFailedAt: at > 0 && at < NO_TIME ? formatDateTime(new Date(at)) : undefined,
  };
  const shown = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
  return { ...shown, reason: String(reason ?? 'unknown') };
};

/**
 * A broker that does not answer, or is lost meanwhile, is away. So is one that refuses, or has no
 * queue: what is asked for is the suite's own, and was there before.
 */
const away = (error: unknown): NotPublished =>
  error instanceof NotPublished && !(error instanceof Unroutable)
    ? error
    : new NotPublished('not answered', { cause: error });

/** Waits for the broker's answers. */
const createAwait =
  (answerMs: number): Await =>
  async (ask) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new NotPublished(`no answer within ${answerMs} ms`)), answerMs);
    });
    try {
      return await Promise.race([ask(), late]);
    } catch (error) {
      throw away(error);
    } finally {
      clearTimeout(timer);
    }
  };

/** The oldest `most` of a queue, not acknowledged. */
const take = async (channel: Channel, queue: string, most: number, answer: Await): Promise<GetMessage[]> => {
  const taken: GetMessage[] = [];
  while (taken.length < most) {
    const message = await answer(() => channel.get(queue));
    if (!message) break;
    taken.push(message);
  }
  return taken;
};

/** Sends the first `most` dead letters of `queue` to it again; says how many there were. */
const replayTo = async (
  channel: Channel,
  { outgoing, answer }: { outgoing: Pick<Outgoing, 'send'>; answer: Await },
  queue: string,
  most: number,
): Promise<number> => {
  const replay = async (message: GetMessage): Promise<void> => {
    const { messageId, type, contentType } = message.properties;
    await outgoing.send('', queue, message.content, { persistent: true, messageId, type, contentType });
    channel.ack(message);
  };
  for (let replayed = 0; ; ) {
    const together = Math.min(REPLAYED_TOGETHER, most - replayed);
    const taken = await take(channel, deadLettersOf(queue), together, answer);
    const results = await Promise.allSettled(taken.map(replay));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw away(failed.reason);
    replayed += taken.length;
    if (taken.length < together || replayed >= most) return replayed;
  }
};

/** Looks at dead letters, hands them to their queues again, removes them. */
export const createDeadLetters = ({ model, outgoing, namespace, answerMs }: DeadLettersOptions): DeadLetters => {
  const answer = createAwait(answerMs);
  const nameOf = (queue: string): string | undefined => {
    const name = queue.replace(/\.dead$/, '');
    return Object.hasOwn(QUEUES, name) ? `${namespace}${name}` : undefined;
  };
  const onChannel = async <T>(work: Parameters<typeof onOwnChannel<T>>[1]): Promise<T> =>
    onOwnChannel(await model(), work, answer);
  const countOf = (queue: string): Promise<number> =>
    onChannel(async (channel) => (await answer(() => channel.checkQueue(deadLettersOf(queue)))).messageCount).catch(
      (error: unknown) => {
        // Not declared yet: it has none.
        if ((error as { cause?: { code?: unknown } }).cause?.code === 404) return 0;
        throw error;
      },
    );

  return {
    list: async () => {
      const items: { queue: string; count: number }[] = [];
      for (const name of Object.keys(QUEUES)) {
        const count = await countOf(`${namespace}${name}`);
        if (count > 0) items.push({ queue: name, count });
      }
      return items;
    },

    peek: async (name, limit = PEEK_LIMIT) => {
      const queue = nameOf(name);
      if (!queue) return undefined;
      const before = await countOf(queue);
      const most = Math.min(limit, MOST_PEEKED, before);
      const items = await onChannel(async (channel) => {
        const taken = await take(channel, deadLettersOf(queue), most, answer);
        if (taken.length > 0) await answer(async () => channel.nackAll(true));
        return taken.map(toDeadLetter);
      });
      // The broker puts them back in its own time: whoever looks next is to find them.
      for (let n = 0; n < PUT_BACK_LOOKS && (await countOf(queue)) < before; n += 1) await pause(PUT_BACK_MS);
      return items;
    },

    replay: async (name, limit = Number.POSITIVE_INFINITY) => {
      const queue = nameOf(name);
      if (!queue) return undefined;
      // Counted before: one that fails again and comes back is not replayed once more.
      const most = Math.min(limit, await countOf(queue));
      return onChannel((channel) => replayTo(channel, { outgoing, answer }, queue, most));
    },

    remove: async (name) => {
      const queue = nameOf(name);
      if (!queue) return undefined;
      if ((await countOf(queue)) === 0) return 0;
      return onChannel(async (channel) => (await answer(() => channel.purgeQueue(deadLettersOf(queue)))).messageCount);
    },
  };
};
