import { connectMongo, type Database } from '@assay/mongo';
import { newId } from '@assay/runtime';
import { quietLog, testStack } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDeliveryStore, type DeliveryStore } from './deliveries.ts';
import { type Delivery, deliveryModel } from './delivery-model.ts';

/* The stores of two processes on one collection. */

const { mongoUrl, database } = testStack();
const [HERE, THERE] = ['here', 'there'];
let mongodb: Database;
let here: DeliveryStore;
let there: DeliveryStore;
beforeAll(async () => {
  mongodb = await connectMongo(mongoUrl, database('deliveries'), quietLog);
  const model = deliveryModel(mongodb.connection);
  await mongodb.ensureIndexes();
  [here, there] = [createDeliveryStore(model), createDeliveryStore(model)];
});
afterAll(async () => {
  await mongodb.connection.dropDatabase();
  await mongodb.close();
});

const NOW = new Date('2026-03-01T10:00:00.000Z');
const at = (ms: number): Date => new Date(NOW.getTime() + ms);
const aDelivery = (tenantId: string, more: Partial<Delivery> = {}): Delivery => {
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
    createdAt: NOW,
    nextAttemptAt: NOW,
    leaseUntil: new Date(0),
    ...more,
  };
};
const inserted = async (deliveries: readonly Delivery[]) => {
  expect(await Promise.all(deliveries.map(here.insert))).toEqual(deliveries.map(() => true));
  return deliveries.map(({ _id }) => _id);
};
const leaseOf = (owner: string, now = NOW) => ({ owner, now, leaseUntil: new Date(now.getTime() + 12_000) });
const idsOf = (deliveries: readonly Delivery[]): string[] => deliveries.map(({ _id }) => _id);

test('a tenant is found whose only delivery is due after more of another tenant than one query reads', async () => {
  const [crowded, quiet] = [newId(), newId()];
  // Earlier than anything else in this test.
  const before = Date.parse('2020-01-01T00:00:00.000Z');
  const due = (tenantId: string, ms: number) => aDelivery(tenantId, { nextAttemptAt: new Date(before + ms) });
  await inserted([...Array.from({ length: 1200 }, (_, nth) => due(crowded, nth)), due(quiet, 5000)]);
  expect(await here.dueTenants(new Date(before + 10_000), [], 10)).toEqual([crowded, quiet]);
  expect(await here.dueTenants(new Date(before + 10_000), [], 1)).toEqual([crowded]);
  expect(await here.dueTenants(new Date(before + 10_000), [crowded], 10)).toEqual([quiet]);
});

describe('deliveries that are stored at the same time', () => {
  test('are each stored once, and each caller learns the result of its own', async () => {
    const tenantId = newId();
    const [first, second, third] = [aDelivery(tenantId), aDelivery(tenantId), aDelivery(tenantId)];
    await inserted([second]);
    // When an already stored one and one that comes twice are stored together with others
    const stored = await Promise.all([first, second, third, third].map(here.insert));
    // Then only new ones are stored, unchanged
    expect(stored).toEqual([true, false, true, false]);
    expect(await here.list({ tenantId, limit: 10 })).toHaveLength(3);
    expect(await here.find(first._id, tenantId)).toEqual(first);
  });

  test('end each with its own outcome, and only by the process that has the leases', async () => {
    const tenantId = newId();
    const mine = [aDelivery(tenantId), aDelivery(tenantId)];
    const theirs = aDelivery(tenantId, { leaseOwner: THERE, leaseUntil: at(5000) });
    await inserted([...mine.map((one) => ({ ...one, leaseOwner: HERE, leaseUntil: at(5000) })), theirs]);
    const [done, failed] = mine;
    await Promise.all([
      here.settle(done!._id, HERE, { at: NOW, statusCode: 200 }, { state: 'DELIVERED', forgetAt: at(9000) }),
      here.settle(failed!._id, HERE, { at: NOW, statusCode: 500 }, { state: 'PENDING', nextAttemptAt: at(1000) }),
      here.settle(theirs._id, HERE, { at: NOW, statusCode: 200 }, { state: 'DELIVERED' }),
    ]);
    expect(await here.find(done!._id, tenantId)).toMatchObject({ state: 'DELIVERED', round: 1, forgetAt: at(9000) });
    expect(await here.find(done!._id, tenantId)).not.toHaveProperty('nextAttemptAt');
    expect(await here.find(failed!._id, tenantId)).toMatchObject({ state: 'PENDING', nextAttemptAt: at(1000) });
    expect(await here.find(theirs._id, tenantId)).toEqual(theirs);
  });
});

describe('what is due', () => {
  test('is leased by one process, one of each identity, the longest waiting first, and is not leased again', async () => {
    const tenantId = newId();
    const [first, second, third] = [-300, -200, -100].map((ms) => aDelivery(tenantId, { nextAttemptAt: at(ms) }));
    const next = aDelivery(tenantId, { identityId: first!.identityId, nextAttemptAt: at(-50) });
    const busy = aDelivery(tenantId);
    const later = aDelivery(tenantId, { nextAttemptAt: at(1) });
    const leased = aDelivery(tenantId, { leaseOwner: THERE, leaseUntil: at(1) });
    await inserted([next, third!, second!, first!, busy, later, leased]);
    const taken = await here.takeDue(tenantId, [busy.identityId], leaseOf(HERE), 10);
    expect(idsOf(taken)).toEqual(idsOf([first!, second!, third!]));
    expect(taken[0]).toMatchObject({ leaseOwner: HERE, leaseUntil: at(12_000) });
    const rest = await there.takeDue(tenantId, [], leaseOf(THERE), 10);
    expect(idsOf(rest).sort()).toEqual([next._id, busy._id].sort());
    expect(await here.takeDue(tenantId, [], leaseOf(HERE), 10)).toEqual([]);
  });

  test('is the oldest of its identity, also where that was tried before and newer ones wait longer', async () => {
    const tenantId = newId();
    const oldest = aDelivery(tenantId, { createdAt: at(-900), nextAttemptAt: at(-10) });
    const { identityId } = oldest;
    const newer = [-500, -400, -300].map((ms) =>
      aDelivery(tenantId, { identityId, createdAt: at(ms), nextAttemptAt: at(ms) }),
    );
    const other = aDelivery(tenantId, { nextAttemptAt: at(-200) });
    await inserted([...newer, oldest, other]);
    const taken = await here.takeDue(tenantId, [], leaseOf(HERE), 1);
    expect(idsOf(taken)).toEqual([oldest._id]);
    expect(await here.waitsFor(oldest, HERE, NOW)).toBeUndefined();
    expect(idsOf(await here.takeDue(tenantId, [identityId], leaseOf(HERE), 3))).toEqual([other._id]);
  });

  test('is leased of another identity behind more of one than are leased at once', async () => {
    const tenantId = newId();
    const crowded = newId();
    const ofCrowded = Array.from({ length: 12 }, (_, nth) =>
      aDelivery(tenantId, { identityId: crowded, createdAt: at(nth - 900), nextAttemptAt: at(nth - 900) }),
    );
    const others = [-300, -200, -100].map((ms) => aDelivery(tenantId, { nextAttemptAt: at(ms) }));
    await inserted([...ofCrowded, ...others]);
    const taken = await here.takeDue(tenantId, [], leaseOf(HERE), 3);
    expect(idsOf(taken)).toEqual(idsOf([ofCrowded[0]!, ...others.slice(0, 2)]));
    expect(idsOf(await there.takeDue(tenantId, [crowded], leaseOf(THERE), 3))).toEqual(idsOf([others[2]!]));
  });

  test('is leased by one of two processes that lease at the same time', async () => {
    const tenantId = newId();
    const ids = await inserted(Array.from({ length: 40 }, () => aDelivery(tenantId)));
    const both = await Promise.all([
      here.takeDue(tenantId, [], leaseOf(HERE), 40),
      there.takeDue(tenantId, [], leaseOf(THERE), 40),
    ]);
    expect(both.flatMap(idsOf).sort()).toEqual(ids.sort());
  });

  test('is renewed only by the process that has it', async () => {
    const tenantId = newId();
    const [id = ''] = await inserted([aDelivery(tenantId)]);
    await here.takeDue(tenantId, [], leaseOf(HERE), 1);
    expect(await here.renew(id, HERE, at(20_000))).toBe(true);
    expect(await there.takeDue(tenantId, [], leaseOf(THERE, at(15_000)), 1)).toEqual([]);
    expect(idsOf(await there.takeDue(tenantId, [], leaseOf(THERE, at(20_000)), 1))).toEqual([id]);
    expect(await here.renew(id, HERE, at(40_000))).toBe(false);
    await there.release(id, THERE);
    expect(idsOf(await here.takeDue(tenantId, [], leaseOf(HERE, at(20_001)), 1))).toEqual([id]);
  });
});

describe('before its attempt a delivery', () => {
  test('is compared with others about its identity by one query for all that are compared at the same time', async () => {
    const mine = { leaseOwner: HERE, leaseUntil: at(5000), createdAt: at(-100) };
    const [tenantId, other] = [newId(), newId()];
    const [free, behind, met, alone, lapsed] = [1, 2, 3, 4, 5].map(() => aDelivery(tenantId, mine));
    const elsewhere = aDelivery(other, { ...mine, identityId: behind!.identityId });
    const about = ({ identityId }: Delivery, more: Partial<Delivery>) => aDelivery(tenantId, { identityId, ...more });
    await inserted([
      ...[free!, behind!, met!, alone!, lapsed!, elsewhere],
      about(behind!, { createdAt: at(-200), nextAttemptAt: at(-10) }),
      about(met!, { leaseOwner: THERE, leaseUntil: at(1000) }),
      // None of these takes precedence: newer, not due yet, delivered, or due for too long to be
      // attempted.
      about(alone!, { createdAt: at(-50), nextAttemptAt: at(-10) }),
      about(alone!, { createdAt: at(-200), nextAttemptAt: at(10) }),
      about(alone!, { createdAt: at(-200), state: 'DELIVERED' }),
      about(alone!, { createdAt: at(-200_000), nextAttemptAt: at(-61_000) }),
      about(lapsed!, { createdAt: at(-50), nextAttemptAt: at(10), leaseOwner: THERE, leaseUntil: at(-1) }),
    ]);
    const all = [free!, behind!, met!, alone!, lapsed!, elsewhere];
    const found = await Promise.all(all.map((delivery) => here.waitsFor(delivery, HERE, NOW)));
    expect(found).toEqual([undefined, 'older', 'leased', undefined, undefined, undefined]);
    for (const [n, delivery] of all.entries()) expect(await here.waitsFor(delivery, HERE, NOW)).toBe(found[n]);
  });
});
