import { type Envelope, oneTimeCodeRequested } from '@assay/contracts';
import { connectMongo, createOutbox, type OutboxDocument, outboxEntry, outboxFields, outboxIndex } from '@assay/mongo';
import { quietLog, testStack, waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { connect } from 'amqplib';
import { Schema } from 'mongoose';
import { type Bus, connectBus, deadLettersOf, on, Poison, RetryLater } from './index.ts';

const queue = 'notifier.codes';
const { mongoUrl, amqpUrl, database, namespace } = testStack();
const own = namespace();
const id = (n: string | number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const entry = (n: number) =>
  outboxEntry(oneTimeCodeRequested, {
    tenantId: id('tenant'),
    identityId: id('identity'),
    id: id(n),
    at: new Date(),
    data: {
      codeId: id(n),
      evidenceId: id(n),
      channel: 'EMAIL',
      expiresAt: '2030-01-01T00:00:00.000',
      sealedMessage: 'x',
    },
  });

let bus: Bus;
let raw: Awaited<ReturnType<typeof connect>>;
beforeAll(async () => {
  bus = await connectBus({ url: amqpUrl, service: 'notifier', log: quietLog, namespace: own });
  raw = await connect(amqpUrl);
});
afterAll(async () => {
  await bus.close();
  await raw.close();
});

const consuming = async (handle: (event: Envelope<{ codeId: string }>) => Promise<void>, givenUp: string[] = []) =>
  bus.consume(queue, [on(oneTimeCodeRequested, handle)], {
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
  test('retries a failing message until its limit, then gives it up and moves it to the dead letters', async () => {
    const seen: string[] = [];
    const givenUp: string[] = [];
    const consumer = await consuming(async ({ data }) => {
      seen.push(data.codeId);
      if (data.codeId === id(1)) throw new Error('broken');
    }, givenUp);
    await bus.publish(entry(1));
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

  test('keeps a message that cannot be handled yet, and hands it out again', async () => {
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

  test('refuses an event of another shape, and one that no queue takes', async () => {
    await expect(bus.publish({ ...entry(5), data: { codeId: 1 } })).rejects.toThrow('data');
    await expect(bus.publish({ ...entry(5), type: 'unknown' })).rejects.toThrow('no event of ours');
  });

  test('compiles what a message must look like once, however many arrive', async () => {
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
});

/** An outbox of its own, and a broker in front of it that can be out of reach. */
const anOutbox = async (sweepEveryMs: number) => {
  const store = await connectMongo(mongoUrl, database('outbox'), quietLog);
  const schema = new Schema<OutboxDocument>({ _id: String, ...outboxFields });
  outboxIndex(schema);
  const model = store.connection.model<OutboxDocument>('things', schema);
  await store.ensureIndexes();
  const published: string[] = [];
  const broker = { isBroken: false };
  const publish = async (event: Envelope<unknown>): Promise<void> => {
    if (broker.isBroken) throw new Error('no broker');
    published.push(event.id);
  };
  const outbox = createOutbox({ model, service: 'test', log: quietLog, sweepEveryMs, graceMs: 0, bus: { publish } });
  const left = async (_id: string) => (await model.findById(_id).lean())?.outbox?.length;
  const close = async () => {
    await outbox.close();
    await store.connection.dropDatabase();
    await store.close();
  };
  return { model, outbox, published, broker, left, close };
};

test('an outbox publishes what was written, once it can', async () => {
  const { model, outbox, published, broker, left, close } = await anOutbox(50);
  broker.isBroken = true;
  await model.create({ _id: 'a', outbox: [entry(7), entry(8)] });
  await outbox.publishNow('a');
  expect(published).toEqual([]);
  broker.isBroken = false;
  await waitFor('the sweeper', async () => (await left('a')) === 0);
  expect(published).toEqual([id(7), id(8)]);
  const plan = await model
    .find({ 'outbox.0.at': { $exists: true } })
    .setOptions({ sanitizeFilter: false })
    .sort({ 'outbox.0.at': 1 })
    .explain();
  expect(JSON.stringify(plan)).toContain('"indexName":"outbox"');
  await close();
});

test('an outbox publishes what it is given beside the write, and what had to stay behind before that', async () => {
  const { model, outbox, published, broker, left, close } = await anOutbox(3_600_000);
  await model.create({ _id: 'b', outbox: [entry(7)] });
  await outbox.publishNow('b', [entry(7)]);
  expect(published).toEqual([id(7)]);
  expect(await left('b')).toBe(0);
  broker.isBroken = true;
  await model.updateOne({ _id: 'b' }, { $push: { outbox: entry(8) } });
  await outbox.publishNow('b', [entry(8)]);
  broker.isBroken = false;
  await model.updateOne({ _id: 'b' }, { $push: { outbox: entry(9) } });
  await outbox.publishNow('b', [entry(9)]);
  expect(published).toEqual([id(7), id(8), id(9)]);
  expect(await left('b')).toBe(0);
  await close();
});
