import { type DataOf, type Envelope, type EventType, QUEUES, readTolerantly, SURPLUS_QUEUES } from '@assay/contracts';
import type { ConsumeMessage } from 'amqplib';
import { Poison, UnknownType } from './settlement.ts';

/**
 * An event and the function that handles it: returning means acknowledged, throwing means retry or
 * dead letter (`planSettlement`).
 */
export interface Subscription {
  event: EventType;
  handle(event: Envelope<unknown>): Promise<void>;
}

/** Pairs an event with its handler; the handler sees the event's own data type. */
export const on = <E extends EventType>(
  event: E,
  handle: (event: Envelope<DataOf<E>>) => Promise<void>,
): Subscription => ({ event, handle: handle as Subscription['handle'] });

export interface Read {
  event: Envelope<unknown>;
  subscription: Subscription;
}

/** Handlers by event type. Throws when they are not those of the topology. */
export const handlersOf = (name: string, subscriptions: readonly Subscription[]): ReadonlyMap<string, Subscription> => {
  const known = new Map(subscriptions.map((subscription) => [subscription.event.type, subscription]));
  const declared = QUEUES[SURPLUS_QUEUES[name] ?? name];
  const undeclared = declared ? [...known.keys()].filter((type) => !declared.includes(type)) : [];
  const unheard = (declared ?? []).filter((type) => !known.has(type));
  if (undeclared.length + unheard.length > 0)
    throw new Error(`${name}: handlers and topology differ: ${[...undeclared, ...unheard].join(', ')}`);
  return known;
};

const parsed = (content: Buffer): unknown => {
  try {
    return JSON.parse(content.toString('utf8'));
  } catch {
    throw new Poison('not JSON');
  }
};

/**
 * The event a message carries. A field that our schema does not name is left out: a newer release
 * may have written it (invariant 12).
 */
export const read = (message: ConsumeMessage, known: ReadonlyMap<string, Subscription>): Read => {
  const type = message.properties.type ?? message.fields.routingKey;
  const subscription = known.get(type);
  if (!subscription) throw new UnknownType(`no handler for ${type}`);
  const { value, violations } = readTolerantly(subscription.event.envelope, parsed(message.content));
  const [violation] = violations;
  if (violation) throw new Poison(`${violation.field} ${violation.message}`);
  return { event: value as Envelope<unknown>, subscription };
};
