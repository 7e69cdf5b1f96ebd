import { type IdentitySummaryStatus, present, TRANSIENT_STATUSES } from '@assay/contracts';
import { trusted } from '@assay/mongo';
import type { Model } from 'mongoose';
import type { Identity } from '../domain/identity.ts';

/** The query of an administrator among the identities of a tenant. */
export interface IdentityCriteria {
  now: Date;
  identityId?: string | undefined;
  /** The keyed hash of what the tenant calls the person. */
  businessRef?: string | undefined;
  status?: IdentitySummaryStatus | undefined;
  createdFrom?: Date | undefined;
  createdBefore?: Date | undefined;
  /** The place of the last one seen. */
  after?: { createdAt: Date; id: string } | undefined;
}

const BUSY = [
  { 'reservations.0': trusted({ $exists: true }) },
  { 'evidences.status': trusted({ $in: [...TRANSIENT_STATUSES] }) },
];

/** The same distinctions as `summaryStatusOf`. */
const ofStatus = (status: IdentitySummaryStatus) => {
  const running = { state: trusted({ $in: ['OPEN', 'PROVING'] }) };
  if (status === 'CLOSED') return { state: trusted({ $in: ['CLOSING', 'CLOSED'] }) };
  if (status === 'PROCESSING') return { ...running, $or: BUSY };
  if (status === 'EXPECTING_INPUT') return { ...running, $nor: BUSY };
  return { state: status };
};

const ofTime = ({ createdFrom, createdBefore }: IdentityCriteria) =>
  createdFrom || createdBefore
    ? [
        {
          createdAt: trusted({
            ...present({ $gte: createdFrom, $lt: createdBefore }),
          }),
        },
      ]
    : [];

const ofPlace = ({ after }: IdentityCriteria) =>
  after
    ? [
        {
          $or: [
            { createdAt: trusted({ $lt: after.createdAt }) },
            { createdAt: after.createdAt, _id: trusted({ $lt: after.id }) },
          ],
        },
      ]
    : [];

/** Not a tombstone whose answers are over: as `isForgotten` of the domain. */
const found = ({ now }: IdentityCriteria) => ({
  $or: [{ answersUntil: trusted({ $exists: false }) }, { answersUntil: trusted({ $gt: now }) }],
});

// biome-ignore lint/suspicious/noExplicitAny: the model of a schema with members of any shape
export const createIdentitySearch = (model: Model<any>) => {
  const query = (tenantId: string, criteria: IdentityCriteria) => {
    const { identityId, businessRef, status } = criteria;
    const $and = [found(criteria), ...(status ? [ofStatus(status)] : []), ...ofTime(criteria), ...ofPlace(criteria)];
    return model
      .find({ tenantId, ...present({ _id: identityId, businessRef }), $and }, { outbox: 0, said: 0 })
      .sort({ createdAt: -1, _id: -1 });
  };
  return {
    query,

    /** The identities of a tenant, the newest first. */
    search: (tenantId: string, criteria: IdentityCriteria, limit: number): Promise<Identity[]> =>
      query(tenantId, criteria).limit(limit).lean<Identity[]>().exec(),
  };
};
