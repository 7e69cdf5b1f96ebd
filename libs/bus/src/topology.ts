import { EXCHANGE, QUEUES, RETIRED_BINDINGS } from '@assay/contracts';
import type { Log } from '@assay/runtime';
import type { Channel, ChannelModel, Options } from 'amqplib';
import { deadLettersOf, waitingRoomOf } from './names.ts';

// The broker's own limit is the last resort: a message that kills its consumer each time. Ours is
// lower and leaves a status behind.
const BROKER_DELIVERY_LIMIT = 20;
/** Dead letters are bounded: the oldest go first. */
const MOST_DEAD_LETTERS = 10_000;
const DEAD_LETTERS_MS = 30 * 24 * 3600_000;
// Looking at dead letters hands them out: from RabbitMQ 4.0 a queue that names no limit drops a
// message after twenty times.
const LOOKS_AT_DEAD_LETTERS = 1_000_000;

export const quorum = { 'x-queue-type': 'quorum' };
const safely = { 'x-dead-letter-strategy': 'at-least-once', 'x-overflow': 'reject-publish' };

const deadLetters: Options.AssertQueue = {
  durable: true,
  maxLength: MOST_DEAD_LETTERS,
  messageTtl: DEAD_LETTERS_MS,
  arguments: { ...quorum, 'x-delivery-limit': LOOKS_AT_DEAD_LETTERS },
};
const main = (queue: string): Options.AssertQueue => ({
  durable: true,
  deadLetterExchange: '',
  deadLetterRoutingKey: deadLettersOf(queue),
  arguments: { ...quorum, ...safely, 'x-delivery-limit': BROKER_DELIVERY_LIMIT },
});
const waitingRoom = (queue: string, ms: number): Options.AssertQueue => ({
  durable: true,
  messageTtl: ms,
  deadLetterExchange: '',
  deadLetterRoutingKey: queue,
  arguments: { ...quorum, ...safely },
});

/** Waits for an answer of the broker. */
export type Await = <T>(ask: () => Promise<T>) => Promise<T>;

/**
 * Does something on a channel of its own: what the broker refuses closes that channel and no other.
 * Opening and closing it take as long as `answer` lets them.
 */
export const onOwnChannel = async <T>(
  model: ChannelModel,
  work: (channel: Channel) => Promise<T>,
  answer: Await = (ask) => ask(),
): Promise<T> => {
  const channel = await answer(() => model.createChannel());
  // Without a listener the refusal would end the process; it is thrown to the caller anyway.
  channel.on('error', () => undefined);
  // A connection that is lost while a channel closes leaves the closing without an answer.
  const closed = new Promise<void>((resolve) => channel.once('close', resolve));
  try {
    return await work(channel);
  } finally {
    await answer(() => Promise.race([channel.close(), closed])).catch(() => undefined);
  }
};

/** The broker has this queue with other arguments. */
export const isDeclaredOtherwise = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === 406;

/**
 * Dead letters of a former release have no bound: a queue that is empty is made anew, one that
 * holds some stays as it is.
 */
const declareDeadLetters = async (model: ChannelModel, queue: string, log: Log): Promise<void> => {
  const name = deadLettersOf(queue);
  const declare = () => onOwnChannel(model, (channel) => channel.assertQueue(name, deadLetters));
  await declare().catch(async (error: unknown) => {
    if (!isDeclaredOtherwise(error)) throw error;
    const { messageCount } = await onOwnChannel(model, (channel) => channel.checkQueue(name));
    if (messageCount > 0) return log.warn({ msg: 'bus.dead-letters-unbounded', queue: name, messageCount });
    await onOwnChannel(model, (channel) => channel.deleteQueue(name));
    await declare();
  });
};

export interface Naming {
  namespace: string;
  log: Log;
}

type Retired = Readonly<Record<string, readonly string[]>>;

/** A queue, bound to what it hears and unbound from what it no longer hears. */
const declareMain = async (channel: Channel, name: string, { namespace }: Naming, retired: Retired): Promise<void> => {
  const exchange = `${namespace}${EXCHANGE}`;
  const queue = `${namespace}${name}`;
  await channel.assertExchange(exchange, 'topic', { durable: true });
  await channel.assertQueue(queue, main(queue));
  for (const type of QUEUES[name] ?? []) await channel.bindQueue(queue, exchange, type);
  for (const type of retired[name] ?? []) await channel.unbindQueue(queue, exchange, type);
};

/** The same with its dead letters, where neither exists otherwise. */
const declareBoth = async (channel: Channel, name: string, naming: Naming, retired: Retired): Promise<void> => {
  await channel.assertQueue(deadLettersOf(`${naming.namespace}${name}`), deadLetters);
  await declareMain(channel, name, naming, retired);
};

/**
 * Declares one queue of the suite with its dead letters, binds it to what it hears and unbinds it
 * from what it no longer hears. Repeating it changes nothing. Rejects when the queue exists with
 * other arguments.
 */
export const declareQueue = async (
  model: ChannelModel,
  name: string,
  naming: Naming,
  retired: Retired = RETIRED_BINDINGS,
): Promise<void> => {
  const declared = onOwnChannel(model, (channel) => declareBoth(channel, name, naming, retired));
  await declared.catch(async (error: unknown) => {
    if (!isDeclaredOtherwise(error)) throw error;
    await declareDeadLetters(model, `${naming.namespace}${name}`, naming.log);
    await onOwnChannel(model, (channel) => declareMain(channel, name, naming, retired));
  });
};

/** The broker does not let this user do that. */
export const isRefused = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === 403;

const declareEach = async (model: ChannelModel, naming: Naming): Promise<void> => {
  for (const name of Object.keys(QUEUES))
    await declareQueue(model, name, naming).catch((error: unknown) => {
      const said = { msg: 'bus.not-declared', queue: `${naming.namespace}${name}`, error };
      if (isRefused(error)) naming.log.debug(said);
      else naming.log.warn(said);
    });
};

/**
 * Declares every queue of the suite: an event published before its reader was ever started waits
 * for it all the same. One that cannot be declared is left to its reader, which goes on trying;
 * where each service is a user of its own at the broker, that is every queue of the others. Nearly
 * always nothing is refused, and one channel does.
 */
export const declareTopology = async (model: ChannelModel, naming: Naming): Promise<void> => {
  const all = onOwnChannel(model, async (channel) => {
    for (const name of Object.keys(QUEUES)) await declareBoth(channel, name, naming, RETIRED_BINDINGS);
  });
  await all.catch(() => declareEach(model, naming));
};

/** Declares the waiting room of a queue for that time. */
export const declareWaitingRoom = (model: ChannelModel, queue: string, ms: number): Promise<unknown> =>
  onOwnChannel(model, (channel) => channel.assertQueue(waitingRoomOf(queue, ms), waitingRoom(queue, ms)));
