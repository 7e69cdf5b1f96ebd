import { randomUUID } from 'node:crypto';
import type { ConfirmChannel, Options } from 'amqplib';

/**
 * Why a message was not confirmed. It may have been stored all the same: repeat it under the same
 * message id.
 */
export class NotPublished extends Error {
  override name = 'NotPublished';
}

/**
 * The broker has no queue for it. That is no outage: the same message will fail again until
 * somebody declares the queue.
 */
export class Unroutable extends NotPublished {
  override name = 'Unroutable';
}

export interface Publisher {
  /**
   * Resolves when the broker has stored the message in at least one queue. Rejects with
   * NotPublished otherwise.
   */
  send(exchange: string, routingKey: string, content: Buffer, options: Options.Publish): Promise<void>;
}

export interface PublisherOptions {
  channel: ConfirmChannel;
  /** How long the broker may take to confirm, in milliseconds. */
  confirmMs: number;
  /** A confirm did not come: the channel may be of no use any more. */
  onTimeout(): void;
}

const WINDOW = 256;

/** Confirmed, mandatory publishing on one channel, with a bounded number of messages in flight. */
export const createPublisher = ({ channel, confirmMs, onTimeout }: PublisherOptions): Publisher => {
  const returned = new Set<string>();
  const waiting: (() => void)[] = [];
  let inFlight = 0;
  let closed = false;
  channel.on('return', (message) => returned.add(String(message.properties.headers?.['x-send'])));
  channel.on('close', () => {
    closed = true;
  });

  const place = async (): Promise<void> => {
    if (inFlight >= WINDOW) await new Promise<void>((resolve) => waiting.push(resolve));
    inFlight += 1;
  };
  const leave = (): void => {
    inFlight -= 1;
    waiting.shift()?.();
  };

  const confirmed = (exchange: string, routingKey: string, content: Buffer, options: Options.Publish): Promise<void> =>
    new Promise((resolve, reject) => {
      // A returned message differs from its repeats by an id of this one sending; its return
      // arrives before its confirm.
      const sending = randomUUID();
      const headers = { ...options.headers, 'x-send': sending };
      const timer = setTimeout(() => {
        reject(new NotPublished(`no confirm within ${confirmMs} ms: ${routingKey}`));
        onTimeout();
      }, confirmMs);
      const settle = (error: unknown): void => {
        clearTimeout(timer);
        const wasReturned = returned.delete(sending);
        if (error) reject(new NotPublished(`not confirmed: ${routingKey}`));
        else if (wasReturned) reject(new Unroutable(`no queue takes ${routingKey}`));
        else resolve();
      };
      channel.publish(exchange, routingKey, content, { ...options, headers, mandatory: true }, settle);
    });

  return {
    send: async (exchange, routingKey, content, options) => {
      await place();
      if (closed) {
        leave();
        throw new NotPublished(`channel closed: ${routingKey}`);
      }
      await confirmed(exchange, routingKey, content, options).finally(leave);
    },
  };
};
