import {
  type Envelope,
  EVENTS,
  EXCHANGE,
  FORMER_QUEUES,
  type FormerQueue,
  present,
  violationsOf,
} from '@assay/contracts';
import {
  type Clock,
  type Closable,
  counter,
  examineWith,
  inSpan,
  type Log,
  startSweeper,
  systemClock,
} from '@assay/runtime';
import { claimNamespace } from './claim.ts';
import { type Consumer, startConsumer } from './consumer.ts';
import { createDeadLetters, type DeadLetters } from './dead-letters.ts';
import { examineBroker } from './findings.ts';
import { createRetirement } from './former-queues.ts';
import type { ConsumeOptions } from './handling.ts';
import { createLink, type Link, type LinkOptions } from './link.ts';
import { createOutgoing, type Outgoing } from './outgoing.ts';
import { NotPublished } from './publisher.ts';
import type { Subscription } from './reading.ts';
import { traced } from './traced.ts';

export interface BusOptions {
  url: string;
  service: string;
  log: Log;
  /** What time it is; the machine's clock by default. */
  now?: Clock;
  /** Stands before the name of the exchange and of every queue; empty by default. */
  namespace?: string;
  /**
   * DB_PREFIX: where the namespace is that of a suite with another one, nothing is connected. Not
   * asked by default.
   */
  databases?: string;
  /**
   * How long a publish waits for a lost or blocked connection before it gives up, in milliseconds.
   */
  publishPatienceMs?: number;
  /** How long the broker may take to confirm a message, in milliseconds. */
  confirmMs?: number;
  /** The times a message waits before its next attempt, growing, in milliseconds. */
  roomsMs?: readonly number[];
  /** Pause between looks at whether a subscription still exists, in milliseconds. */
  watchMs?: number;
  /** Queues of former releases, by the queue that replaced them. */
  formerQueues?: Readonly<Record<string, readonly FormerQueue[]>>;
  /** Pause between rounds that retire them, in milliseconds. */
  retireEveryMs?: number;
  /** Opens a connection to a broker; amqplib's by default. */
  connect?: LinkOptions['connect'];
  /** Once it is aborted, consumers take no more messages and finish those that they have. */
  stopping?: AbortSignal;
}

/** The bus of the suite that a service belongs to, by the variables that all services share. */
export const suiteBus = (config: {
  AMQP_URL: string;
  BUS_NAMESPACE: string;
  DB_PREFIX: string;
}): Required<Pick<BusOptions, 'url' | 'namespace' | 'databases'>> => ({
  url: config.AMQP_URL,
  namespace: config.BUS_NAMESPACE,
  databases: config.DB_PREFIX,
});

export interface Bus extends Closable {
  /**
   * Publishes an event whose data matches its schema. Resolves once the broker has stored it;
   * rejects (NotPublished) otherwise, and then the same event may be published again: readers know
   * it by its id.
   */
  publish(event: Envelope<unknown>): Promise<void>;
  /**
   * Consumes a queue of the topology, over every reconnection, cancellation and closed channel.
   * Resolves after the first attempt to subscribe: one that fails is repeated for as long as it
   * takes, and readiness tells why.
   */
  consume(queue: string, subscriptions: readonly Subscription[], options: ConsumeOptions): Promise<Closable>;
  /** The publisher is open, and every consumer is subscribed and settles its messages. */
  isReady(): boolean;
  deadLetters: DeadLetters;
}

const schemas = new Map(EVENTS.map((event) => [event.type as string, event.envelope]));
const CONFIRM_MS = 10_000;
const PATIENCE_MS = 3000;
const RETIRE_EVERY_MS = 15_000;

/** Waits until both connections were opened once. */
const opened = async (links: readonly Link[]): Promise<void> => {
  for (const link of links) {
    link.connection.baseUp();
    await link.connection.next(2 ** 31 - 1, () => new Error('not connected'));
  }
};

const published = counter('assay_messages_published_total', 'Messages the broker has confirmed', ['type']);

/**
 * Checks an event against its schema and sends it, in its own trace: a sweeper may publish it long
 * after the request that caused it.
 */
const createPublish =
  (outgoing: Outgoing, namespace: string): Bus['publish'] =>
  async (event) => {
    const schema = schemas.get(event.type);
    const [violation] = schema ? violationsOf(schema, event) : [{ field: 'type', message: 'is no event of ours' }];
    if (violation) throw new Error(`event ${event.type}: ${violation.field} ${violation.message}`);
    const send = (): Promise<void> =>
      outgoing.send(`${namespace}${EXCHANGE}`, event.type, Buffer.from(JSON.stringify(event)), {
        persistent: true,
        messageId: event.id,
        type: event.type,
        contentType: 'application/json',
      });
    const attributes = traced(event);
    await inSpan(`publish ${event.type}`, { kind: 'producer', parent: event.traceparent, attributes }, send);
    published.inc({ type: event.type });
  };

interface Consuming {
  link: Link;
  /** Those that run; each is in it until it is closed. */
  consumers: Set<Consumer>;
  outgoing: Outgoing;
  retire: ReturnType<typeof createRetirement>;
}

/** Consumes a queue, and retires the queues of former releases that it replaced. */
const createConsume =
  (options: BusOptions, { link, consumers, outgoing, retire }: Consuming): Bus['consume'] =>
  async (name, subscriptions, consumeOptions) => {
    const { service, log, namespace = '', now = systemClock, roomsMs: rooms, watchMs, stopping } = options;
    const { surplus } = consumeOptions;
    const consumer = await startConsumer(link, namespace, {
      service,
      name,
      queue: `${namespace}${name}`,
      subscriptions,
      options: consumeOptions,
      rooms,
      watchMs,
      outgoing,
      ...present({ stopping, surplusQueue: surplus && `${namespace}${surplus.queue}` }),
      now,
      log,
    });
    consumers.add(consumer);
    const formers = (options.formerQueues ?? FORMER_QUEUES)[name] ?? [];
    const run = () => retire(formers, name);
    const everyMs = options.retireEveryMs ?? RETIRE_EVERY_MS;
    const retiring = formers.length > 0 ? startSweeper({ name: `former ${name}`, everyMs, run, log }) : undefined;
    return {
      close: async () => {
        await retiring?.close();
        consumers.delete(consumer);
        await consumer.close();
      },
    };
  };

/**
 * Connects to the broker with one connection for publishing and one for consuming; both recover by
 * themselves.
 */
export const connectBus = async (options: BusOptions): Promise<Bus> => {
  const { url, service, log, connect, namespace = '', databases } = options;
  const { publishPatienceMs: patienceMs = PATIENCE_MS, confirmMs = CONFIRM_MS } = options;
  const publishing = createLink({ url, service, purpose: 'publish', log, connect });
  const consuming = createLink({ url, service, purpose: 'consume', log, connect });
  const outgoing = createOutgoing({ link: publishing, service, namespace, log, patienceMs, confirmMs });
  const consumers = new Set<Consumer>();
  const model = () => publishing.connection.next(patienceMs, () => new NotPublished('not connected'));
  const retire = createRetirement({ model, outgoing, namespace, log, rooms: options.roomsMs });
  const disconnect = () => Promise.all([consuming.close(), publishing.close()]);
  await opened([publishing, consuming]);
  if (databases !== undefined)
    await claimNamespace(await model(), { namespace, databases, log }).catch(async (error: unknown) => {
      await disconnect();
      throw error;
    });
  await outgoing.attempted;
  log.info({ msg: 'bus.connected' });
  const endExamination = examineWith('broker', () => examineBroker(url));

  return {
    deadLetters: createDeadLetters({ model, outgoing, namespace, answerMs: confirmMs }),

    isReady: () => outgoing.isReady() && [...consumers].every((consumer) => consumer.isReady()),

    publish: createPublish(outgoing, namespace),

    consume: createConsume(options, { link: consuming, consumers, outgoing, retire }),

    close: async () => {
      endExamination();
      await Promise.all([...consumers].map((consumer) => consumer.close()));
      await outgoing.close();
      await disconnect();
    },
  };
};
