import { isDeepStrictEqual } from 'node:util';
import type { Options } from 'amqplib';
import type { World } from '../world/world.ts';

export interface Message {
  content: Buffer;
  properties: Options.Publish & { headers: Record<string, unknown> };
  exchange: string;
  routingKey: string;
  /** How often it returned to its queue unacknowledged. */
  returned: number;
}

/** A consumer of a queue, on one channel. */
export interface Taker {
  tag: string;
  /** The name of its process. */
  owner: string;
  hasRoom(): boolean;
  /** Whether its process is still at the other end. */
  isThere(): boolean;
  /** Delivers a message. `queue` takes it back if the channel ends before the acknowledgement. */
  take(message: Message): void;
  /** The queue was deleted. */
  cancelled(): void;
}

interface Queue {
  name: string;
  options: Options.AssertQueue;
  ready: Message[];
  /** Delivered and not acknowledged. */
  unacknowledged: Set<Message>;
  takers: Taker[];
  turn: number;
  bindings: Set<string>;
}

/** Faults of messages on their way into a queue. */
export interface QueueFaults {
  /**
   * How many copies of the message arrive: none, one or more. A message that a consumer moves has
   * no exchange.
   */
  copies(exchange: string): number;
}

export class BrokerError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * One broker with exchanges, queues, waiting rooms and dead letters, like RabbitMQ. Everything
 * happens at once here; only the lines to the broker take time.
 */
export interface Broker {
  assertQueue(name: string, options: Options.AssertQueue): number;
  count(name: string): { messageCount: number; consumerCount: number };
  remove(name: string): number;
  purge(name: string): number;
  bind(queue: string, key: string): void;
  unbind(queue: string, key: string): void;
  /** False if no queue takes the message. */
  publish(
    exchange: string,
    routingKey: string,
    message: Omit<Message, 'exchange' | 'routingKey' | 'returned'>,
  ): boolean;
  add(queue: string, taker: Taker): void;
  drop(queue: string, taker: Taker): void;
  /** Returns messages to the front of their queue, in the order in which they were delivered. */
  takeBack(queue: string, messages: readonly Message[], counts: boolean): void;
  get(queue: string): Message | undefined;
  /** The message was acknowledged: the queue forgets it. */
  done(queue: string, message: Message): void;
  /** Delivers whatever can be delivered. */
  serve(queue: string): void;
  /** The number of messages by queue, delivered or not, for queues that have any. */
  depths(): Map<string, number>;
  /** The number of live subscriptions by queue and process. */
  subscriptions(): Map<string, number>;
}

const argumentsOf = (options: Options.AssertQueue): Record<string, unknown> =>
  JSON.parse(JSON.stringify(options)) as Record<string, unknown>;
const isSame = (a: Options.AssertQueue, b: Options.AssertQueue): boolean =>
  isDeepStrictEqual(a, b) || isDeepStrictEqual(argumentsOf(a), argumentsOf(b));

const noQueue = (name: string): BrokerError => new BrokerError(404, `no queue ${name}`);

/** The queues, and what happens to their messages. */
const createQueues = (world: World) => {
  const queues = new Map<string, Queue>();
  const known = (name: string): Queue => {
    const queue = queues.get(name);
    if (!queue) throw noQueue(name);
    return queue;
  };

  const serve = (queue: Queue): void => {
    while (queue.ready.length > 0) {
      const order = queue.takers.map((_, n) => queue.takers[(queue.turn + n) % queue.takers.length]);
      const taker = order.find((one) => one?.hasRoom());
      const message = taker && queue.ready.shift();
      if (!taker || !message) return;
      queue.turn += 1;
      queue.unacknowledged.add(message);
      taker.take(message);
    }
  };

  const moveOn = (queue: Queue, message: Message, reason: string): void => {
    const { deadLetterRoutingKey: to } = queue.options;
    if (to === undefined) return;
    const death = { queue: queue.name, reason, time: { value: Math.floor(world.now() / 1000) } };
    const deaths = (message.properties.headers['x-death'] ?? []) as object[];
    const headers = { ...message.properties.headers, 'x-death': [death, ...deaths] };
    const properties = { ...message.properties, headers };
    enqueue(known(to), { ...message, properties, returned: 0, exchange: '', routingKey: to });
  };

  const enqueue = (queue: Queue, message: Message): void => {
    queue.ready.push(message);
    const { messageTtl } = queue.options;
    if (messageTtl !== undefined)
      world.after(messageTtl, undefined, `expired in ${queue.name}`, () => {
        const at = queue.ready.indexOf(message);
        if (at < 0) return;
        queue.ready.splice(at, 1);
        moveOn(queue, message, 'expired');
      });
    serve(queue);
  };

  const takeBack = (queue: Queue, messages: readonly Message[], counts: boolean): void => {
    const most = Number((queue.options.arguments as Record<string, unknown> | undefined)?.['x-delivery-limit'] ?? 20);
    for (const message of messages.toReversed()) {
      queue.unacknowledged.delete(message);
      message.returned += counts ? 1 : 0;
      if (message.returned > most) moveOn(queue, message, 'delivery_limit');
      else queue.ready.unshift(message);
    }
    serve(queue);
  };
  return { queues, known, serve, enqueue, takeBack };
};

export const createBroker = (world: World, faults: QueueFaults): Broker => {
  const { queues, known, serve, enqueue, takeBack } = createQueues(world);
  const takersOf = (exchange: string, key: string): Queue[] =>
    exchange === ''
      ? [queues.get(key)].filter((queue) => queue !== undefined)
      : [...queues.values()].filter(({ bindings }) => bindings.has(key));

  return {
    assertQueue: (name, options) => {
      const found = queues.get(name);
      if (found && !isSame(found.options, options)) throw new BrokerError(406, `queue ${name} has other arguments`);
      if (!found)
        queues.set(name, {
          name,
          options,
          ready: [],
          unacknowledged: new Set(),
          takers: [],
          turn: 0,
          bindings: new Set(),
        });
      return found?.ready.length ?? 0;
    },
    count: (name) => {
      const { ready, takers } = known(name);
      return { messageCount: ready.length, consumerCount: takers.length };
    },
    remove: (name) => {
      const queue = queues.get(name);
      queues.delete(name);
      for (const taker of queue?.takers ?? []) taker.cancelled();
      return queue?.ready.length ?? 0;
    },
    purge: (name) => known(name).ready.splice(0).length,
    bind: (name, key) => void known(name).bindings.add(key),
    unbind: (name, key) => void known(name).bindings.delete(key),
    publish: (exchange, routingKey, message) => {
      const to = takersOf(exchange, routingKey);
      for (const queue of to)
        for (let copy = faults.copies(exchange); copy > 0; copy -= 1)
          enqueue(queue, { ...message, exchange, routingKey, returned: 0 });
      return to.length > 0;
    },
    add: (name, taker) => {
      const queue = known(name);
      queue.takers.push(taker);
      serve(queue);
    },
    drop: (name, taker) => {
      const queue = queues.get(name);
      if (queue) queue.takers = queue.takers.filter((one) => one !== taker);
    },
    takeBack: (name, messages, counts) => {
      const queue = queues.get(name);
      if (queue) takeBack(queue, messages, counts);
    },
    get: (name) => {
      const { ready, unacknowledged } = known(name);
      const message = ready.shift();
      if (message) unacknowledged.add(message);
      return message;
    },
    done: (name, message) => void queues.get(name)?.unacknowledged.delete(message),
    serve: (name) => {
      const queue = queues.get(name);
      if (queue) serve(queue);
    },
    depths: () =>
      new Map(
        [...queues.values()]
          .map(({ name, ready, unacknowledged }) => [name, ready.length + unacknowledged.size] as const)
          .filter(([, count]) => count > 0),
      ),
    subscriptions: () => {
      const counts = new Map<string, number>();
      for (const { name, takers } of queues.values())
        for (const { owner } of takers.filter((taker) => taker.isThere()))
          counts.set(`${name} of ${owner}`, (counts.get(`${name} of ${owner}`) ?? 0) + 1);
      return counts;
    },
  };
};
