import { type Envelope, oneTimeCodeRequested, oneTimeCodeSent } from '@assay/contracts';
import { quietLog, testStack, waitFor } from '@assay/testing';
import { expect, test } from '@jest/globals';
import { Schema } from 'mongoose';
import { connectMongo, createOutbox, type OutboxDocument, outboxEntry, outboxFields, outboxIndex } from './index.ts';

const { mongoUrl, database } = testStack();
const common = { tenantId: 'tenant', identityId: 'identity', at: new Date() };
const sent = (id: string) =>
  outboxEntry(oneTimeCodeSent, {
    ...common,
    id,
    data: { codeId: id, evidenceId: id, accepted: true, sentAt: '2030-01-01T00:00:00.000' },
  });
const requested = (id: string, sealedMessage: string) =>
  outboxEntry(oneTimeCodeRequested, {
    ...common,
    id,
    data: { codeId: id, evidenceId: id, channel: 'EMAIL', expiresAt: '2030-01-01T00:00:00.000', sealedMessage },
  });

type Thing = OutboxDocument & { closed?: boolean };

/**
 * An outbox that republishes its events after `afterMs`, except `one-time-code.sent` of a closed
 * document.
 */
const anOutbox = async (afterMs: number, pullAfterMs = 5) => {
  const store = await connectMongo(mongoUrl, database('republish'), quietLog);
  const schema = new Schema<Thing>({ _id: String, closed: Boolean, ...outboxFields });
  outboxIndex(schema);
  const model = store.connection.model<Thing>('things', schema);
  await store.ensureIndexes();
  const published: Envelope<unknown>[] = [];
  const outbox = createOutbox({
    model,
    service: 'test',
    log: quietLog,
    // A sweep that found the entries before they are published would store each of them twice.
    sweepEveryMs: 3_600_000,
    pullAfterMs,
    bus: { publish: async (event) => void published.push(event) },
    republish: {
      isRepublished: (type, thing) => type === oneTimeCodeRequested.type || !thing?.closed,
      reads: ['closed'],
      afterMs,
      everyMs: 20,
    },
  });
  const write = async (_id: string, ...events: Envelope<unknown>[]) => {
    await model.updateOne({ _id }, { $push: { outbox: { $each: events } } }, { upsert: true });
    await outbox.publishNow(_id, events);
    await waitFor('what is published is stored to be republished', async () => {
      const { outbox: left = [] } = (await model.findById(_id).lean<Thing>()) ?? {};
      return left.length === 0;
    });
  };
  const said = async (_id: string) => (await model.findById(_id).lean<Thing>())?.said ?? [];
  /** Makes the events due now instead of waiting. */
  const makeDue = (_id: string) =>
    model.updateOne({ _id }, { $set: { saidDueAt: new Date(0), 'said.$[].dueAt': new Date(0) } });
  const times = (id: string) => published.filter((event) => event.id === id).length;
  const close = async () => {
    await outbox.close();
    await store.connection.dropDatabase();
    await store.close();
  };
  return { model, outbox, published, write, said, makeDue, times, close };
};

test('an event is republished four times under its id, with growing gaps, and then removed', async () => {
  const { published, write, said, makeDue, times, close } = await anOutbox(30);
  await write('a', sent('1'));
  await waitFor('the first repetition', () => times('1') === 2);
  const gaps: number[] = [];
  for (const total of [3, 4, 5]) {
    await waitFor('the next time', async () => (await said('a'))[0]?.times === total - 2);
    gaps.push((await said('a'))[0]!.dueAt.getTime() - Date.now());
    await makeDue('a');
    await waitFor('the repetition', () => times('1') === total);
  }
  const atLeast = [590_000, 3_590_000, 86_390_000];
  expect(gaps.map((gap, at) => gap > atLeast[at]!)).toEqual([true, true, true]);
  expect(gaps[0]).toBeLessThan(600_001);
  await waitFor('nothing is left', async () => (await said('a')).length === 0);
  expect(new Set(published.map((event) => JSON.stringify(event))).size).toBe(1);
  await close();
});

test('an event has its own due time, whatever is written after it', async () => {
  const { model, write, said, makeDue, times, close } = await anOutbox(60_000);
  await write('b', sent('1'));
  await makeDue('b');
  await write('b', sent('2'));
  await model.updateOne({ _id: 'b' }, { $set: { saidDueAt: new Date(0) } });
  await waitFor('the repetition', () => times('1') >= 2);
  await waitFor('the next times', async () => (await said('b')).map(({ times: n }) => n).join() === '1,0');
  // A round before the second event finds nothing due, and corrects the due time.
  await waitFor('the time of the second', async () => {
    const { saidDueAt } = (await model.findById('b').lean<Thing>())!;
    return saidDueAt?.getTime() === (await said('b'))[1]!.dueAt.getTime();
  });
  expect(times('2')).toBe(1);
  await close();
});

test('what a closed document no longer republishes is dropped', async () => {
  const { model, write, said, makeDue, times, close } = await anOutbox(60_000);
  await write('c', sent('1'), requested('2', 'x'));
  await model.updateOne({ _id: 'c' }, { $set: { closed: true } });
  await makeDue('c');
  await waitFor('the repetition', () => times('2') === 2);
  await waitFor('one is left', async () => (await said('c')).length === 1);
  expect(times('1')).toBe(1);
  await close();
});

test('a document that was emptied before its events were removed stays as it is', async () => {
  const { model, published, outbox, close } = await anOutbox(60_000, 60_000);
  await model.create({ _id: 'e', outbox: [requested('1', 'x')] });
  await outbox.publishNow('e', [requested('1', 'x')]);
  expect(published.map(({ id }) => id)).toEqual(['1']);
  await model.updateOne({ _id: 'e' }, { $set: { closed: true }, $unset: { outbox: 1 } });
  await outbox.close();
  expect(await model.findById('e').select('-__v').lean()).toEqual({ _id: 'e', closed: true });
  await close();
});

test('many events, or large ones, do not let a document grow without a bound', async () => {
  const { write, said, close } = await anOutbox(60_000);
  await write('d', ...Array.from({ length: 300 }, (_, n) => sent(String(n))));
  expect(await said('d')).toHaveLength(200);
  expect((await said('d')).at(-1)!.event.id).toBe('299');
  await write('d', ...Array.from({ length: 10 }, (_, n) => requested(`large${n}`, 'x'.repeat(512 * 1024))));
  expect(await said('d')).toHaveLength(3);
  await close();
});
