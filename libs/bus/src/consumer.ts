import { type DataOf, type Envelope, type EventType, QUEUES, violationsOf } from '@assay/contracts';
import { counter, crashPoint, inSpan, type Log } from '@assay/runtime';
import type { Channel, ConsumeMessage } from 'amqplib';
import { createGate } from './gate.ts';
import { OUTCOMES, type Outcome, outcomeOf, Poison } from './outcome.ts';
import type { Publisher } from './publisher.ts';
import { waitingRoomOf } from './topology.ts';
import { traced } from './traced.ts';

/** An event and the function that handles it: returning means acknowledged, throwing means retry or dead letter (`outcomeOf`). */
export interface Subscription {
  event: EventType;
  handle(event: Envelope<unknown>): Promise<void>;
}

/** Pairs an event with its handler; the handler sees the event's own data type. */
export const on = <E extends EventType>(
  event: E,
  handle: (event: Envelope<DataOf<E>>) => Promise<void>,
): Subscription => ({ event, handle: handle as Subscription['handle'] });

export interface ConsumeOptions {
  /** Messages worked on at once; for CPU work the number of workers. */
  prefetch: number;
  /** Attempts at a message that fails by itself before it goes to the dead letters. */
  deliveryLimit?: number;
  /** Called before a readable message goes to the dead letters: leave a stable status behind. */
  onGivenUp?: (event: Envelope<unknown>, error: unknown) => Promise<void>;
}

const handled = counter('assay_messages_handled_total', 'Messages by queue and what became of them', [
  'queue',
  'outcome',
]);

const read = (message: ConsumeMessage, subscriptions: ReadonlyMap<string, Subscription>) => {
  const subscription = subscriptions.get(message.properties.type ?? message.fields.routingKey);
  if (!subscription) throw new Poison(`no handler for ${message.fields.routingKey}`);
  let event: Envelope<unknown>;
  try {
    event = JSON.parse(message.content.toString('utf8')) as Envelope<unknown>;
  } catch {
    throw new Poison('not JSON');
  }
  const [violation] = violationsOf(subscription.event.envelope, event);
  if (violation) throw new Poison(`${violation.field} ${violation.message}`);
  return { event, subscription };
};

export interface ConsumerParts {
  service: string;
  /** The queue's name in the topology, and with the namespace before it. */
  name: string;
  queue: string;
  subscriptions: readonly Subscription[];
  options: ConsumeOptions;
  publisher: () => Promise<Publisher>;
  log: Log;
}

/** Everything a consumer does with one message, and the only place that acknowledges or rejects. */
export const createMessageHandler = ({
  service,
  name,
  queue,
  subscriptions,
  options,
  publisher,
  log,
}: ConsumerParts) => {
  const known = new Map(subscriptions.map((subscription) => [subscription.event.type, subscription]));
  const undeclared = subscriptions.filter(({ event }) => QUEUES[name] && !QUEUES[name].includes(event.type));
  const unheard = (QUEUES[name] ?? []).filter((type) => !known.has(type));
  if (undeclared.length + unheard.length > 0)
    throw new Error(
      `${queue}: handlers and topology differ: ${[...undeclared.map(({ event }) => event.type), ...unheard].join(', ')}`,
    );
  const deliveryLimit = options.deliveryLimit ?? 5;
  // A counter that comes into being with its first count shows no increase: nobody would be told of the first dead letter.
  for (const outcome of OUTCOMES) handled.inc({ queue, outcome }, 0);
  const gate = createGate();
  const inFlight = new Set<Promise<void>>();
  let closing = false;

  /** Runs the handler in the trace of what caused the event. */
  const handle = ({ event, subscription }: ReturnType<typeof read>): Promise<void> =>
    inSpan(
      `handle ${event.type}`,
      {
        kind: 'consumer',
        parent: event.traceparent,
        attributes: { ...traced(event), 'messaging.destination.name': queue },
      },
      () => subscription.handle(event),
    );

  const attempt = async (
    message: ConsumeMessage,
  ): Promise<{ outcome: Outcome; event?: Envelope<unknown>; error?: unknown }> => {
    const headers = message.properties.headers ?? {};
    const tries = { deliveries: Number(headers['x-delivery-count'] ?? 0), later: Number(headers['x-later'] ?? 0) };
    let event: Envelope<unknown> | undefined;
    try {
      const found = read(message, known);
      event = found.event;
      await handle(found);
      return { outcome: 'acknowledged', event };
    } catch (error) {
      return { outcome: outcomeOf(error, tries, deliveryLimit), error, ...(event ? { event } : {}) };
    }
  };

  const toWaitingRoom = async (message: ConsumeMessage, counts: boolean): Promise<void> => {
    const headers = message.properties.headers ?? {};
    const later = Number(headers['x-later'] ?? 0) + (counts ? 1 : 0);
    const { messageId, type, contentType } = message.properties;
    await (await publisher()).send('', waitingRoomOf(queue), message.content, {
      persistent: true,
      messageId,
      type,
      contentType,
      headers: { 'x-later': later },
    });
  };

  const settle = async (
    channel: Channel,
    message: ConsumeMessage,
    result: Awaited<ReturnType<typeof attempt>>,
  ): Promise<void> => {
    const { outcome, event, error } = result;
    switch (outcome) {
      case 'acknowledged':
        crashPoint(`${service}.after-effect-before-ack`);
        channel.ack(message);
        return;
      case 'retry':
        // reject, not nack: from RabbitMQ 4.3 only reject counts towards the delivery limit.
        channel.reject(message, true);
        return;
      case 'later':
      case 'dependency-down':
        await toWaitingRoom(message, outcome === 'later');
        channel.ack(message);
        return;
      case 'dead-letter':
        if (event && options.onGivenUp) await options.onGivenUp(event, error);
        channel.reject(message, false);
    }
  };

  const work = async (channel: Channel, message: ConsumeMessage): Promise<void> => {
    await gate.enter();
    if (closing) {
      channel.nack(message, false, true);
      return;
    }
    const startedAt = Date.now();
    const result = await attempt(message);
    gate.leave(result.outcome === 'dependency-down');
    await settle(channel, message, result);
    const line = {
      msg: 'message.handled',
      queue,
      type: message.properties.type,
      messageId: message.properties.messageId,
      identityId: result.event?.identityId,
      outcome: result.outcome,
      durationMs: Date.now() - startedAt,
    };
    handled.inc({ queue, outcome: result.outcome });
    if (result.outcome === 'acknowledged') log.debug(line);
    else if (result.outcome === 'dead-letter') log.error({ ...line, error: result.error });
    else log.warn({ ...line, error: result.error });
  };

  return {
    /** Handles one message; a failure to settle it leaves it unacknowledged, and the broker hands it out again. */
    take: (channel: Channel, message: ConsumeMessage): void => {
      const done: Promise<void> = work(channel, message)
        .catch((error: unknown) => log.warn({ msg: 'message.not-settled', queue, error }))
        .finally(() => inFlight.delete(done));
      inFlight.add(done);
    },
    /** Stops taking new messages and waits for those in flight. */
    drain: async (): Promise<void> => {
      closing = true;
      gate.close();
      await Promise.allSettled(inFlight);
    },
  };
};
