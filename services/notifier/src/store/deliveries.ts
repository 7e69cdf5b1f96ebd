import { present } from '@assay/contracts';
import { isDuplicateKey, trusted } from '@assay/mongo';
import type { Model } from 'mongoose';
import type { DeliveryAttempt, DeliveryState } from '../domain/delivery.ts';
import type { Delivery } from './delivery-model.ts';

export interface ListFilter {
  tenantId: string;
  identityId?: string;
  state?: DeliveryState;
  /** Page begins after this one. */
  after?: { createdAt: Date; id: string };
  limit: number;
}

export interface DeliveryStore {
  /** False when this message has its delivery already: a duplicate changes nothing. */
  insert(delivery: Delivery): Promise<boolean>;
  /**
   * Takes the tenant's next due delivery, passing over identities that are just being told
   * something.
   */
  takeNext(
    tenantId: string,
    busyIdentities: readonly string[],
    owner: string,
    now: Date,
    leaseUntil: Date,
  ): Promise<Delivery | undefined>;
  /**
   * Lets go of one that was taken in hand but cannot be tried now; nobody takes it before
   * `restUntil`.
   */
  release(id: string, owner: string, restUntil?: Date): Promise<void>;
  /**
   * What this delivery has to wait for: an older one about the same identity that is due, or one
   * that another process has in hand.
   */
  waitsFor(delivery: Delivery, owner: string, now: Date): Promise<'older' | 'in hand' | undefined>;
  /** Begins another round of every delivery that failed between these times. */
  recover(tenantId: string, since: Date, until: Date, now: Date): Promise<number>;
  /** Tenants with something due, the longest waiting first, passing over those that are busy. */
  dueTenants(now: Date, busyTenants: readonly string[], limit: number): Promise<string[]>;
  /** Writes what came of an attempt, if the delivery is still in these hands. */
  settle(
    id: string,
    owner: string,
    attempt: DeliveryAttempt,
    next: { state: DeliveryState; nextAttemptAt?: Date; forgetAt?: Date },
  ): Promise<void>;
  /** Begins another round at once. */
  resend(id: string, tenantId: string, now: Date): Promise<Delivery | undefined>;
  find(id: string, tenantId: string): Promise<Delivery | undefined>;
  list(filter: ListFilter): Promise<Delivery[]>;
}

// A receiver that has been away for long has many due: a round looks at the oldest, the next one
// goes on.
const DUE_LOOKED_AT = 1000;
// Enough for any configured number of attempts; a delivery that is resent for ever keeps its newest
// ones.
const ATTEMPTS_KEPT = 120;
// One that is due for longer cannot be attempted, and holds up no other.
const WAITED_FOR_MS = 60_000;

const inHand = (owner: string, leaseUntil: Date) => ({ $set: { leaseOwner: owner, leaseUntil } });

const due = (now: Date) => ({
  state: 'PENDING' as const,
  nextAttemptAt: trusted({ $lte: now }),
  leaseUntil: trusted({ $lte: now }),
});

/** Who attempts which delivery next: one process at a time, in the order of the identity. */
const leasesIn = (model: Model<Delivery>): Pick<DeliveryStore, 'takeNext' | 'release' | 'waitsFor' | 'dueTenants'> => ({
  takeNext: async (tenantId, busyIdentities, owner, now, leaseUntil) =>
    (await model
      .findOneAndUpdate(
        { tenantId, ...due(now), identityId: trusted({ $nin: [...busyIdentities] }) },
        inHand(owner, leaseUntil),
        { returnDocument: 'after', sort: { nextAttemptAt: 1 } },
      )
      .lean<Delivery>()) ?? undefined,
  release: async (id, owner, restUntil = new Date(0)) => {
    await model.updateOne(
      { _id: id, leaseOwner: owner },
      { $set: { leaseUntil: restUntil }, $unset: { leaseOwner: 1 } },
    );
  },
  waitsFor: async ({ _id, tenantId, identityId, createdAt }, owner, now) => {
    const inTheirHands = { leaseOwner: trusted({ $exists: true, $ne: owner }), leaseUntil: trusted({ $gt: now }) };
    const olderAndDue = {
      createdAt: trusted({ $lt: createdAt }),
      nextAttemptAt: trusted({ $lte: now, $gt: new Date(now.getTime() - WAITED_FOR_MS) }),
    };
    const other = { tenantId, identityId, _id: trusted({ $ne: _id }), state: 'PENDING' as const };
    const [first] = await model
      .find({ ...other, $or: [olderAndDue, inTheirHands] }, { createdAt: 1 })
      .sort({ createdAt: 1 })
      .limit(1)
      .lean<Delivery[]>();
    if (!first) return undefined;
    return first.createdAt < createdAt ? 'older' : 'in hand';
  },
  dueTenants: async (now, busyTenants, limit) => {
    const found = await model.aggregate<{ _id: string }>([
      {
        $match: {
          state: 'PENDING',
          nextAttemptAt: { $lte: now },
          leaseUntil: { $lte: now },
          tenantId: { $nin: [...busyTenants] },
        },
      },
      { $sort: { nextAttemptAt: 1 } },
      { $limit: DUE_LOOKED_AT },
      { $group: { _id: '$tenantId', since: { $min: '$nextAttemptAt' } } },
      { $sort: { since: 1 } },
      { $limit: limit },
    ]);
    return found.map(({ _id }) => _id);
  },
});

/** The rounds of attempts: what came of one, and the beginning of another. */
const roundsIn = (model: Model<Delivery>): Pick<DeliveryStore, 'settle' | 'resend' | 'recover'> => ({
  settle: async (id, owner, attempt, { state, nextAttemptAt, forgetAt }) => {
    await model.updateOne(
      { _id: id, leaseOwner: owner, state: 'PENDING' },
      {
        $set: {
          state,
          leaseUntil: new Date(0),
          ...present({ nextAttemptAt, forgetAt }),
        },
        $unset: { leaseOwner: 1, ...(nextAttemptAt ? {} : { nextAttemptAt: 1 }) },
        $push: { attempts: { $each: [attempt], $slice: -ATTEMPTS_KEPT } },
        $inc: { round: 1 },
      },
    );
  },
  resend: async (id, tenantId, now) =>
    (await model
      .findOneAndUpdate(
        { _id: id, tenantId, leaseUntil: trusted({ $lte: now }) },
        { $set: { state: 'PENDING', nextAttemptAt: now, round: 0 }, $unset: { forgetAt: 1 } },
        { returnDocument: 'after' },
      )
      .lean<Delivery>()) ?? undefined,
  recover: async (tenantId, since, until, now) => {
    const { modifiedCount } = await model.updateMany(
      {
        tenantId,
        state: 'FAILED',
        createdAt: trusted({ $gte: since, $lte: until }),
        leaseUntil: trusted({ $lte: now }),
        isTest: null,
      },
      { $set: { state: 'PENDING', nextAttemptAt: now, round: 0 }, $unset: { forgetAt: 1 } },
    );
    return modifiedCount;
  },
});

/** What the log of deliveries shows. */
const readsIn = (model: Model<Delivery>): Pick<DeliveryStore, 'find' | 'list'> => ({
  find: async (id, tenantId) => (await model.findOne({ _id: id, tenantId }).lean<Delivery>()) ?? undefined,
  list: ({ tenantId, identityId, state, after, limit }) =>
    model
      .find({
        tenantId,
        ...present({ identityId, state }),
        ...(after === undefined
          ? {}
          : {
              $or: [
                { createdAt: trusted({ $lt: after.createdAt }) },
                { createdAt: after.createdAt, _id: trusted({ $lt: after.id }) },
              ],
            }),
      })
      .sort({ createdAt: -1, _id: -1 })
      .limit(limit)
      .lean<Delivery[]>(),
});

/** The deliveries of the notifier's database. */
export const createDeliveryStore = (model: Model<Delivery>): DeliveryStore => ({
  insert: (delivery) =>
    model.insertOne(delivery).then(
      () => true,
      (error: unknown) => {
        if (isDuplicateKey(error)) return false;
        throw error;
      },
    ),
  ...leasesIn(model),
  ...roundsIn(model),
  ...readsIn(model),
});
