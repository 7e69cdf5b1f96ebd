import { describe, expect, test } from '@jest/globals';
import type { ConsumeMessage } from 'amqplib';
import fc from 'fast-check';
import { createAcks } from './acks.ts';

const messageOf = (deliveryTag: number) => ({ fields: { deliveryTag } }) as unknown as ConsumeMessage;

/**
 * A broker that has delivered messages 1 to `count`, with the acknowledgements that it received.
 */
const handedOut = (count: number) => {
  const unanswered = new Set(Array.from({ length: count }, (_, at) => at + 1));
  const frames: string[] = [];
  const returned: number[] = [];
  const answer = (tag: number): void => {
    // The broker closes a channel that acknowledges a message twice.
    if (!unanswered.delete(tag)) throw new Error(`${tag} was answered before`);
  };
  const channel = {
    ack: ({ fields }: ConsumeMessage, allUpTo = false): void => {
      const upTo = allUpTo ? [...unanswered].filter((tag) => tag < fields.deliveryTag) : [];
      for (const tag of [...upTo, fields.deliveryTag]) answer(tag);
      frames.push(allUpTo ? `up to ${fields.deliveryTag}` : `${fields.deliveryTag}`);
    },
    nack: ({ fields }: ConsumeMessage): void => {
      answer(fields.deliveryTag);
      returned.push(fields.deliveryTag);
    },
  };
  const turns: (() => void)[] = [];
  const state = { isOpen: true };
  const acks = createAcks(
    channel,
    () => state.isOpen,
    (work) => void turns.push(work),
  );
  for (const tag of unanswered) acks.took(messageOf(tag));
  const nextTurn = (): void => {
    for (const work of turns.splice(0)) work();
  };
  return { acks, unanswered, frames, returned, nextTurn, state };
};

describe('acknowledgements of one turn', () => {
  test('of the first messages without a gap are one frame, the others are sent separately', () => {
    const { acks, frames, unanswered, nextTurn } = handedOut(6);
    for (const tag of [2, 1, 3, 5]) acks.ack(messageOf(tag));
    expect(frames).toEqual([]);
    nextTurn();
    expect(frames).toEqual(['up to 3', '5']);
    for (const tag of [4, 6]) acks.ack(messageOf(tag));
    nextTurn();
    expect(frames).toEqual(['up to 3', '5', 'up to 6']);
    expect(unanswered.size).toBe(0);
  });

  test('are sent before a channel is closed, and not to a closed one', () => {
    const { acks, frames, state, nextTurn } = handedOut(2);
    acks.ack(messageOf(1));
    acks.flush();
    nextTurn();
    acks.ack(messageOf(2));
    state.isOpen = false;
    nextTurn();
    expect(frames).toEqual(['up to 1']);
  });

  test('settle each finished message once, and no message in process', () => {
    const step = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.constantFrom('ack', 'giveBack', 'turn'));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { acks, unanswered, returned, nextTurn } = handedOut(12);
        const ended = new Map<number, string>();
        for (const [tag, what] of steps) {
          if (what === 'turn') nextTurn();
          else if (!ended.has(tag)) {
            ended.set(tag, what);
            acks[what as 'ack' | 'giveBack'](messageOf(tag));
          }
        }
        nextTurn();
        const left = Array.from({ length: 12 }, (_, at) => at + 1).filter((tag) => !ended.has(tag));
        expect([...unanswered]).toEqual(left);
        expect(returned.toSorted()).toEqual(
          [...ended].flatMap(([tag, what]) => (what === 'ack' ? [] : [tag])).toSorted(),
        );
      }),
    );
  });
});
