import { type Envelope, EXCHANGE, oneTimeCodeRequested, QUEUES } from '@assay/contracts';
import { systemClock, watchedReadiness } from '@assay/runtime';
import { quietLog, type TcpProxy, testStack, waitFor } from '@assay/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Channel, type ChannelModel, connect } from 'amqplib';
import { type Bus, type ConsumeOptions, connectBus, deadLettersOf, on, RetryLater } from './index.ts';
import { createLink } from './link.ts';
import { createSettle } from './settle.ts';
import { entry, id, neverSent } from './testing/code-requests.ts';
import { connectThroughProxy } from './testing/proxied-bus.ts';
import { declareQueue, declareTopology } from './topology.ts';
import { createWaitingCopies } from './waiting-copies.ts';

const name = 'notifier.codes';
const { amqpUrl, namespace } = testStack();

let raw: ChannelModel;
let proxy: TcpProxy;
let own: string;
let queue: string;
let bus: Bus;
let close: () => Promise<void>;
beforeAll(async () => {
  raw = await connect(amqpUrl);
});
afterAll(() => raw.close());
beforeEach(async () => {
  ({ bus, proxy, own, close } = await connectThroughProxy({ roomsMs: [20, 50, 100] }));
  queue = own + name;
});
afterEach(() => close());

const withRaw = async <T>(work: (channel: Channel) => Promise<T>): Promise<T> => {
  const channel = await raw.createChannel();
  channel.on('error', () => undefined);
  try {
    return await work(channel);
  } finally {
    await channel.close().catch(() => undefined);
  }
};
const counts = (which = queue) =>
  withRaw((channel) => channel.checkQueue(which)).catch(() => ({ consumerCount: -1, messageCount: -1 }));
const consuming = (
  handle: (event: Envelope<{ codeId: string }>) => Promise<void>,
  options: Partial<ConsumeOptions> = {},
) => bus.consume(name, [on(oneTimeCodeRequested, handle), neverSent], { prefetch: 4, ...options });
const collecting = () => {
  const seen: string[] = [];
  return {
    seen,
    handle: async (event: Envelope<unknown>) => {
      seen.push(event.id);
    },
  };
};
const published = (n: number) =>
  waitFor(`message ${n} is published`, async () =>
    bus.publish(entry(n)).then(
      () => true,
      () => undefined,
    ),
  );
const part = (what: string) => watchedReadiness().get(what);

describe('a connection that is lost', () => {
  test('leaves one subscription, however often and however quickly it is lost', async () => {
    const { seen, handle } = collecting();
    const consumer = await consuming(handle);
    for (let n = 0; n < 4; n += 1) {
      proxy.cut();
      await waitFor('it is back', () => bus.isReady());
    }
    await published(1);
    await waitFor('the message', () => seen.includes(id(1)));
    expect((await counts()).consumerCount).toBe(1);

    await consumer.close();
    await waitFor('no consumer is left', async () => (await counts()).consumerCount === 0);
    for (const n of [2, 3, 4]) await published(n);
    expect(await counts()).toMatchObject({ messageCount: 3, consumerCount: 0 });
    expect((await counts(deadLettersOf(queue))).messageCount).toBe(0);
    expect(seen).not.toContain(id(2));
  });

  test('on shutdown finishes begun messages and returns the others', async () => {
    let finish = (): void => undefined;
    let begun = 0;
    const consumer = await consuming(
      async () => {
        begun += 1;
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
      },
      { prefetch: 1 },
    );
    for (const n of [1, 2, 3]) await published(n);
    await waitFor('the first is begun', () => begun === 1);
    const closed = consumer.close();
    await published(4);
    finish();
    await closed;
    expect(begun).toBe(1);
    await waitFor('the others are left', async () => (await counts()).messageCount === 3);
  });

  test('once the process is to stop, no message is taken, what is begun ends, and it still publishes', async () => {
    const stopping = new AbortController();
    const log = quietLog;
    const ending = await connectBus({
      ...{ url: amqpUrl, service: 'notifier', log, namespace: own, stopping: stopping.signal },
    });
    let finish = (): void => undefined;
    const begun: string[] = [];
    const handle = async (event: Envelope<unknown>): Promise<void> => {
      begun.push(event.id);
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
    };
    await ending.consume(name, [on(oneTimeCodeRequested, handle), neverSent], { prefetch: 1 });
    for (const n of [1, 2]) await published(n);
    await waitFor('the first is begun', () => begun.length === 1);
    stopping.abort();
    await ending.publish(entry(3));
    finish();
    await waitFor('no consumer is left', async () => (await counts()).consumerCount === 0);
    expect((await counts()).messageCount).toBe(2);
    expect(begun).toEqual([id(1)]);
    expect(part(`consumer ${queue}`)).toBeUndefined();
    await ending.close();
  });

  test('reports from the first failed attempt on why it cannot be opened', async () => {
    const lines: unknown[] = [];
    const log = { ...quietLog, warn: (line: unknown) => void lines.push(line) };
    const wrong = new URL(amqpUrl);
    wrong.password = 'wrong';
    const link = createLink({ url: wrong.toString(), service: 'test', purpose: 'publish', log });
    link.connection.baseUp();
    await waitFor('the first line', () => lines.length > 0, 2000);
    expect(lines[0]).toMatchObject({ msg: 'bus.lost', what: 'connection to publish', attempt: 1 });
    expect(link.connection.reason()).toMatch(/ACCESS_REFUSED|403|login/i);
    await link.close();
  });
});

describe('a queue', () => {
  test('that is deleted and declared differently is repaired once it is right again, and readiness reports it', async () => {
    const { seen, handle } = collecting();
    const consumer = await consuming(handle);
    const declaredOtherwise = () =>
      withRaw(async (channel) => {
        await channel.deleteQueue(queue);
        await channel.assertQueue(queue, { durable: true });
      }).then(
        () => true,
        // We declared it in between.
        () => undefined,
      );
    await waitFor('it is declared otherwise', declaredOtherwise);
    await waitFor('the process is not ready', () => {
      const readiness = part(`consumer ${queue}`);
      return readiness !== true && !bus.isReady() && JSON.stringify(readiness).includes('PRECONDITION_FAILED');
    });
    await withRaw((channel) => channel.deleteQueue(queue));
    await waitFor('it is subscribed again', () => bus.isReady(), 15_000);
    await published(1);
    await waitFor('the message', () => seen.includes(id(1)));
    await consumer.close();
    expect(part(`consumer ${queue}`)).toBeUndefined();
  }, 30_000);

  test('is unbound from events that it no longer receives', async () => {
    await withRaw((channel) => channel.bindQueue(queue, own + EXCHANGE, 'former.event'));
    await declareQueue(raw, name, { namespace: own, log: quietLog }, { [name]: ['former.event'] });
    await withRaw(async (channel) => {
      channel.publish(own + EXCHANGE, 'former.event', Buffer.from('{}'));
      channel.publish(own + EXCHANGE, oneTimeCodeRequested.type, Buffer.from('{}'));
      await channel.assertExchange(own + EXCHANGE, 'topic', { durable: true });
    });
    await waitFor('one message', async () => (await counts()).messageCount > 0);
    expect((await counts()).messageCount).toBe(1);
  });

  test('that another one replaces is unbound, forwards its messages and dead letters, and is deleted once no process consumes it', async () => {
    const former = `${name}.v0`;
    const exchange = own + EXCHANGE;
    const arguments_ = { 'x-queue-type': 'quorum', 'x-max-length': 1000 };
    const old = await raw.createChannel();
    const unsettled: string[] = [];
    await old.prefetch(1);
    for (const each of [own + former, deadLettersOf(own + former), `${own + former}.later.50ms`])
      await old.assertQueue(each, {
        durable: true,
        arguments: each.includes('later')
          ? { ...arguments_, 'x-dead-letter-exchange': '', 'x-dead-letter-routing-key': own + former }
          : arguments_,
      });
    await old.bindQueue(own + former, exchange, oneTimeCodeRequested.type);
    const put = (where: string, n: number, more = {}) =>
      old.sendToQueue(where, Buffer.from(JSON.stringify(entry(n))), { type: oneTimeCodeRequested.type, ...more });
    // A process of the former release has one message unacknowledged and accepts no more.
    const { consumerTag } = await old.consume(own + former, (message) => {
      unsettled.push(message!.properties.messageId);
    });
    put(own + former, 1, { messageId: id(1) });
    await waitFor('the one in hand', () => unsettled.length === 1);
    for (const n of [2, 3]) put(own + former, n);
    put(deadLettersOf(own + former), 4, { headers: { 'x-reason': 'for the test' } });
    put(`${own + former}.later.50ms`, 5, { expiration: '200' });

    const newer = await connectBus({
      url: amqpUrl,
      service: 'notifier',
      log: quietLog,
      namespace: own,
      roomsMs: [20, 50, 100],
      formerQueues: { [name]: [{ name: former, heard: [oneTimeCodeRequested.type] }] },
      retireEveryMs: 20,
    });
    const { seen, handle } = collecting();
    const consumer = await newer.consume(name, [on(oneTimeCodeRequested, handle), neverSent], { prefetch: 4 });
    await waitFor('what it held', () => [2, 3, 5].every((n) => seen.includes(id(n))));
    await waitFor('the dead letter', async () => (await counts(deadLettersOf(queue))).messageCount === 1);
    expect(await newer.deadLetters.peek(name)).toMatchObject([{ reason: 'for the test' }]);
    expect((await counts(own + former)).consumerCount).toBe(1);
    await newer.publish(entry(6));
    await waitFor('what is published now', () => seen.includes(id(6)));
    expect(seen).not.toContain(id(1));
    await old.cancel(consumerTag);
    await old.close();
    await waitFor('the one that was in hand', () => seen.includes(id(1)));
    await waitFor('no former queue', async () => (await counts(own + former)).messageCount === -1);
    expect(await counts(deadLettersOf(own + former))).toMatchObject({ messageCount: -1 });
    expect(seen.filter((one) => one === id(6))).toHaveLength(1);
    await consumer.close();
    await newer.close();
  });

  test('whose binding was removed is bound again by the publisher, and nothing is lost', async () => {
    const { seen, handle } = collecting();
    const consumer = await consuming(handle);
    await withRaw((channel) => channel.unbindQueue(queue, own + EXCHANGE, oneTimeCodeRequested.type));
    await bus.publish(entry(1));
    await waitFor('the message', () => seen.includes(id(1)));
    await withRaw((channel) => channel.unbindQueue(queue, own + EXCHANGE, oneTimeCodeRequested.type));
    await expect(bus.publish(entry(2))).rejects.toThrow('no queue takes');
    await consumer.close();
  });

  test('that cannot be declared does not stop the declaration of others', async () => {
    const fresh = namespace();
    const [first = '', ...others] = Object.keys(QUEUES);
    await withRaw((channel) => channel.assertQueue(fresh + first, { durable: true }));
    await declareTopology(raw, { namespace: fresh, log: quietLog });
    for (const other of others) expect(await counts(fresh + other)).toMatchObject({ messageCount: 0 });
  });

  test('of dead letters without a bound is declared again when it is empty', async () => {
    const dead = deadLettersOf(queue);
    await withRaw(async (channel) => {
      await channel.deleteQueue(dead);
      await channel.assertQueue(dead, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
    });
    await declareQueue(raw, name, { namespace: own, log: quietLog });
    await expect(
      withRaw((channel) => channel.assertQueue(dead, { durable: true, arguments: { 'x-queue-type': 'quorum' } })),
    ).rejects.toThrow('PRECONDITION_FAILED');
  });
});

describe('a broker that accepts no messages', () => {
  // connection.blocked (class 10, method 60) with the reason "low on memory", and
  // connection.unblocked (method 61).
  const method = (payload: Buffer): Buffer => {
    const head = Buffer.alloc(7);
    head.writeUInt8(1, 0);
    head.writeUInt32BE(payload.length, 3);
    return Buffer.concat([head, payload, Buffer.from([0xce])]);
  };
  const BLOCKED = method(Buffer.concat([Buffer.from([0, 10, 0, 60, 13]), Buffer.from('low on memory')]));
  const UNBLOCKED = method(Buffer.from([0, 10, 0, 61]));

  test('makes the process not ready, and publishing fails instead of filling memory', async () => {
    proxy.inject(BLOCKED);
    await waitFor('the note', () => JSON.stringify(part('publisher notifier')).includes('low on memory'));
    await expect(bus.publish(entry(1))).rejects.toThrow('blocked');
    expect(bus.isReady()).toBe(true);
    proxy.inject(UNBLOCKED);
    await published(1);
    expect(part('publisher notifier')).toBe(true);
  });

  test('and does not report it lets no publication hang', async () => {
    proxy.swallow();
    await expect(bus.publish(entry(1))).rejects.toThrow('no confirm within 500 ms');
    proxy.release();
    await published(1);
  });
});

describe('a message that cannot be settled', () => {
  test('frees its place when storing its status fails, and becomes a dead letter later', async () => {
    const { seen, handle } = collecting();
    let attempts = 0;
    const consumer = await consuming(
      async (event) => {
        if (event.id === id(1)) throw new TypeError('broken');
        await handle(event);
      },
      {
        prefetch: 1,
        deliveryLimit: 1,
        onGivenUp: async () => {
          attempts += 1;
          if (attempts < 3) throw attempts === 1 ? new RetryLater('later') : new TypeError('no database');
        },
      },
    );
    await published(1);
    await waitFor('the first attempt to give it up', () => attempts > 0);
    for (let n = 2; attempts < 3; n += 1) {
      await published(n);
      await waitFor(`its neighbour ${n}`, () => seen.includes(id(n)));
    }
    await waitFor('the dead letter', async () => (await counts(deadLettersOf(queue))).messageCount === 1);
    await consumer.close();
  });

  test('finally returns to its queue', async () => {
    const calls: string[] = [];
    const acks = { ack: () => void calls.push('ack'), giveBack: () => void calls.push('back') };
    const fails = async () => {
      calls.push('send');
      throw new Error('no broker');
    };
    const settle = createSettle({
      service: 'test',
      queue,
      rooms: [20],
      outgoing: { send: fails, sendLater: fails },
      waiting: createWaitingCopies(),
      log: quietLog,
      now: systemClock,
      isClosing: () => false,
      attempts: 2,
    });
    const message = await withRaw(async (own) => {
      own.sendToQueue(queue, Buffer.from('{}'));
      return waitFor('the message', async () => (await own.get(queue)) || undefined);
    });
    const unsettled = { acks, message: message as never, isOpen: () => true };
    const tries = { failures: 0, attempts: 0, waits: 0 };
    expect(await settle(unsettled, { outcome: 'retry', tries, roomMs: 20 })).toBe(false);
    expect(calls).toEqual(['send', 'send', 'back']);
  });

  test('makes the consumer not ready while nothing else is settled either', async () => {
    let finish = (): void => undefined;
    const hanging = () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      });
    const consumer = await consuming(hanging, { stuckAfterMs: 50 });
    await published(1);
    await waitFor('it is stuck', () => !bus.isReady());
    expect(part(`consumer ${queue}`)).toMatchObject({ reason: expect.stringContaining('nothing settled') });
    finish();
    await waitFor('it is ready', () => bus.isReady());
    await consumer.close();
  });
});

describe('a reader', () => {
  const send = (content: object, type: string) =>
    withRaw(async (channel) => {
      channel.sendToQueue(queue, Buffer.from(JSON.stringify(content)), { type, messageId: id(1) });
      // The reply comes after the broker has taken the message.
      await channel.checkQueue(queue);
    });

  test('drops unknown fields', async () => {
    const events: Envelope<unknown>[] = [];
    const consumer = await consuming(async (event) => void events.push(event));
    const newer = { ...entry(1), newer: true, data: { ...entry(1).data, newer: { deep: 1 } } };
    await send(newer, oneTimeCodeRequested.type);
    await waitFor('the event', () => events.length === 1);
    expect(events[0]).toEqual({ ...entry(1), at: newer.at });
    await consumer.close();
  });

  test('parks an event of an unknown type, and refuses another shape', async () => {
    const { seen, handle } = collecting();
    const consumer = await consuming(handle);
    await send({ ...entry(1), type: 'newer.event' }, 'newer.event');
    await send({ ...entry(1), data: { codeId: 1 } }, oneTimeCodeRequested.type);
    await waitFor('both', async () => (await counts(deadLettersOf(queue))).messageCount === 2);
    const items = await bus.deadLetters.peek(name);
    expect(items?.map(({ reason }) => reason)).toEqual(['no handler for newer.event', expect.stringContaining('data')]);
    expect(seen).toEqual([]);
    await consumer.close();
  });
});

describe('dead letters', () => {
  const failing = async (count: number) => {
    const consumer = await consuming(
      async () => {
        throw Object.assign(new TypeError('surname SPECIMEN'), { code: 'E_BROKEN' });
      },
      { deliveryLimit: -1 },
    );
    for (let n = 1; n <= count; n += 1) await published(n);
    await waitFor('all of them', async () => (await counts(deadLettersOf(queue))).messageCount === count);
    await consumer.close();
  };

  test('are counted and read without being consumed', async () => {
    await failing(3);
    expect(await bus.deadLetters.list()).toEqual([{ queue: name, count: 3 }]);
    const first = await bus.deadLetters.peek(name, 2);
    expect(first).toHaveLength(2);
    expect(first?.[0]).toEqual({
      messageId: expect.any(String),
      type: oneTimeCodeRequested.type,
      tenantId: id('tenant'),
      identityId: id('identity'),
      reason: 'TypeError E_BROKEN',
      firstFailedAt: expect.stringMatching(/^\d{4}-.*\.\d{3}$/),
    });
    for (let n = 0; n < 25; n += 1) await bus.deadLetters.peek(`${name}.dead`);
    await waitFor('they are there again', async () => (await bus.deadLetters.peek(name))?.length === 3);
    expect((await bus.deadLetters.peek(name, 2))?.map(({ messageId }) => messageId)).toEqual(
      first?.map(({ messageId }) => messageId),
    );
  });

  test('are replayed and removed', async () => {
    await failing(3);
    expect(await bus.deadLetters.replay(name, 2)).toBe(2);
    const { seen, handle } = collecting();
    const consumer = await consuming(handle);
    await waitFor('both', () => seen.length === 2);
    expect(new Set(seen).size).toBe(2);
    await consumer.close();
    expect(await bus.deadLetters.remove(name)).toBe(1);
    expect(await bus.deadLetters.list()).toEqual([]);
    expect(await bus.deadLetters.remove(name)).toBe(0);
  });

  test('of a queue that does not exist are undefined', async () => {
    const { peek, replay, remove } = bus.deadLetters;
    expect(await Promise.all([peek('other'), replay('other'), remove('toString')])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
