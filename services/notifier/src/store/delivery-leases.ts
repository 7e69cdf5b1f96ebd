import { createGroupCommit, directly, directlyEach, type Outcome, trusted } from '@assay/mongo';
import type { Model } from 'mongoose';
import { type Others, type Precedence, precedenceOver } from '../domain/precedence.ts';
import type { Delivery } from './delivery-model.ts';

/** Who attempts which delivery next: one process at a time, in the order of the identity. */
export interface DeliveryLeases {
  /**
   * Leases due deliveries of the tenant: of the identities that wait the longest, the oldest of
   * each. Identities for which a webhook is being sent are passed over.
   */
  takeDue(
    tenantId: string,
    busyIdentities: readonly string[],
    lease: { owner: string; now: Date; leaseUntil: Date },
    most: number,
  ): Promise<Delivery[]>;
  /** Renews a lease. False where this process has it no longer. */
  renew(id: string, owner: string, leaseUntil: Date): Promise<boolean>;
  /**
   * Ends the lease of a delivery that cannot be attempted now. No process leases it before
   * `restUntil`.
   */
  release(id: string, owner: string, restUntil?: Date): Promise<void>;
  /** What this delivery, which this process has leased, has to wait for. */
  waitsFor(delivery: Delivery, owner: string, now: Date): Promise<Precedence | undefined>;
  /** Tenants with something due, the longest waiting first, passing over those that are busy. */
  dueTenants(now: Date, busyTenants: readonly string[], limit: number): Promise<string[]>;
}

// A receiver that was away for long has many due: a look covers the oldest.
const DUE_LOOKED_AT = 1000;
// A delivery that is due for longer cannot be attempted, and delays no other.
const WAITED_FOR_MS = 60_000;
const MOST_LOOKED_AT = 200;

const due = (now: Date) => ({
  state: 'PENDING' as const,
  nextAttemptAt: trusted({ $lte: now }),
  leaseUntil: trusted({ $lte: now }),
});

interface Look {
  delivery: Delivery;
  owner: string;
  now: Date;
}

/**
 * Finds with one command what is sent before deliveries of a tenant. They are about different
 * identities: a process leases one for each.
 */
const lookingIn =
  (model: Model<Delivery>) =>
  async (tenantId: string, looks: readonly Look[]): Promise<ReadonlyMap<string, Others>> => {
    const now = new Date(Math.max(...looks.map((look) => look.now.getTime())));
    const from = new Date(now.getTime() - WAITED_FOR_MS);
    const owner = looks[0]?.owner;
    const identityId = { $in: looks.map(({ delivery }) => delivery.identityId) };
    const theirs = { leaseOwner: { $exists: true, $ne: owner }, leaseUntil: { $gt: now } };
    const isDue = { $and: [{ $lte: ['$nextAttemptAt', now] }, { $gt: ['$nextAttemptAt', from] }] };
    const isTheirs = {
      $and: [
        { $ne: [{ $ifNull: ['$leaseOwner', null] }, null] },
        { $ne: ['$leaseOwner', owner] },
        { $gt: ['$leaseUntil', now] },
      ],
    };
    const found = await model.collection
      .aggregate<Others & { _id: string }>([
        {
          $match: {
            tenantId,
            identityId,
            state: 'PENDING',
            _id: { $nin: looks.map(({ delivery }) => delivery._id) },
            $or: [{ nextAttemptAt: { $lte: now, $gt: from } }, theirs],
          },
        },
        {
          $group: {
            _id: '$identityId',
            due: { $min: { $cond: [isDue, '$createdAt', null] } },
            theirs: { $min: { $cond: [isTheirs, '$createdAt', null] } },
          },
        },
      ])
      .toArray();
    return new Map(found.map((one) => [one._id, one]));
  };

/** What many ask at the same time is looked for with one command for each tenant. */
const createLooks = (model: Model<Delivery>) => {
  const look = lookingIn(model);
  const workFor = async (tenantId: string, looks: readonly Look[]) => {
    const others = await look(tenantId, looks);
    return looks.map(({ delivery }): [Delivery, Outcome<Precedence | undefined>] => [
      delivery,
      { value: precedenceOver(delivery.createdAt, others.get(delivery.identityId) ?? {}) },
    ]);
  };
  const work = async (looks: readonly Look[]): Promise<readonly Outcome<Precedence | undefined>[]> => {
    const tenants = [...new Set(looks.map(({ delivery }) => delivery.tenantId))];
    const looksFor = (tenantId: string) => looks.filter(({ delivery }) => delivery.tenantId === tenantId);
    const found = await Promise.all(tenants.map((tenantId) => workFor(tenantId, looksFor(tenantId))));
    const outcomes = new Map(found.flat());
    return looks.flatMap(({ delivery }) => outcomes.get(delivery) ?? []);
  };
  return createGroupCommit({ work, most: MOST_LOOKED_AT });
};

interface Renewal {
  id: string;
  owner: string;
  leaseUntil: Date;
}

/** Renews many leases of one process with one command, all to the latest end that is asked for. */
const createRenewals = (model: Model<Delivery>) => {
  const work = async (renewals: readonly Renewal[]): Promise<readonly Outcome<boolean>[]> => {
    const ids = renewals.map(({ id }) => id);
    const leaseUntil = new Date(Math.max(...renewals.map((renewal) => renewal.leaseUntil.getTime())));
    const theirs = { _id: { $in: ids }, state: 'PENDING', leaseOwner: renewals[0]?.owner };
    const { matchedCount } = await directly(model).updateMany(theirs, [{ $set: { leaseUntil } }]);
    if (matchedCount === ids.length) return ids.map(() => ({ value: true }));
    const extended = new Set(await model.collection.distinct('_id', { ...theirs, leaseUntil } as object));
    return ids.map((id) => ({ value: extended.has(id as never) }));
  };
  return createGroupCommit({ work, most: MOST_LOOKED_AT });
};

/** The ids of the oldest due delivery of each of these identities. */
const oldestDue = async (
  model: Model<Delivery>,
  tenantId: string,
  identityIds: readonly string[],
  now: Date,
): Promise<string[]> => {
  const firsts = await model.aggregate<{ first: string }>([
    { $match: { tenantId, identityId: { $in: identityIds }, ...due(now) } },
    { $sort: { createdAt: 1, nextAttemptAt: 1 } },
    { $group: { _id: '$identityId', first: { $first: '$_id' } } },
  ]);
  return firsts.map(({ first }) => first);
};

/** Who has more due than one look covers hides the others: they are looked at without it. */
const MOST_LOOKS = 8;

/** The identities of the tenant that wait the longest. */
const longestWaiting = async (
  model: Model<Delivery>,
  tenantId: string,
  busyIdentities: readonly string[],
  now: Date,
  most: number,
): Promise<string[]> => {
  const found = new Set<string>();
  for (let looks = 0; looks < MOST_LOOKS && found.size < most; looks += 1) {
    const others = trusted({ $nin: [...busyIdentities, ...found] });
    const seen = await model
      .find({ tenantId, ...due(now), identityId: others }, { identityId: 1 })
      .sort({ nextAttemptAt: 1 })
      .limit(most)
      .lean<Pick<Delivery, 'identityId'>[]>();
    for (const { identityId } of seen) found.add(identityId);
    if (seen.length < most) break;
  }
  return [...found].slice(0, most);
};

const takingFrom =
  (model: Model<Delivery>): DeliveryLeases['takeDue'] =>
  async (tenantId, busyIdentities, { owner, now, leaseUntil }, most) => {
    const identityIds = await longestWaiting(model, tenantId, busyIdentities, now, most);
    if (identityIds.length === 0) return [];
    // Any other one would give way to the oldest, which waits less long where it was tried before.
    const ids = await oldestDue(model, tenantId, identityIds, now);
    await model.updateMany({ _id: trusted({ $in: ids }), ...due(now) }, { $set: { leaseOwner: owner, leaseUntil } });
    // Read after they are leased: another process may have made an attempt until then.
    return model
      .find({ _id: trusted({ $in: ids }), state: 'PENDING', leaseOwner: owner, leaseUntil })
      .sort({ nextAttemptAt: 1 })
      .lean<Delivery[]>();
  };

const findingTenants =
  (model: Model<Delivery>): DeliveryLeases['dueTenants'] =>
  async (now, busyTenants, limit) => {
    const found: string[] = [];
    for (let looks = 0; looks < MOST_LOOKS && found.length < limit; looks += 1) {
      const seen = await model.aggregate<{ _id: string; due: number }>([
        {
          $match: {
            state: 'PENDING',
            nextAttemptAt: { $lte: now },
            leaseUntil: { $lte: now },
            tenantId: { $nin: [...busyTenants, ...found] },
          },
        },
        { $sort: { nextAttemptAt: 1 } },
        { $limit: DUE_LOOKED_AT },
        { $group: { _id: '$tenantId', since: { $min: '$nextAttemptAt' }, due: { $sum: 1 } } },
        { $sort: { since: 1 } },
        { $limit: limit - found.length },
      ]);
      found.push(...seen.map(({ _id }) => _id));
      if (seen.reduce((sum, { due: count }) => sum + count, 0) < DUE_LOOKED_AT) break;
    }
    return found;
  };

export const leasesIn = (model: Model<Delivery>): DeliveryLeases => {
  const looks = createLooks(model);
  const renewals = createRenewals(model);
  /** Updates of single deliveries, many with one command. */
  const updateEach = createGroupCommit({ work: directlyEach(model).updateEach, most: MOST_LOOKED_AT });
  return {
    takeDue: takingFrom(model),
    renew: (id, owner, leaseUntil) => renewals({ id, owner, leaseUntil }),
    release: (id, owner, restUntil = new Date(0)) =>
      updateEach({
        filter: { _id: id, leaseOwner: owner },
        change: { $set: { leaseUntil: restUntil }, $unset: { leaseOwner: 1 } },
      }),
    waitsFor: (delivery, owner, now) => looks({ delivery, owner, now }),
    dueTenants: findingTenants(model),
  };
};
