import { type Clock, createApart, type Log, outsideTraces } from '@assay/runtime';
import type { Slots } from '../domain/slots.ts';
import type { DeliveryStore } from '../store/deliveries.ts';
import type { Delivery } from '../store/delivery-model.ts';
import type { Deliver } from './deliver.ts';
import { createDueDeliveries, type DueDeliveries, FEW_LEFT } from './due-deliveries.ts';
import { createRetryTimers } from './retry-timers.ts';

export interface Deps {
  deliveries: Pick<DeliveryStore, 'takeDue' | 'waitsFor' | 'release'>;
  deliver: Deliver;
  slots: Slots;
  /** Names this process in the lease of a delivery. */
  owner: string;
  now: Clock;
  log: Log;
}

/** Delivers what has a slot. A free slot then serves the next due delivery of its tenant. */
export interface SlotRunner {
  due: DueDeliveries;
  /** Delivers in the slot that was taken for the delivery. */
  deliverInSlot(delivery: Delivery): void;
  /** Leases and delivers what is due of a tenant, without waiting for it. */
  lookForDue(tenantId: string): void;
  isClosing(): boolean;
  /** Leases nothing from now on. */
  stop(): void;
  /** Resolves when everything that was begun has ended. */
  ended(): Promise<void>;
}

// Of two deliveries the older one tries again first: they do not give way to each other for ever.
const GIVING_WAY_MS = { older: 200, leased: 50 } as const;

/** Work that goes on without its caller, until it is waited for at the end. */
const createTasks = () => {
  const running = new Set<Promise<void>>();
  return {
    begin: (task: Promise<void>): void => {
      const done = task.finally(() => running.delete(done));
      running.add(done);
    },
    ended: async (): Promise<void> => {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
};

/**
 * Attempts a delivery unless another one about the identity is sent first: one at a time, the
 * oldest first, over all processes. Returns when to look at it again.
 */
const attemptOldestFirst = async (
  { deliveries, deliver, owner, now }: Deps,
  delivery: Delivery,
): Promise<Date | undefined> => {
  const at = now();
  const reason = await deliveries.waitsFor(delivery, owner, at);
  if (!reason) return deliver(delivery);
  const restUntil = new Date(at.getTime() + GIVING_WAY_MS[reason]);
  await deliveries.release(delivery._id, owner, restUntil);
  return restUntil;
};

export const createSlotRunner = (deps: Deps): SlotRunner => {
  const { slots, now, log } = deps;
  const tasks = createTasks();
  /** Deliveries that cannot be attempted: each keeps its lease and waits longer each time. */
  const broken = createApart({ sweeper: 'delivery attempts', log });
  let closing = false;

  const attempt = async (delivery: Delivery): Promise<void> => {
    const again = await attemptOldestFirst(deps, delivery);
    if (again && !closing) retries.expect(delivery.tenantId, again, now());
  };

  const attemptAndFreeSlot = async (delivery: Delivery): Promise<void> => {
    const { _id, tenantId, identityId } = delivery;
    await broken
      .each([delivery], ({ _id }) => _id, attempt)
      .catch((error: unknown) => log.warn({ msg: 'delivery.broken-off', deliveryId: _id, error }));
    slots.leave(tenantId, identityId);
    if (due.mayHave(tenantId) && slots.countOf(tenantId) <= FEW_LEFT) lookForDue(tenantId);
  };

  /** The slot then serves deliveries about other identities, which belong to other traces. */
  const deliverInSlot = (delivery: Delivery): void => tasks.begin(outsideTraces(() => attemptAndFreeSlot(delivery)));

  const due = createDueDeliveries({ ...deps, deliverInSlot });
  const lookForDue = (tenantId: string): void =>
    tasks.begin(
      due.pull(tenantId).catch((error: unknown) => log.warn({ msg: 'delivery.pull-failed', tenantId, error })),
    );
  const retries = createRetryTimers(lookForDue);

  return {
    due,
    deliverInSlot,
    lookForDue,
    isClosing: () => closing,
    stop: () => {
      closing = true;
      due.close();
      retries.clear();
    },
    ended: tasks.ended,
  };
};
