import type { ConsumeMessage, Options } from 'amqplib';
import { type Asking, createAsking } from './asking.ts';
import type { Broker, Message, Taker } from './broker.ts';
import type { Line } from './line.ts';

/** Queues and exchanges: to declare, to bind and to inspect them. */
const topologyOf = (broker: Broker, { ask }: Asking) => ({
  assertExchange: (name: string) => ask(`exchange ${name}`, () => ({ exchange: name })),
  assertQueue: (queue: string, options: Options.AssertQueue) =>
    ask(`queue ${queue}`, () => ({ queue, messageCount: broker.assertQueue(queue, options), consumerCount: 0 })),
  checkQueue: (queue: string) => ask(`check ${queue}`, () => ({ queue, ...broker.count(queue) })),
  deleteQueue: (queue: string) => ask(`delete ${queue}`, () => ({ messageCount: broker.remove(queue) })),
  purgeQueue: (queue: string) => ask(`purge ${queue}`, () => ({ messageCount: broker.purge(queue) })),
  bindQueue: (queue: string, _exchange: string, key: string) => ask(`bind ${queue}`, () => broker.bind(queue, key)),
  unbindQueue: (queue: string, _exchange: string, key: string) =>
    ask(`unbind ${queue}`, () => broker.unbind(queue, key)),
});

/** Delivery and acknowledgement of messages. */
const consumingOf = (broker: Broker, line: Line, { ask, notify, isOpen, unanswered, takers }: Asking) => {
  let [most, nextTag] = [Number.POSITIVE_INFINITY, 1];

  const handOut = (queue: string, message: Message, consumerTag: string): ConsumeMessage => {
    const deliveryTag = nextTag++;
    unanswered.set(deliveryTag, { queue, message });
    const { content, properties, exchange, routingKey } = message;
    const fields = { deliveryTag, redelivered: message.returned > 0, exchange, routingKey, consumerTag };
    return { content, properties, fields } as unknown as ConsumeMessage;
  };
  const takerOf = (queue: string, tag: string, take: (message: ConsumeMessage | null) => void): Taker => ({
    owner: line.owner?.name ?? '',
    tag,
    hasRoom: () => unanswered.size < most,
    isThere: () => !line.isCut(),
    take: (message) => {
      const given = handOut(queue, message, tag);
      line.back(`${queue} gives ${String(message.properties.type)}`, () => {
        if (isOpen()) take(given);
      });
    },
    cancelled: () =>
      line.back(`${queue} cancelled`, () => {
        if (isOpen()) take(null);
      }),
  });
  const answered = (deliveryTag: number) => {
    const found = unanswered.get(deliveryTag);
    unanswered.delete(deliveryTag);
    return found;
  };
  const giveBack = (deliveryTag: number): void => {
    const found = answered(deliveryTag);
    if (found) broker.takeBack(found.queue, [found.message], false);
  };

  return {
    prefetch: (count: number) =>
      ask('prefetch', () => {
        most = count;
      }),
    consume: (queue: string, take: (message: ConsumeMessage | null) => void) => {
      const tag = `${queue}.${nextTag++}`;
      return ask(`consume ${queue}`, () => {
        const taker = takerOf(queue, tag, take);
        takers.set(tag, { queue, taker });
        broker.add(queue, taker);
        return { consumerTag: tag };
      });
    },
    cancel: (tag: string) =>
      ask(`cancel ${tag}`, () => {
        const found = takers.get(tag);
        takers.delete(tag);
        if (found) broker.drop(found.queue, found.taker);
        return {};
      }),
    get: (queue: string) =>
      ask(`get ${queue}`, () => {
        const message = broker.get(queue);
        return message ? handOut(queue, message, '') : false;
      }),
    ack: ({ fields, properties }: ConsumeMessage, allUpTo = false) =>
      notify(`ack ${allUpTo ? 'up to ' : ''}${String(properties.type)}`, () => {
        const before = allUpTo ? [...unanswered.keys()].filter((tag) => tag < fields.deliveryTag) : [];
        const found = [...before, fields.deliveryTag].map(answered);
        for (const one of found) if (one) broker.done(one.queue, one.message);
        for (const queue of new Set(found.flatMap((one) => one?.queue ?? []))) broker.serve(queue);
      }),
    nack: ({ fields }: ConsumeMessage) => notify('nack', () => giveBack(fields.deliveryTag)),
    nackAll: () =>
      notify('nack all', () => {
        for (const tag of [...unanswered.keys()].toReversed()) giveBack(tag);
      }),
  };
};

const publishingOf = (broker: Broker, { ask, events }: Asking) => ({
  publish: (
    exchange: string,
    key: string,
    content: Buffer,
    options: Options.Publish,
    done: (error: unknown) => void,
  ): boolean => {
    const { mandatory: _mandatory, ...properties } = options;
    const message = { content, properties: { ...properties, headers: options.headers ?? {} } };
    ask(`publish ${options.type ?? key} to ${exchange || key}`, () => broker.publish(exchange, key, message)).then(
      (isRouted) => {
        if (!isRouted) events.emit('return', { properties: message.properties });
        done(null);
      },
      (error: unknown) => done(error),
    );
    return true;
  },
});

/**
 * One channel with the interface of amqplib, as far as libs/bus uses it. A rejected message always
 * returns to its queue, as libs/bus wants it to.
 */
export const openChannel = (broker: Broker, line: Line, onOpen: (closeThere: () => void) => void) => {
  const asking = createAsking(broker, line);
  onOpen(asking.closeThere);
  return Object.assign(asking.events, {
    ...topologyOf(broker, asking),
    ...consumingOf(broker, line, asking),
    ...publishingOf(broker, asking),
    close: asking.close,
  });
};
