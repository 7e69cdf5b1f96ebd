import { present } from '@assay/contracts';
import { createGroupCommit, directlyEach, trusted } from '@assay/mongo';
import type { Model } from 'mongoose';
import type { DeliveryAttempt, DeliveryState } from '../domain/delivery.ts';
import { type DeliveryLeases, leasesIn } from './delivery-leases.ts';
import type { Delivery } from './delivery-model.ts';
import { createSettling, type Next } from './settling.ts';

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
  /** Writes the outcome of an attempt, if this process still has the lease. */
  settle(id: string, owner: string, attempt: DeliveryAttempt, next: Next): Promise<void>;
  /** Begins another round at once. */
  resend(id: string, tenantId: string, now: Date): Promise<Delivery | undefined>;
  find(id: string, tenantId: string): Promise<Delivery | undefined>;
  list(filter: ListFilter): Promise<Delivery[]>;
}

const MOST_INSERTED = 200;
/** Another round of attempts. */
const roundsIn = (model: Model<Delivery>): Pick<DeliveryStore, 'resend' | 'recover'> => ({
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
export const createDeliveryStore = (model: Model<Delivery>): DeliveryStore => ({
  insert: createGroupCommit({ work: directlyEach(model).insertEach<Delivery>, most: MOST_INSERTED }),
  settle: createSettling(model),
  ...leasesIn(model),
  ...roundsIn(model),
  ...readsIn(model),
});
