import { createGroupCommit, directlyEach } from '@assay/mongo';
import type { Model } from 'mongoose';
import type { DeliveryAttempt, DeliveryState } from '../domain/delivery.ts';
import type { Delivery } from './delivery-model.ts';

/** How a delivery goes on after an attempt. */
export interface Next {
  state: DeliveryState;
  nextAttemptAt?: Date;
  forgetAt?: Date;
}

interface Settled {
  id: string;
  owner: string;
  attempt: DeliveryAttempt;
  next: Next;
}

// Enough for any configured number of attempts; a delivery that is resent for ever keeps its newest
// ones.
const ATTEMPTS_KEPT = 120;
const MOST_SETTLED = 200;

/** Writes the outcomes of attempts of one process. No delivery is among them twice. */
const statementOf = (settled: readonly Settled[]) => {
  const ids = settled.map(({ id }) => id);
  /** Of values in the order of the ids, the one that belongs to the document. */
  const itsOwn = (values: readonly object[]) => ({
    $arrayElemAt: [{ $literal: values }, { $indexOfArray: [{ $literal: ids }, '$_id'] }],
  });
  const attempts = { $concatArrays: ['$attempts', [itsOwn(settled.map(({ attempt }) => attempt))]] };
  return {
    filter: { _id: { $in: ids }, leaseOwner: settled[0]?.owner, state: 'PENDING' },
    change: [
      {
        $set: {
          attempts: { $slice: [attempts, -ATTEMPTS_KEPT] },
          round: { $add: ['$round', 1] },
          leaseUntil: new Date(0),
        },
      },
      { $unset: ['leaseOwner', 'nextAttemptAt'] },
      { $replaceWith: { $mergeObjects: ['$$ROOT', itsOwn(settled.map(({ next }) => next))] } },
    ],
  };
};

/** Writes the outcomes of many attempts with one statement, where this process has the leases. */
export const createSettling = (model: Model<Delivery>) => {
  const { updateTogether } = directlyEach(model);
  const settleEach = createGroupCommit({
    work: (settled: readonly Settled[]) => updateTogether(settled, statementOf),
    most: MOST_SETTLED,
  });
  return (id: string, owner: string, attempt: DeliveryAttempt, next: Next): Promise<void> =>
    settleEach({ id, owner, attempt, next });
};
