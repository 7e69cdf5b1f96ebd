import { EXCHANGE, type FormerQueue } from '@assay/contracts';
import type { Log } from '@assay/runtime';
import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import { REASON, sendingOn, triesOf } from './headers.ts';
import { deadLettersOf, waitingRoomOf } from './names.ts';
import type { Outgoing } from './outgoing.ts';
import { ROOMS_MS } from './settlement.ts';
import { onOwnChannel } from './topology.ts';

export interface Deps {
  model(): Promise<ChannelModel>;
  outgoing: Pick<Outgoing, 'send'>;
  namespace: string;
  log: Log;
  rooms?: readonly number[] | undefined;
}

interface Found {
  messageCount: number;
  consumerCount: number;
}

const isMissing = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === 404;

/**
 * One round over the queues that another queue replaced. It unbinds each former queue, moves its
 * messages and its dead letters to the new one, and removes what is idle. Messages in a waiting
 * room reach the former queue by themselves, and a later round moves them. A queue is idle if it
 * is empty and has no consumer; it is removed when two rounds in a row find it so. A process of the
 * former release binds a former queue again when it reconnects: the next round undoes that.
 */
export const createRetirement = ({ model, outgoing, namespace, log, rooms = ROOMS_MS }: Deps) => {
  /** The queues that the former round found idle. */
  const idleBefore = new Set<string>();
  const onChannel = async <T>(work: (channel: Channel) => Promise<T>): Promise<T> => onOwnChannel(await model(), work);
  /** What the broker has under this name; undefined if there is no such queue. */
  const inspect = (queue: string): Promise<Found | undefined> =>
    onChannel((channel) => channel.checkQueue(queue)).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });

  /** A message is acknowledged once the broker has its copy: a crash doubles it, and loses none. */
  const moveMessages = (from: string, to: string): Promise<void> =>
    onChannel(async (channel) => {
      for (;;) {
        const got = await channel.get(from);
        if (!got) return;
        const message = got as unknown as ConsumeMessage;
        const reason: unknown = message.properties.headers?.[REASON];
        const more = typeof reason === 'string' ? { [REASON]: reason } : {};
        await outgoing.send('', to, message.content, sendingOn(message, triesOf(message), more));
        channel.ack(got);
      }
    });

  /** Removes a queue that is idle for the second time; true if it does not exist any more. */
  const removeIfIdle = async (queue: string): Promise<boolean> => {
    const found = await inspect(queue);
    if (!found) return true;
    const isIdle = found.messageCount === 0 && found.consumerCount === 0;
    if (isIdle && idleBefore.has(queue)) {
      await onChannel((channel) => channel.deleteQueue(queue));
      log.info({ msg: 'bus.queue-removed', queue });
      return true;
    }
    if (isIdle) idleBefore.add(queue);
    else idleBefore.delete(queue);
    return false;
  };

  const retire = async (former: FormerQueue, queue: string): Promise<void> => {
    const from = `${namespace}${former.name}`;
    if (!(await inspect(from))) return;
    await onChannel(async (channel) => {
      for (const type of former.heard) await channel.unbindQueue(from, `${namespace}${EXCHANGE}`, type);
    });
    await moveMessages(from, queue);
    if (await inspect(deadLettersOf(from))) await moveMessages(deadLettersOf(from), deadLettersOf(queue));
    const others = [deadLettersOf(from), ...rooms.map((ms) => waitingRoomOf(from, ms))];
    const removed = await Promise.all(others.map(removeIfIdle));
    // The waiting rooms return their messages to the queue itself, so it is removed last.
    if (removed.every(Boolean)) await removeIfIdle(from);
  };

  return async (formers: readonly FormerQueue[], name: string): Promise<void> => {
    for (const former of formers) await retire(former, `${namespace}${name}`);
  };
};
