import { isDependencyDown } from '@assay/runtime';
import { type TcpProxy, testStack, waitFor } from '@assay/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Channel, type ChannelModel, type ConfirmChannel, connect, type Options } from 'amqplib';
import { createDeadLetters } from './dead-letters.ts';
import { type Bus, deadLettersOf } from './index.ts';
import { connectThroughProxy } from './testing/proxied-bus.ts';

const name = 'notifier.codes';
const { amqpUrl } = testStack();

let raw: ChannelModel;
let channel: ConfirmChannel;
let proxy: TcpProxy;
let queue: string;
let bus: Bus;
let close: () => Promise<void>;
beforeAll(async () => {
  raw = await connect(amqpUrl);
  channel = await raw.createConfirmChannel();
});
afterAll(() => raw.close());
beforeEach(async () => {
  const connected = await connectThroughProxy();
  ({ bus, proxy, close } = connected);
  queue = connected.own + name;
});
afterEach(() => close());

const put = async (content: Buffer, options: Options.Publish = {}): Promise<void> => {
  channel.sendToQueue(deadLettersOf(queue), content, { persistent: true, ...options });
  await channel.waitForConfirms();
};

test('whatever a message and its headers are, it is shown, and so are the others', async () => {
  await put(Buffer.from([0, 255, 254]), { headers: { 'x-death': 'yesterday', 'x-reason': 'for the test' } });
  await put(Buffer.alloc(0), { headers: { 'x-death': [null, 'x', { reason: 'rejected', time: { value: 'then' } }] } });
  await put(Buffer.from('[1]'), { headers: { 'x-first-failed-at': 9e15, 'x-reason': Buffer.from([255]) } });
  await put(Buffer.alloc(1024 * 1024, 'a'), { headers: { 'x-first-failed-at': Date.UTC(2030, 0) } });
  await put(Buffer.from('{"tenantId": {}, "identityId": ["x"]}'), { headers: { 'x-first-failed-at': -1 } });
  expect(await bus.deadLetters.peek(name)).toEqual([
    { reason: 'for the test' },
    { reason: expect.any(String) },
    { reason: expect.any(String) },
    { reason: 'unknown', firstFailedAt: '2030-01-01T00:00:00.000' },
    { reason: 'unknown' },
  ]);
  expect(await bus.deadLetters.remove(name)).toBe(5);
});

test('of a broker that does not answer they are unavailable, and it does not take long', async () => {
  await put(Buffer.from('1'));
  proxy.swallow();
  const { list, peek, replay, remove } = bus.deadLetters;
  const asked = await Promise.allSettled([list(), peek(name), replay(name), remove(name)]);
  for (const result of asked) expect(isDependencyDown((result as PromiseRejectedResult).reason)).toBe(true);
}, 10_000);

test('of a broker that is lost meanwhile they are unavailable, and work again afterwards', async () => {
  await put(Buffer.from('1'));
  proxy.swallow();
  const asked = Promise.allSettled([bus.deadLetters.list(), bus.deadLetters.remove(name)]);
  proxy.cut();
  for (const result of await asked) expect(isDependencyDown((result as PromiseRejectedResult).reason)).toBe(true);
  proxy.release();
  await waitFor('the publisher', () => bus.isReady());
  expect(await bus.deadLetters.list()).toEqual([{ queue: name, count: 1 }]);
}, 20_000);

test('of a broker that refuses them for now they are unavailable', async () => {
  const owner = await connect(amqpUrl);
  const locking = await owner.createChannel();
  await locking.deleteQueue(deadLettersOf(queue));
  await locking.assertQueue(deadLettersOf(queue), { exclusive: true, durable: false });
  const { list, peek, replay, remove } = bus.deadLetters;
  const asked = await Promise.allSettled([list(), peek(name), replay(name), remove(name)]);
  for (const result of asked) expect(isDependencyDown((result as PromiseRejectedResult).reason)).toBe(true);
  await owner.close();
  expect(await list()).toEqual([]);
});

test('more of them than are sent together are replayed once each, the oldest first', async () => {
  for (let n = 0; n < 250; n += 1) channel.sendToQueue(deadLettersOf(queue), Buffer.from(`${n}`), { persistent: true });
  await channel.waitForConfirms();
  expect(await bus.deadLetters.replay(name, 230)).toBe(230);
  expect(await bus.deadLetters.list()).toEqual([{ queue: name, count: 20 }]);
  expect(await bus.deadLetters.replay(name)).toBe(20);
  const replayed: string[] = [];
  for (let message = await channel.get(queue); message; message = await channel.get(queue)) {
    replayed.push(message.content.toString());
    channel.ack(message);
  }
  expect(replayed).toEqual(Array.from({ length: 250 }, (_, n) => `${n}`));
}, 60_000);

test('none is in both queues after a replay, however many there are', async () => {
  const count = 1000;
  for (let n = 0; n < count; n += 1)
    channel.sendToQueue(deadLettersOf(queue), Buffer.from(`${n}`), { persistent: true });
  await channel.waitForConfirms();
  for (const _round of [1, 2]) {
    expect(await bus.deadLetters.replay(name)).toBe(count);
    expect(await bus.deadLetters.list()).toEqual([]);
    const taken = await raw.createChannel();
    let back = 0;
    await taken.consume(
      queue,
      (message) => {
        if (message) channel.sendToQueue(deadLettersOf(queue), message.content, { persistent: true });
        back += 1;
      },
      { noAck: true },
    );
    await waitFor('all of them', () => back === count);
    await channel.waitForConfirms();
    await taken.close();
  }
}, 60_000);

test('of a channel that closes under a replay they are unavailable, and none is lost', async () => {
  await put(Buffer.from('1'));
  const opened: Channel[] = [];
  const model = {
    createChannel: async () => {
      const own = await raw.createChannel();
      opened.push(own);
      return own;
    },
  } as ChannelModel;
  const send = async (exchange: string, to: string, content: Buffer): Promise<void> => {
    channel.publish(exchange, to, content, { persistent: true });
    await channel.waitForConfirms();
    await opened.at(-1)?.close();
  };
  const namespace = queue.slice(0, -name.length);
  const { replay, list } = createDeadLetters({
    model: async () => model,
    outgoing: { send },
    namespace,
    answerMs: 5000,
  });
  const [failed] = await Promise.allSettled([replay(name)]);
  expect(isDependencyDown((failed as PromiseRejectedResult).reason)).toBe(true);
  expect(await list()).toEqual([{ queue: name, count: 1 }]);
});

test('whose queue was deleted are unavailable, and stay until it is back', async () => {
  await put(Buffer.from('1'));
  await channel.deleteQueue(queue);
  const [failed] = await Promise.allSettled([bus.deadLetters.replay(name)]);
  expect(isDependencyDown((failed as PromiseRejectedResult).reason)).toBe(true);
  expect(await bus.deadLetters.list()).toEqual([{ queue: name, count: 1 }]);
});
