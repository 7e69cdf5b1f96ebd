import { present } from '@assay/contracts';
import { createGroupCommit, directlyEach, trusted } from '@assay/mongo';
import type { Model } from 'mongoose';
import type { DeliveryAttempt, DeliveryState } from '../domain/delivery.ts';
import { createUpdates, type DeliveryLeases, leasesIn, type UpdateEach } from './delivery-leases.ts';
import type { Delivery } from './delivery-model.ts';

export interface ListFilter {
  tenantId: string;
  identityId?: string;
  state?: DeliveryState;
  /** Page begins after this one. */
  after?: { createdAt: Date; id: string };
  limit: number;
}

export interface DeliveryStore extends DeliveryLeases {
  /** False when this message has its delivery already: a duplicate changes nothing. */
  insert(delivery: Delivery): Promise<boolean>;
  /** Begins another round of every delivery that failed between these times. */
  recover(tenantId: string, since: Date, until: Date, now: Date): Promise<number>;
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

// Enough for any configured number of attempts; a delivery that is resent for ever keeps its newest
// ones.
const ATTEMPTS_KEPT = 120;
const MOST_INSERTED = 200;
/** The rounds of attempts: what came of one, and the beginning of another. */
const roundsIn = (
  model: Model<Delivery>,
  updateEach: UpdateEach,
): Pick<DeliveryStore, 'settle' | 'resend' | 'recover'> => ({
  settle: (id, owner, attempt, { state, nextAttemptAt, forgetAt }) =>
    updateEach({
      filter: { _id: id, leaseOwner: owner, state: 'PENDING' },
      change: {
        $set: { state, leaseUntil: new Date(0), ...present({ nextAttemptAt, forgetAt }) },
        $unset: { leaseOwner: 1, ...(nextAttemptAt ? {} : { nextAttemptAt: 1 }) },
        $push: { attempts: { $each: [attempt], $slice: -ATTEMPTS_KEPT } },
        $inc: { round: 1 },
      },
    }),
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

/**
 * The deliveries of the notifier's database. What is stored of many at the same time goes out with
 * one command; each caller hears of its own.
 */
export const createDeliveryStore = (model: Model<Delivery>): DeliveryStore => {
  const updateEach = createUpdates(model);
  return {
    insert: createGroupCommit({ work: directlyEach(model).insertEach<Delivery>, most: MOST_INSERTED }),
    ...leasesIn(model, updateEach),
    ...roundsIn(model, updateEach),
    ...readsIn(model),
  };
};
