import { setTimeout as pause } from 'node:timers/promises';
import { type Log, watchReadiness } from '@assay/runtime';
import type { ConfirmChannel, Options } from 'amqplib';
import type { Maintained } from './keep.ts';
import type { Link } from './link.ts';
import { waitingRoomOf } from './names.ts';
import { createPublisher, NotPublished, type Publisher, Unroutable } from './publisher.ts';
import { declareTopology, declareWaitingRoom } from './topology.ts';

export interface OutgoingOptions {
  link: Link;
  service: string;
  namespace: string;
  log: Log;
  /** How long to wait for a lost or blocked connection, and for a confirm, in milliseconds. */
  patienceMs: number;
  confirmMs: number;
}

/** Everything this process sends, over whatever connection there is. */
export interface Outgoing extends Publisher {
  /** Puts a message into the waiting room of a queue. */
  sendLater(queue: string, ms: number, content: Buffer, options: Options.Publish): Promise<void>;
  isReady(): boolean;
  attempted: Promise<void>;
  close(): Promise<void>;
}

interface Open {
  channel: ConfirmChannel;
  publisher: Publisher;
}

const BLOCKED_LOOK_MS = 50;
const REPAIR_EVERY_MS = 5000;
// A broker that deletes a queue tells its consumers, unless the queue is back before it does.
const BEFORE_REPAIR_MS = 300;

const late = (): Error => new NotPublished('not connected');

/** A confirm channel with a publisher on it, over every connection to come. */
const keepPublisher = ({ link, namespace, log, confirmMs }: OutgoingOptions): Maintained<Open> =>
  link.keep<Open>({
    name: 'publisher',
    open: async (model, run) => {
      await declareTopology(model, { namespace, log });
      const channel = await model.createConfirmChannel();
      channel.on('error', (error: unknown) => run.lost(error));
      channel.on('close', () => run.lost('channel closed'));
      // While the broker is blocked it confirms nothing, and is not stuck.
      const onTimeout = (): void => (link.blocked() ? undefined : run.unusable('no confirm'));
      return { channel, publisher: createPublisher({ channel, confirmMs, onTimeout }) };
    },
    close: ({ channel }) => channel.close(),
  });

/** Readiness of what this process sends by; the result ends it. */
const watchPublisher = (open: Maintained<Open>, { link, service }: OutgoingOptions): (() => void) =>
  watchReadiness(`publisher ${service}`, () => {
    const blocked = link.blocked();
    if (open.phase() === 'open') return blocked === undefined || { note: `blocked by the broker: ${blocked}` };
    const isDependency = link.connection.phase() !== 'open';
    return {
      reason: `not open: ${(isDependency ? link.connection.reason() : open.reason()) ?? 'opening'}`,
      isDependency,
    };
  });

/** What is written to a blocked connection only fills memory here. */
const unblocked = async ({ link, patienceMs }: OutgoingOptions): Promise<void> => {
  const until = performance.now() + patienceMs;
  while (link.blocked()) {
    if (performance.now() > until) throw new NotPublished('the broker is blocked');
    await pause(BLOCKED_LOOK_MS);
  }
};

/**
 * Sends by the publisher that is open, and declares everything again where a queue or binding has
 * gone.
 */
const createSend = (open: Maintained<Open>, options: OutgoingOptions): Publisher['send'] => {
  const { link, namespace, log, patienceMs } = options;
  const sendOnce: Publisher['send'] = async (...message) => {
    await unblocked(options);
    await (await open.next(patienceMs, late)).publisher.send(...message);
  };

  let repairedAt = Number.NEGATIVE_INFINITY;
  /**
   * A queue or binding went away while we run: everything is declared again, not more often than
   * every few seconds.
   */
  const repair = async (reason: Error): Promise<void> => {
    if (performance.now() - repairedAt < REPAIR_EVERY_MS) throw reason;
    repairedAt = performance.now();
    log.error({ msg: 'bus.unroutable', error: reason });
    await pause(BEFORE_REPAIR_MS);
    await declareTopology(await link.connection.next(patienceMs, late), { namespace, log });
  };

  return (exchange, ...message) =>
    sendOnce(exchange, ...message).catch(async (error: unknown) => {
      if (!(error instanceof Unroutable) || exchange === '') throw error;
      await repair(error);
      await sendOnce(exchange, ...message);
    });
};

/** Everything this process sends, over every connection to come. */
export const createOutgoing = (options: OutgoingOptions): Outgoing => {
  const { link, patienceMs } = options;
  const rooms = new Set<string>();
  const open = keepPublisher(options);
  const unwatch = watchPublisher(open, options);
  const send = createSend(open, options);

  const declareRoom = async (queue: string, ms: number): Promise<void> => {
    const model = await link.connection.next(patienceMs, late);
    await declareWaitingRoom(model, queue, ms);
    rooms.add(waitingRoomOf(queue, ms));
  };

  return {
    send,
    sendLater: async (queue, ms, content, publish) => {
      const room = waitingRoomOf(queue, ms);
      if (!rooms.has(room)) await declareRoom(queue, ms);
      await send('', room, content, publish).catch(async (error: unknown) => {
        if (!(error instanceof Unroutable)) throw error;
        // Deleted since: it is made again, once.
        await declareRoom(queue, ms);
        await send('', room, content, publish);
      });
    },
    isReady: () => open.phase() === 'open',
    attempted: open.attempted,
    close: async () => {
      unwatch();
      await open.stop();
    },
  };
};
