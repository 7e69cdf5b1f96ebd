import { type Closable, gauge, type Log, watchReadiness } from '@assay/runtime';
import type { Channel } from 'amqplib';
import { type Acks, createAcks } from './acks.ts';
import { createHandling, type HandlingDeps } from './handling.ts';
import type { Run } from './keep.ts';
import type { Link } from './link.ts';
import { declareQueue } from './topology.ts';
import { watchSubscription } from './watch.ts';

interface Subscribed {
  channel: Channel;
  acks: Acks;
  tag: string;
}

const WATCH_MS = 5000;
const subscribed = gauge('assay_consumer_subscribed', '1 while the queue is subscribed', ['queue']);

export interface Consumer extends Closable {
  isReady(): boolean;
}

/** Tells when the channel is lost; false from then on. */
const untilLost = (channel: Channel, run: Run): (() => boolean) => {
  let isOpen = true;
  const over = (reason: unknown): void => {
    isOpen = false;
    run.lost(reason);
  };
  channel.on('error', over);
  channel.on('close', () => over('channel closed'));
  return () => isOpen;
};

/**
 * One queue's consumer: one subscription at a time, over every channel and connection to come.
 * Resolves after the first attempt to subscribe.
 */
export const startConsumer = async (
  link: Link,
  namespace: string,
  parts: HandlingDeps & { log: Log; watchMs?: number | undefined; stopping?: AbortSignal },
): Promise<Consumer> => {
  const { name, queue, options, log, stopping } = parts;
  const handling = createHandling(parts);

  const subscription = link.keep<Subscribed>({
    name: `consumer ${queue}`,
    open: async (model, run) => {
      await declareQueue(model, name, { namespace, log });
      const channel = await model.createChannel();
      const isOpen = untilLost(channel, run);
      await channel.prefetch(options.prefetch);
      const acks = createAcks(channel, isOpen);
      const { consumerTag } = await channel.consume(queue, (message) => {
        if (!message) return run.unusable('cancelled by the broker');
        acks.took(message);
        handling.take({ acks, message, isOpen });
      });
      const { seen } = acks;
      watchSubscription({ channel, queue, everyMs: parts.watchMs ?? WATCH_MS, seen, unusable: run.unusable });
      return { channel, acks, tag: consumerTag };
    },
    close: async ({ channel, acks, tag }) => {
      await channel.cancel(tag).catch(() => undefined);
      if (isClosing) await handling.drain();
      acks.flush();
      await channel.close();
    },
    // Closing waits for the messages that are not settled.
    stuckMs: 60_000,
    onPhase: (phase) => subscribed.set({ queue }, phase === 'open' ? 1 : 0),
  });
  let isClosing = false;

  const readiness = () => {
    const stuckMs = handling.stuckFor();
    if (stuckMs !== undefined) return { reason: `nothing settled for ${Math.round(stuckMs / 1000)} s` };
    if (subscription.phase() === 'open')
      return handling.isProbing() ? { note: 'tries one message at a time: the last ones failed' } : (true as const);
    const isDependency = link.connection.phase() !== 'open';
    const why = isDependency ? link.connection.reason() : subscription.reason();
    return { reason: `not subscribed: ${why ?? 'opening'}`, isDependency };
  };
  const unwatch = watchReadiness(`consumer ${queue}`, readiness);
  const close = async (): Promise<void> => {
    isClosing = true;
    unwatch();
    await subscription.stop();
    await handling.drain();
  };
  // The process goes on answering for a while. Another one works on what comes from now on.
  stopping?.addEventListener('abort', () => void close(), { once: true });
  await subscription.attempted;

  return { isReady: () => subscription.phase() === 'open' && handling.stuckFor() === undefined, close };
};
