import { EXCHANGE, QUEUES } from '@assay/contracts';
import type { Channel } from 'amqplib';

export const deadLettersOf = (queue: string): string => `${queue}.dead`;
export const waitingRoomOf = (queue: string): string => `${queue}.later`;

/** How long one stay in the waiting room lasts, in milliseconds. */
export const WAITING_MS = 1000;
// The broker's own limit is the last resort: a message that kills its consumer each time. Ours is lower and leaves a status behind.
const BROKER_DELIVERY_LIMIT = 20;

const quorum = { 'x-queue-type': 'quorum' };
const safely = { 'x-dead-letter-strategy': 'at-least-once', 'x-overflow': 'reject-publish' };

/**
 * Declares the exchange and these queues of the suite, all unless said otherwise, each with its dead letters and its waiting room. Repeating it changes
 * nothing. `namespace` stands before every name: several suites, or tests, can share a broker.
 */
export const declareTopology = async (
  channel: Channel,
  namespace = '',
  names: readonly string[] = Object.keys(QUEUES),
): Promise<void> => {
  const exchange = `${namespace}${EXCHANGE}`;
  await channel.assertExchange(exchange, 'topic', { durable: true });
  for (const name of names) {
    const queue = `${namespace}${name}`;
    await channel.assertQueue(deadLettersOf(queue), { durable: true, arguments: quorum });
    await channel.assertQueue(queue, {
      durable: true,
      deadLetterExchange: '',
      deadLetterRoutingKey: deadLettersOf(queue),
      arguments: { ...quorum, ...safely, 'x-delivery-limit': BROKER_DELIVERY_LIMIT },
    });
    await channel.assertQueue(waitingRoomOf(queue), {
      durable: true,
      messageTtl: WAITING_MS,
      deadLetterExchange: '',
      deadLetterRoutingKey: queue,
      arguments: { ...quorum, ...safely },
    });
    for (const type of QUEUES[name] ?? []) await channel.bindQueue(queue, exchange, type);
  }
};
