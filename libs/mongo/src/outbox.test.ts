import { type Envelope, oneTimeCodeRequested } from '@assay/contracts';
import { metricsText } from '@assay/runtime';
import { quietLog, testStack, waitFor } from '@assay/testing';
import { expect, test } from '@jest/globals';
import { Schema } from 'mongoose';
import {
  connectMongo,
  createOutbox,
  type OutboxDocument,
  outboxEntry,
  outboxFields,
  outboxIndex,
  trusted,
} from './index.ts';
import { startOutboxGauges } from './outbox-gauges.ts';

const { mongoUrl, database } = testStack();
const id = (n: string | number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const entry = (n: number, at = new Date()) =>
  outboxEntry(oneTimeCodeRequested, {
    tenantId: id('tenant'),
    identityId: id('identity'),
    id: id(n),
    at,
    data: {
      codeId: id(n),
      evidenceId: id(n),
      channel: 'EMAIL',
      expiresAt: '2030-01-01T00:00:00.000',
      sealedMessage: 'x',
    },
  });

/** A new outbox, and a broker that can be made unreachable. */
const anOutbox = async (sweepEveryMs: number) => {
  const store = await connectMongo(mongoUrl, database('outbox'), quietLog);
  const schema = new Schema<OutboxDocument>({ _id: String, ...outboxFields });
  outboxIndex(schema);
  const model = store.connection.model<OutboxDocument>('things', schema);
  await store.ensureIndexes();
  const published: string[] = [];
  const broker: { isBroken: boolean; publish?: (event: Envelope<unknown>) => Promise<void> } = { isBroken: false };
  const publish = async (event: Envelope<unknown>): Promise<void> => {
    if (broker.isBroken) throw Object.assign(new Error('no broker'), { name: 'NotPublished' });
    await broker.publish?.(event);
    published.push(event.id);
  };
  const outbox = createOutbox({
    model,
    service: 'test',
    log: quietLog,
    sweepEveryMs,
    graceMs: 0,
    gaugesEveryMs: 20,
    pullAfterMs: 10,
    bus: { publish },
  });
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
    .find({ 'outbox.0.at': { $gte: '' } })
    .setOptions({ sanitizeFilter: false })
    .sort({ 'outbox.0.at': 1 })
    .explain();
  expect(JSON.stringify(plan)).toContain('"indexName":"outbox"');
  await close();
});

test('an outbox publishes the entries that it gets with a write, and earlier ones that failed', async () => {
  const { model, outbox, published, broker, left, close } = await anOutbox(3_600_000);
  await model.create({ _id: 'b', outbox: [entry(7)] });
  await outbox.publishNow('b', [entry(7)]);
  expect(published).toEqual([id(7)]);
  await waitFor('what is published is taken out', async () => (await left('b')) === 0);
  broker.isBroken = true;
  await model.updateOne({ _id: 'b' }, { $push: { outbox: entry(8) } });
  await outbox.publishNow('b', [entry(8)]);
  broker.isBroken = false;
  await model.updateOne({ _id: 'b' }, { $push: { outbox: entry(9) } });
  await outbox.publishNow('b', [entry(9)]);
  expect(published).toEqual([id(7), id(8), id(9)]);
  await waitFor('all of it is taken out', async () => (await left('b')) === 0);
  await close();
});

test('a deferred publication does not begin at once, and happens when the relay closes', async () => {
  const { model, outbox, published, left, close } = await anOutbox(3_600_000);
  await model.create({ _id: 'soon', outbox: [entry(7)] });
  const publishing = outbox.publishSoon('soon', [entry(7)]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(published).toEqual([]);
  await publishing;
  expect(published).toEqual([id(7)]);
  await model.updateOne({ _id: 'soon' }, { $push: { outbox: entry(8) } });
  void outbox.publishSoon('soon', [entry(8)]);
  await outbox.close();
  expect(published).toEqual([id(7), id(8)]);
  expect(await left('soon')).toBe(0);
  await close();
});

test('published entries of many documents are removed with one command, at the latest when the relay closes', async () => {
  process.env.MONGO_COUNT = '1';
  const { model, outbox, close } = await anOutbox(3_600_000);
  delete process.env.MONGO_COUNT;
  const updates = async (): Promise<number> =>
    Number(
      /assay_mongo_commands_total\{command="update",collection="things",cause="work"\} (\d+)/.exec(
        await metricsText(),
      )?.[1] ?? 0,
    );
  const ids = Array.from({ length: 40 }, (_, n) => `many${n}`);
  await model.insertMany(ids.map((_id, n) => ({ _id, outbox: [entry(n)] })));
  const before = await updates();
  await Promise.all(ids.map((_id, n) => outbox.publishNow(_id, [entry(n)])));
  await outbox.close();
  expect(await model.countDocuments({ 'outbox.0': trusted({ $exists: true }) })).toBe(0);
  expect((await updates()) - before).toBeLessThanOrEqual(2);
  await close();
});

test('entries that cannot be published, however many, do not stop others, and are retried with growing pauses', async () => {
  const { model, published, broker, left, close } = await anOutbox(10);
  const tried = new Map<string, number>();
  broker.publish = async (event) => {
    tried.set(event.id, (tried.get(event.id) ?? 0) + 1);
    if (Number(event.id.slice(-6)) < 600) throw new TypeError('no shape of ours');
  };
  const long = new Date(Date.now() - 60_000);
  await model.insertMany(Array.from({ length: 600 }, (_, n) => ({ _id: `bad${n}`, outbox: [entry(n, long)] })));
  await model.create({ _id: 'mixed', outbox: [entry(1, long), entry(601)] });
  await model.create({ _id: 'good', outbox: [entry(602)] });
  await waitFor('the good ones', () => published.length === 2);
  expect(new Set(published)).toEqual(new Set([id(601), id(602)]));
  await waitFor('what is published is pulled', async () => (await left('good')) === 0 && (await left('mixed')) === 1);
  await waitFor('they were tried again', () => (tried.get(id(2)) ?? 0) >= 2);
  expect(await model.findById('bad2').lean()).toMatchObject({ outboxFailures: expect.any(Number) });
  expect(await metricsText()).toMatch(/assay_outbox_skipped_total\{collection="things"\} [1-9]/);
  await close();
});

test('entries that another relay has leased do not fill a batch', async () => {
  const { model, published, close } = await anOutbox(10);
  const long = new Date(Date.now() - 60_000);
  const lease = new Date(Date.now() + 60_000);
  await model.insertMany(
    Array.from({ length: 600 }, (_, n) => ({ _id: `leased${n}`, outbox: [entry(n, long)], outboxLease: lease })),
  );
  await model.create({ _id: 'free', outbox: [entry(700)] });
  await waitFor('the free one', () => published.includes(id(700)));
  expect(published).toEqual([id(700)]);
  await close();
});

test('a backlog is published in parallel, one round right after the other', async () => {
  // One document after the other, or one round of fifty a second, would take half a minute for
  // 1,500 documents.
  const { model, published, broker, close } = await anOutbox(1000);
  let inFlight = 0;
  let most = 0;
  broker.publish = async () => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    await new Promise((resolve) => setTimeout(resolve, 20));
    inFlight -= 1;
  };
  await model.insertMany(Array.from({ length: 1500 }, (_, n) => ({ _id: `doc${n}`, outbox: [entry(n)] })));
  await waitFor('all of them', () => published.length >= 1500, 20_000);
  expect(most).toBeGreaterThanOrEqual(50);
  await waitFor(
    'an empty outbox',
    async () => (await model.countDocuments({ 'outbox.0': trusted({ $exists: true }) })) === 0,
  );
  expect(new Set(published).size).toBe(1500);
  await close();
});

test('two relays of one collection publish each event once', async () => {
  const { model, published, outbox, close } = await anOutbox(5);
  const events: string[] = [];
  const publish = async (event: Envelope<unknown>): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 2));
    events.push(event.id);
  };
  const other = createOutbox({ model, service: 'test', log: quietLog, sweepEveryMs: 5, graceMs: 0, bus: { publish } });
  await model.insertMany(Array.from({ length: 800 }, (_, n) => ({ _id: `doc${n}`, outbox: [entry(n)] })));
  await waitFor(
    'an empty outbox',
    async () => (await model.countDocuments({ 'outbox.0': trusted({ $exists: true }) })) === 0,
  );
  expect([...published, ...events]).toHaveLength(800);
  await other.close();
  await outbox.close();
  await close();
});

test('while a publication hangs the gauges show how much waits, and for how long', async () => {
  const { model, broker, close } = await anOutbox(5);
  let release = (): void => undefined;
  const hanging = new Promise<void>((resolve) => {
    release = resolve;
  });
  broker.publish = () => hanging;
  const long = new Date(Date.now() - 31_000);
  await model.insertMany(Array.from({ length: 70 }, (_, n) => ({ _id: `doc${n}`, outbox: [entry(n, long)] })));
  const value = async (name: string): Promise<number> =>
    Number(new RegExp(`^${name}\\{collection="things"\\} (.*)$`, 'm').exec(await metricsText())?.[1]);
  await waitFor('the backlog', async () => (await value('assay_outbox_pending')) === 70);
  const before = await value('assay_outbox_oldest_seconds');
  expect(before).toBeGreaterThan(30);
  await waitFor('it grows', async () => (await value('assay_outbox_oldest_seconds')) > before);
  release();
  await waitFor('an empty backlog', async () => (await value('assay_outbox_pending')) === 0);
  expect(await value('assay_outbox_oldest_seconds')).toBe(0);
  await close();
});

test('an entry that is published between the query and the count leaves no age behind', async () => {
  const { model, published, outbox, close } = await anOutbox(5);
  await outbox.close();
  await model.insertMany([{ _id: 'last', outbox: [entry(1, new Date(Date.now() - 31_000))] }]);
  let isCounted = false;
  const countDocuments = async (): Promise<number> => {
    await model.deleteMany({});
    isCounted = true;
    return 0;
  };
  const emptied = Object.create(model, { countDocuments: { value: countDocuments } }) as typeof model;
  const gauges = startOutboxGauges({ model: emptied, log: quietLog, everyMs: 500 });
  await waitFor('the first measurement', async () => isCounted);
  const oldest = async (): Promise<string | undefined> =>
    /^assay_outbox_oldest_seconds\{collection="things"\} (.*)$/m.exec(await metricsText())?.[1];
  expect(await oldest()).toBe('0');
  expect(published).toEqual([]);
  await gauges.close();
  await close();
});
