import {
  type Clock,
  type Closable,
  createApart,
  type Log,
  outsideTraces,
  type Sweeper,
  startSweeper,
} from '@assay/runtime';
import { leaseUntil } from '../domain/lease.ts';
import type { Slots } from '../domain/slots.ts';
import type { DeliveryStore } from '../store/deliveries.ts';
import type { Delivery } from '../store/delivery-model.ts';
import type { AttemptLimit } from './attempt-limit.ts';
import type { Deliver } from './deliver.ts';
import { createDueDeliveries, FEW_LEFT } from './due-deliveries.ts';
import { createRetryTimers } from './retry-timers.ts';

export interface Deps {
  deliveries: DeliveryStore;
  deliver: Deliver;
  slots: Slots;
  attemptLimit: Pick<AttemptLimit, 'close'>;
  /** Names this process in the lease of a delivery. */
  owner: string;
  now: Clock;
  log: Log;
  /** Pause between rounds that look for due deliveries, in milliseconds. */
  sweepEveryMs: number;
}

type Lease = Pick<Delivery, 'leaseUntil' | 'leaseOwner'>;

/** A place for a delivery that is about to be inserted. */
interface Reservation {
  /** The lease to insert it with. */
  lease: Lease;
  /** Call after the insert: delivers it now where a slot was free, else when one is. */
  begin(delivery: Delivery): void;
  /** Call when nothing was inserted. */
  cancel(): void;
}

export interface Dispatcher extends Closable {
  /** Begins the rounds that look for due deliveries. */
  start(): void;
  reserve(tenantId: string, identityId: string): Reservation;
  /** Looks for due deliveries of a tenant now instead of at the next round. */
  wake(tenantId: string): void;
}

const TENANTS_A_ROUND = 100;
/**
 * While nothing is due the pause between rounds is so many times as long. Timers look for retries
 * when their time comes; the rounds find what other processes left.
 */
const IDLE_PAUSES = 8;
// Of two deliveries the older one tries again first: they do not give way to each other for ever.
const GIVING_WAY_MS = { older: 200, leased: 50 } as const;
const UNLEASED: Lease = { leaseUntil: new Date(0) };

const pullFailed = (log: Log, tenantId: string) => (error: unknown) =>
  log.warn({ msg: 'delivery.pull-failed', tenantId, error });

/**
 * Attempts a delivery unless another one about the identity is sent first: one at a time, the
 * oldest first, over all processes. Returns when to look at it again.
 */
const tryInTurn = async ({ deliveries, deliver, owner, now }: Deps, delivery: Delivery): Promise<Date | undefined> => {
  const at = now();
  const reason = await deliveries.waitsFor(delivery, owner, at);
  if (!reason) return deliver(delivery);
  const restUntil = new Date(at.getTime() + GIVING_WAY_MS[reason]);
  await deliveries.release(delivery._id, owner, restUntil);
  return restUntil;
};

/** Delivers what has a slot, and what waits for one as soon as a slot is free. */
const createRunner = (deps: Deps) => {
  const { slots, now, log } = deps;
  const inFlight = new Set<Promise<void>>();
  /** Deliveries that cannot be attempted: each keeps its lease and waits longer each time. */
  const broken = createApart({ sweeper: 'delivery attempts', log });
  let closing = false;
  const attempt = async (delivery: Delivery): Promise<void> => {
    const again = await tryInTurn(deps, delivery);
    if (again && !closing) retries.expect(delivery.tenantId, again, now());
  };

  /** Delivers in the slot taken for it. Afterwards the slot serves the tenant's next delivery. */
  const run = (delivery: Delivery): void => {
    const { _id, tenantId, identityId } = delivery;
    // The slot then serves deliveries about other identities, which belong to other traces.
    const done: Promise<void> = outsideTraces(() =>
      broken
        .each([delivery], ({ _id }) => _id, attempt)
        .catch((error: unknown) => log.warn({ msg: 'delivery.broken-off', deliveryId: _id, error }))
        .then(() => {
          slots.leave(tenantId, identityId);
          if (due.mayHave(tenantId) && slots.countOf(tenantId) <= FEW_LEFT) wake(tenantId);
        })
        .finally(() => inFlight.delete(done)),
    );
    inFlight.add(done);
  };

  const due = createDueDeliveries({ ...deps, run });
  const wake = (tenantId: string): void => {
    const done: Promise<void> = due
      .pull(tenantId)
      .catch(pullFailed(log, tenantId))
      .finally(() => inFlight.delete(done));
    inFlight.add(done);
  };
  const retries = createRetryTimers(wake);

  return {
    run,
    due,
    wake,
    isClosing: () => closing,
    stop: (): void => {
      closing = true;
      due.close();
      retries.clear();
    },
    drain: async (): Promise<void> => {
      while (inFlight.size > 0) await Promise.allSettled(inFlight);
    },
  };
};

/**
 * A slot for a delivery that is about to be inserted. It gets none where deliveries of the tenant
 * wait in the database: it is leased after them.
 */
const reservingWith = (
  { slots, owner, now }: Deps,
  { run, due, wake, isClosing }: ReturnType<typeof createRunner>,
  wakeRounds: () => void,
): Dispatcher['reserve'] => {
  const enter = (tenantId: string, identityId: string): boolean => {
    if (isClosing() || due.isBehind(tenantId)) return false;
    if (slots.roomFor(tenantId) === 0) due.fallBehind(tenantId);
    return slots.enter(tenantId, identityId);
  };
  const beginLater = (tenantId: string, identityId: string): void => {
    wakeRounds();
    due.expect(tenantId);
    // A delivery that ends in the identity's slot, or in one of many of the tenant's, leases it.
    const isTakenUp = slots.has(tenantId, identityId) || slots.countOf(tenantId) > FEW_LEFT;
    if (!isTakenUp) wake(tenantId);
  };
  return (tenantId, identityId) => {
    const entered = enter(tenantId, identityId);
    return {
      lease: entered ? { leaseUntil: leaseUntil(now()), leaseOwner: owner } : UNLEASED,
      begin: (delivery) => (entered ? run(delivery) : beginLater(tenantId, identityId)),
      cancel: () => {
        if (entered) slots.leave(tenantId, identityId);
      },
    };
  };
};

/**
 * Delivers notifications: at once when they come in, again when they are due, and what another
 * process left when its lease ends. Several replicas may run: one process at a time has the lease
 * of a delivery.
 */
export const createDispatcher = (deps: Deps): Dispatcher => {
  const { deliveries, slots, attemptLimit, now, log, sweepEveryMs } = deps;
  const runner = createRunner(deps);
  const { due, wake, stop, drain } = runner;
  const failing = createApart({ sweeper: 'deliveries', log });
  let sweeper: Sweeper | undefined;

  const round = async (): Promise<'nothing' | undefined> => {
    // Tenants with many leased deliveries are looked at when few of those are left.
    const busy = slots.tenants().filter((tenantId) => slots.countOf(tenantId) > FEW_LEFT);
    for (const tenantId of busy) due.expect(tenantId);
    const passedOver = [...busy, ...failing.resting()];
    const tenantIds = await deliveries.dueTenants(now(), passedOver, TENANTS_A_ROUND);
    await failing.each(tenantIds, String, due.pull);
    return tenantIds.length === 0 ? 'nothing' : undefined;
  };

  return {
    start: () => {
      const idleMs = sweepEveryMs * IDLE_PAUSES;
      sweeper = startSweeper({ name: 'deliveries', everyMs: sweepEveryMs, idleMs, run: round, log });
    },
    wake,
    reserve: reservingWith(deps, runner, () => sweeper?.wake()),
    close: async () => {
      stop();
      attemptLimit.close();
      await sweeper?.close();
      await drain();
    },
  };
};
