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
 * One round over the queues that a queue replaced: unbinds them, hands on what they, their dead
 * letters and their waiting rooms still hold, and removes each once it was empty and nobody
 * consumed it for two rounds. A process of the former release may bind one again when it connects
 * anew: the next round undoes that.
 */
export const createRetirement = ({ model, outgoing, namespace, log, rooms = ROOMS_MS }: Deps) => {
  /** Queues with nothing to do in the round before. */
  const idle = new Set<string>();
  const onChannel = async <T>(work: (channel: Channel) => Promise<T>): Promise<T> => onOwnChannel(await model(), work);
  const look = (queue: string): Promise<Found | undefined> =>
    onChannel((channel) => channel.checkQueue(queue)).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });

  const handOn = (from: string, to: string): Promise<void> =>
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

  /** True once it is gone. */
  const remove = async (queue: string): Promise<boolean> => {
    const found = await look(queue);
    if (!found) return true;
    const isIdle = found.messageCount === 0 && found.consumerCount === 0;
    if (isIdle && idle.has(queue)) {
      await onChannel((channel) => channel.deleteQueue(queue));
      log.info({ msg: 'bus.queue-removed', queue });
      return true;
    }
    if (isIdle) idle.add(queue);
    else idle.delete(queue);
    return false;
  };

  const retire = async (former: FormerQueue, queue: string): Promise<void> => {
    const from = `${namespace}${former.name}`;
    if (!(await look(from))) return;
    await onChannel(async (channel) => {
      for (const type of former.heard) await channel.unbindQueue(from, `${namespace}${EXCHANGE}`, type);
    });
    await handOn(from, queue);
    if (await look(deadLettersOf(from))) await handOn(deadLettersOf(from), deadLettersOf(queue));
    const others = [deadLettersOf(from), ...rooms.map((ms) => waitingRoomOf(from, ms))];
    const removed = await Promise.all(others.map(remove));
    // A waiting room hands its messages to the queue itself: that goes last.
    if (removed.every(Boolean)) await remove(from);
  };

  return async (formers: readonly FormerQueue[], name: string): Promise<void> => {
    for (const former of formers) await retire(former, `${namespace}${name}`);
  };
};
