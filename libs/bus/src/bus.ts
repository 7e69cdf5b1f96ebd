import { type Envelope, EVENTS, EXCHANGE, violationsOf } from '@assay/contracts';
import { type Closable, inSpan, type Log } from '@assay/runtime';
import { type Channel, type ChannelModel, connect } from 'amqplib';
import { type ConsumeOptions, createMessageHandler, type Subscription } from './consumer.ts';
import { createPublisher, NotPublished, type Publisher } from './publisher.ts';
import { declareTopology } from './topology.ts';
import { traced } from './traced.ts';

export interface BusOptions {
  url: string;
  service: string;
  log: Log;
  /** Stands before the name of the exchange and of every queue; empty by default. */
  namespace?: string;
  /** How long a publish waits for a lost connection before it gives up, in milliseconds. */
  publishPatienceMs?: number;
}

export interface Bus extends Closable {
  /**
   * Publishes an event whose data matches its schema. Resolves once the broker has stored it; rejects (NotPublished) otherwise, and then the same
   * event may be published again: readers know it by its id.
   */
  publish(event: Envelope<unknown>): Promise<void>;
  /** Consumes a queue of the topology; set up again after every reconnection, cancellation or closed channel. */
  consume(queue: string, subscriptions: readonly Subscription[], options: ConsumeOptions): Promise<Closable>;
  isReady(): boolean;
}

const schemas = new Map(EVENTS.map((event) => [event.type as string, event.envelope]));
const RECOVERY = { initialDelay: 100, maxDelay: 2000, factor: 1.6, maxRetries: Number.POSITIVE_INFINITY };

interface Slot<T> {
  get(patienceMs: number): Promise<T>;
  set(value: T | undefined): void;
  now(): T | undefined;
}

/** Holds what a connection provides while it stands; readers wait for the next one for a while. */
const createSlot = <T>(): Slot<T> => {
  let value: T | undefined;
  let waiting: ((value: T) => void)[] = [];
  return {
    now: () => value,
    set: (next) => {
      value = next;
      if (next === undefined) return;
      for (const resolve of waiting) resolve(next);
      waiting = [];
    },
    get: (patienceMs) => {
      if (value !== undefined) return Promise.resolve(value);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new NotPublished('not connected')), patienceMs);
        waiting.push((next) => {
          clearTimeout(timer);
          resolve(next);
        });
      });
    },
  };
};

/** Connects to the broker with one connection for publishing and one for consuming; both recover by themselves. */
export const connectBus = async ({
  url,
  service,
  log,
  namespace = '',
  publishPatienceMs = 3000,
}: BusOptions): Promise<Bus> => {
  const publisherSlot = createSlot<Publisher>();
  const consumerModel = createSlot<ChannelModel>();
  const consumers = new Set<(model: ChannelModel) => Promise<void>>();
  let closed = false;

  const openPublisher = async (model: ChannelModel): Promise<void> => {
    const channel = await model.createConfirmChannel();
    channel.on('error', (error: unknown) => log.warn({ msg: 'bus.channel-error', error }));
    channel.on('close', () => {
      publisherSlot.set(undefined);
      if (!closed) setTimeout(() => openPublisher(model).catch(() => undefined), 200).unref();
    });
    await declareTopology(channel, namespace);
    publisherSlot.set(createPublisher(channel));
  };

  const open = async (purpose: string, setup: (model: ChannelModel) => Promise<void>) => {
    const connection = await connect(url, {
      recovery: { ...RECOVERY, setup },
      // Or a small message waits up to 40 ms for the broker to acknowledge the packet before it.
      noDelay: true,
      clientProperties: { connection_name: `${service}.${purpose}` },
    });
    connection.on('error', (error: unknown) => log.debug({ msg: 'bus.connection-error', purpose, error }));
    connection.on('disconnect', () => log.warn({ msg: 'bus.disconnected', purpose }));
    return connection;
  };

  const publishing = await open('publish', openPublisher);
  publishing.on('disconnect', () => publisherSlot.set(undefined));
  const consuming = await open('consume', async (model) => {
    consumerModel.set(model);
    for (const begin of consumers) await begin(model);
  });
  consuming.on('disconnect', () => consumerModel.set(undefined));
  log.info({ msg: 'bus.connected' });

  const publisher = () => publisherSlot.get(publishPatienceMs);

  return {
    isReady: () => publisherSlot.now() !== undefined && consumerModel.now() !== undefined,

    publish: async (event) => {
      const schema = schemas.get(event.type);
      const [violation] = schema ? violationsOf(schema, event) : [{ field: 'type', message: 'is no event of ours' }];
      if (violation) throw new Error(`event ${event.type}: ${violation.field} ${violation.message}`);
      const send = async (): Promise<void> =>
        (await publisher()).send(`${namespace}${EXCHANGE}`, event.type, Buffer.from(JSON.stringify(event)), {
          persistent: true,
          messageId: event.id,
          type: event.type,
          contentType: 'application/json',
        });
      // The event's own trace: a sweeper may publish it long after the request that caused it.
      await inSpan(
        `publish ${event.type}`,
        { kind: 'producer', parent: event.traceparent, attributes: traced(event) },
        send,
      );
    },

    consume: async (name, subscriptions, options) => {
      const queue = `${namespace}${name}`;
      const handler = createMessageHandler({ service, name, queue, subscriptions, options, publisher, log });
      let current: { channel: Channel; tag: string } | undefined;
      let stopped = false;

      const begin = async (model: ChannelModel): Promise<void> => {
        if (stopped) return;
        const channel = await model.createChannel();
        const again = (reason: string): void => {
          if (current?.channel !== channel || stopped) return;
          current = undefined;
          log.warn({ msg: 'bus.resubscribing', queue, reason });
          setTimeout(() => {
            const next = consumerModel.now();
            if (next && !current)
              begin(next).catch((error: unknown) => log.warn({ msg: 'bus.subscribe-failed', queue, error }));
          }, 200).unref();
        };
        channel.on('error', (error: unknown) => log.warn({ msg: 'bus.channel-error', queue, error }));
        channel.on('close', () => again('channel closed'));
        await declareTopology(channel, namespace, [name]);
        await channel.prefetch(options.prefetch);
        const { consumerTag } = await channel.consume(queue, (message) => {
          if (message) handler.take(channel, message);
          else channel.close().catch(() => undefined);
        });
        current = { channel, tag: consumerTag };
      };

      consumers.add(begin);
      const model = consumerModel.now();
      if (model) await begin(model);
      return {
        close: async () => {
          stopped = true;
          consumers.delete(begin);
          if (current) await current.channel.cancel(current.tag).catch(() => undefined);
          await handler.drain();
          await current?.channel.close().catch(() => undefined);
        },
      };
    },

    close: async () => {
      closed = true;
      await Promise.allSettled([consuming.close(), publishing.close()]);
    },
  };
};
