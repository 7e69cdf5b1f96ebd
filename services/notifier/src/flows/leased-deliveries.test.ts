import { connectMongo, type Database } from '@assay/mongo';
import { newId } from '@assay/runtime';
import { quietLog, testStack } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDeliveryStore, type DeliveryStore } from '../store/deliveries.ts';
import { type Delivery, deliveryModel } from '../store/delivery-model.ts';
import { createLeasedDeliveries } from './leased-deliveries.ts';

const { mongoUrl, database } = testStack();
const [HERE, THERE] = ['here', 'there'];
let mongodb: Database;
let deliveries: DeliveryStore;
beforeAll(async () => {
  mongodb = await connectMongo(mongoUrl, database('leased'), quietLog);
  deliveries = createDeliveryStore(deliveryModel(mongodb.connection));
  await mongodb.ensureIndexes();
});
afterAll(async () => {
  await mongodb.connection.dropDatabase();
  await mongodb.close();
});

const START = new Date('2026-03-01T10:00:00.000Z');
const at = (ms: number): Date => new Date(START.getTime() + ms);

/** This many deliveries that this process leased one after the other, 10 ms apart. */
const waiting = async (count: number) => {
  const [tenantId, clock] = [newId(), { ms: 0 }];
  const leased = createLeasedDeliveries({ deliveries, owner: HERE, now: () => at(clock.ms) });
  const all = Array.from({ length: count }, (_, n): Delivery => {
    const identityId = newId();
    return {
      _id: newId(),
      tenantId,
      identityId,
      event: 'Evaluation',
      notification: { event: 'Evaluation', identityId, identityStatus: 'EXPECTING_INPUT' },
      state: 'PENDING',
      attempts: [],
      round: 0,
      createdAt: START,
      nextAttemptAt: START,
      leaseUntil: at(12_000 + 10 * n),
      leaseOwner: HERE,
    };
  });
  await Promise.all(all.map(deliveries.insert));
  for (const delivery of all) leased.add(delivery);
  const leases = async (): Promise<number[]> => {
    const found = await Promise.all(all.map(({ _id }) => deliveries.find(_id, tenantId)));
    return found.map((one) => one!.leaseUntil.getTime() - START.getTime());
  };
  return { leased, all, clock, leases };
};

test('a delivery whose turn comes soon is attempted without a database command', async () => {
  const { leased, all, clock, leases } = await waiting(2);
  clock.ms = 900;
  expect(await leased.confirm(all[0]!)).toBe(true);
  expect(await leases()).toEqual([12_000, 12_010]);
});

test('the lease of one that waited for long is renewed, together with those that are sent next', async () => {
  const { leased, all, clock, leases } = await waiting(80);
  clock.ms = 1500;
  expect(await leased.confirm(all[0]!)).toBe(true);
  // The first 50 had waited for over a second. Those leased later can be attempted without renewal.
  const renewed = (await leases()).filter((until) => until === 13_500);
  expect(renewed).toHaveLength(50);
  clock.ms = 3000;
  expect(await leased.confirm(all[1]!)).toBe(true);
  // At most 64 are renewed at once, however many wait.
  expect((await leases()).filter((until) => until === 15_000)).toHaveLength(64);
});

test('one that another process has leased, or whose lease is over, is not attempted', async () => {
  const { leased, all, clock } = await waiting(3);
  const [mine, theirs, late] = all;
  await mongodb.connection
    .collection('deliveries')
    .updateOne({ _id: theirs!._id as never }, { $set: { leaseOwner: THERE } });
  clock.ms = 2000;
  expect(await leased.confirm(mine!)).toBe(true);
  expect(await leased.confirm(theirs!)).toBe(false);
  clock.ms = 20_000;
  expect(await leased.confirm(late!)).toBe(false);
  // Nor is one attempted whose renewed lease is over.
  expect(await leased.confirm(mine!)).toBe(false);
});
