import { describe, expect, jest, test } from '@jest/globals';
import type { ConsumeMessage } from 'amqplib';
import { createWaitingCopies } from './waiting-copies.ts';

const message = (messageId?: string, type = 'an.event') =>
  ({ properties: { messageId, type }, fields: {} }) as ConsumeMessage;
const MINUTE = 60_000;

/** A waiting room that counts the messages put into it, and fails the first `failures` times. */
const room = (failures = 0) => {
  let tries = 0;
  return {
    tries: () => tries,
    send: async (): Promise<void> => {
      tries += 1;
      await Promise.resolve();
      if (tries <= failures) throw new Error('not confirmed');
    },
  };
};

describe('copies of a message', () => {
  test('wait once: while one is in a waiting room no other is put there', async () => {
    const waiting = createWaitingCopies();
    const { send, tries } = room();
    await waiting.put(message('a'), MINUTE, send);
    await waiting.put(message('a'), MINUTE, send);
    expect([tries(), waiting.has(message('a')), waiting.has(message('b'))]).toEqual([1, true, false]);
  });

  test('that are sent at once wait once', async () => {
    const waiting = createWaitingCopies();
    const { send, tries } = room();
    await Promise.all([1, 2, 3].map(() => waiting.put(message('a'), MINUTE, send)));
    expect(tries()).toBe(1);
  });

  test('wait as soon as one is confirmed: an unconfirmed one does not count', async () => {
    const waiting = createWaitingCopies();
    const { send, tries } = room(2);
    const put = () => waiting.put(message('a'), MINUTE, send);
    const ended = await Promise.allSettled([put(), put(), put()]);
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect([tries(), waiting.has(message('a'))]).toEqual([3, true]);
  });

  test('of which none is confirmed leave nothing behind', async () => {
    const waiting = createWaitingCopies();
    await expect(waiting.put(message('a'), MINUTE, room(1).send)).rejects.toThrow('not confirmed');
    expect(waiting.has(message('a'))).toBe(false);
  });

  test('count as waiting for less than their time, so that a message from the room is handled', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(1000);
    try {
      const waiting = createWaitingCopies();
      await waiting.put(message('a'), 100, room().send);
      expect(waiting.has(message('a'))).toBe(true);
      clock.mockReturnValue(1100);
      expect(waiting.has(message('a'))).toBe(false);
    } finally {
      clock.mockRestore();
    }
  });

  test('are of one type: an event of another one is another message, whatever its id', async () => {
    const waiting = createWaitingCopies();
    await waiting.put(message('a'), MINUTE, room().send);
    expect(waiting.has(message('a', 'another.event'))).toBe(false);
  });

  test('cannot be recognised without an id: each of them waits', async () => {
    const waiting = createWaitingCopies();
    const { send, tries } = room();
    await waiting.put(message(), MINUTE, send);
    await waiting.put(message(), MINUTE, send);
    expect([tries(), waiting.has(message())]).toEqual([2, false]);
  });

  test('of more than ten thousand messages are not remembered: the oldest is handled again', async () => {
    const waiting = createWaitingCopies();
    for (let n = 0; n <= 10_000; n += 1) await waiting.put(message(`${n}`), MINUTE, room().send);
    expect([waiting.has(message('0')), waiting.has(message('1'))]).toEqual([false, true]);
  });
});
