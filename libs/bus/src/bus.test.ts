import { type Envelope, oneTimeCodeRequested } from '@assay/contracts';
import { quietLog, testStack, waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { connect } from 'amqplib';
import { type Bus, type BusOptions, connectBus, deadLettersOf, on, Poison, RetryLater } from './index.ts';
import { waitingRoomOf } from './names.ts';
import { entry, id, neverSent } from './testing/code-requests.ts';
import { declareQueue, onOwnChannel } from './topology.ts';

const queue = 'notifier.codes';
const { amqpUrl, namespace } = testStack();
const own = namespace();

let bus: Bus;
let raw: Awaited<ReturnType<typeof connect>>;
beforeAll(async () => {
  bus = await connectBus({
    ...{ url: amqpUrl, service: 'notifier', log: quietLog, namespace: own },
    ...{ roomsMs: [20, 50, 100], watchMs: 250 },
  });
  raw = await connect(amqpUrl);
});
afterAll(async () => {
  await bus.close();
  await raw.close();
});

const consuming = async (handle: (event: Envelope<{ codeId: string }>) => Promise<void>, givenUp: string[] = []) =>
  bus.consume(queue, [on(oneTimeCodeRequested, handle), neverSent], {
    prefetch: 4,
    onGivenUp: async (event) => {
      givenUp.push(event.id);
    },
  });
const deadLetter = async () => {
  const channel = await raw.createChannel();
  const message = await waitFor(
    'a dead letter',
    async () => (await channel.get(deadLettersOf(own + queue))) || undefined,
  );
  channel.ack(message);
  await channel.close();
  return message;
};

describe('the bus', () => {
  test('retries a failing message until its limit, then moves it to the dead letters', async () => {
    const seen: string[] = [];
    const givenUp: string[] = [];
    const consumer = await consuming(async ({ data }) => {
      seen.push(data.codeId);
      if (data.codeId === id(1)) throw new Error('broken');
    }, givenUp);
    await bus.publish(entry(1));
    await waitFor('its first failure', () => seen.length === 1);
    await bus.publish(entry(2));
    expect((await deadLetter()).properties.messageId).toBe(id(1));
    expect(seen.filter((each) => each === id(1))).toHaveLength(5);
    expect(seen).toContain(id(2));
    expect(givenUp).toEqual([id(1)]);
    await consumer.close();
  });

  test('sends poison straight to the dead letters', async () => {
    let calls = 0;
    const consumer = await consuming(async () => {
      calls += 1;
      throw new Poison('never');
    });
    await bus.publish(entry(3));
    expect((await deadLetter()).properties.messageId).toBe(id(3));
    expect(calls).toBe(1);
    const channel = await raw.createChannel();
    channel.sendToQueue(own + queue, Buffer.from('{'), { type: oneTimeCodeRequested.type });
    expect((await deadLetter()).content.toString()).toBe('{');
    await channel.close();
    await consumer.close();
  });

  test('stores a message that cannot be handled yet, and delivers it again', async () => {
    let calls = 0;
    const consumer = await consuming(async () => {
      calls += 1;
      if (calls === 1) throw new RetryLater('not yet');
      if (calls === 2) throw Object.assign(new Error('down'), { code: 'ECONNREFUSED' });
    });
    await bus.publish(entry(4));
    await waitFor('the third attempt', () => calls === 3);
    await consumer.close();
  });

  test('handles no duplicate of a message that waits', async () => {
    const roomMs = 60_000;
    const named = namespace();
    const patient = await connectBus({
      ...{ url: amqpUrl, service: 'notifier', log: quietLog, namespace: named, roomsMs: [roomMs] },
    });
    const waits = () => onOwnChannel(raw, (channel) => channel.checkQueue(waitingRoomOf(named + queue, roomMs)));
    const seen: string[] = [];
    const notYet = on(oneTimeCodeRequested, async (event: Envelope<{ codeId: string }>) => {
      seen.push(event.data.codeId);
      if (event.data.codeId === id(4)) throw new RetryLater('not yet');
    });
    const consumer = await patient.consume(queue, [notYet, neverSent], { prefetch: 1 });
    for (const n of [4, 5, 4, 4, 6]) await patient.publish(entry(n));
    await waitFor('the last message', () => seen.includes(id(6)));
    expect(seen).toEqual([id(4), id(5), id(6)]);
    expect((await waits()).messageCount).toBe(1);
    await consumer.close();
    await patient.close();
  });

  test('moves what exceeds a share to the other queue as it is, and nothing that cannot be read', async () => {
    const other = 'verification-worker.surplus';
    const seen: string[] = [];
    const handler = on(oneTimeCodeRequested, async (event: Envelope<{ codeId: string }>) => {
      seen.push(event.data.codeId);
    });
    const exceeds = (event: Envelope<unknown>): boolean => event.id === id(7);
    const consumer = await bus.consume(queue, [handler, neverSent], {
      ...{ prefetch: 4, surplus: { queue: other, exceeds } },
    });
    const channel = await raw.createChannel();
    channel.sendToQueue(own + queue, Buffer.from('{'), { type: oneTimeCodeRequested.type });
    for (const n of [7, 8]) await bus.publish(entry(n));
    expect((await deadLetter()).content.toString()).toBe('{');
    const moved = await waitFor('what was moved', async () => (await channel.get(own + other)) || undefined);
    expect(moved.properties).toMatchObject({ messageId: id(7), type: oneTimeCodeRequested.type });
    expect(JSON.parse(moved.content.toString())).toMatchObject({ id: id(7), data: { codeId: id(7) } });
    await waitFor('the other event', () => seen.length > 0);
    expect(seen).toEqual([id(8)]);
    channel.ack(moved);
    await channel.close();
    await consumer.close();
  });

  test('refuses an event of another shape, and one without a queue', async () => {
    await expect(bus.publish({ ...entry(5), data: { codeId: 1 } })).rejects.toThrow('data');
    await expect(bus.publish({ ...entry(5), type: 'unknown' })).rejects.toThrow('no event of ours');
  });

  test('compiles the schema of a message once, however many arrive', async () => {
    const compile = jest.spyOn(Ajv2020.prototype, 'compile');
    const seen: string[] = [];
    const consumer = await consuming(async ({ id: messageId }) => {
      seen.push(messageId);
    });
    for (const n of [10, 11, 12, 13]) await bus.publish(entry(n));
    await waitFor('all of them', () => seen.length === 4);
    expect(compile.mock.calls.length).toBeLessThanOrEqual(1);
    compile.mockRestore();
    await consumer.close();
  });

  test('subscribes again after the server closed its channel', async () => {
    const seen: string[] = [];
    const consumer = await consuming(async ({ id: messageId }) => {
      seen.push(messageId);
    });
    const channel = await raw.createChannel();
    await channel.deleteQueue(own + queue);
    await channel.close();
    await waitFor('the queue is back', async () => {
      await bus.publish(entry(6)).catch(() => undefined);
      return seen.includes(id(6));
    });
    await consumer.close();
  });

  test('subscribes again to a queue that was deleted and declared again before the broker reported it', async () => {
    const seen: string[] = [];
    const consumer = await consuming(async ({ id: messageId }) => {
      seen.push(messageId);
    });
    await onOwnChannel(raw, (channel) => channel.deleteQueue(own + queue));
    await declareQueue(raw, queue, { namespace: own, log: quietLog });
    // These may first have been delivered to the former subscription.
    const events = [20, 21, 22, 23, 24, 25];
    for (const n of events) await bus.publish(entry(n));
    await waitFor('every message', () => events.every((n) => seen.includes(id(n))));
    await consumer.close();
  });
});

test('if a node does not answer, the next one that the address names is tried', async () => {
  const { host, port } = new URL(amqpUrl);
  const dialled: string[] = [];
  const secondOnly: BusOptions['connect'] = async (url, options) => {
    dialled.push(new URL(url).host);
    if (dialled.length === 1) throw new Error('no node there');
    return connect(url, options);
  };
  const several = await connectBus({
    ...{ url: amqpUrl.replace(host, `${host},localhost:${port}`), service: 'notifier', log: quietLog },
    ...{ namespace: own, connect: secondOnly },
  });
  expect(new Set(dialled.slice(0, 2))).toEqual(new Set([host, `localhost:${port}`]));
  await waitFor('both connections', () => several.isReady());
  await several.close();
});
