import {
  type Clock,
  type Closable,
  createApart,
  type Log,
  outsideTraces,
  type Sweeper,
  startSweeper,
} from '@assay/runtime';
import type { Slots } from '../domain/slots.ts';
import type { DeliveryStore } from '../store/deliveries.ts';
import type { Delivery } from '../store/delivery-model.ts';
import type { Deliver } from './deliver.ts';
import { createRetryTimers } from './retry-timers.ts';

export interface Deps {
  deliveries: DeliveryStore;
  deliver: Deliver;
  slots: Slots;
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

// A little over the longest attempt: what a crashed process had leased is taken up soon after.
const LEASE_MS = 12_000;
const TENANTS_A_ROUND = 100;
/**
 * So many pauses are one while nothing is due: what is tried again is looked for when its time
 * comes, the rounds find what other processes left.
 */
const IDLE_PAUSES = 8;
const leaseUntil = (at: Date): Date => new Date(at.getTime() + LEASE_MS);
// The older one of two looks again first: they do not give way to each other for ever.
const GIVING_WAY_MS = { older: 200, 'in hand': 50 } as const;
const UNLEASED: Lease = { leaseUntil: new Date(0) };

const pullFailed = (log: Log, tenantId: string) => (error: unknown) =>
  log.warn({ msg: 'delivery.pull-failed', tenantId, error });

/**
 * Attempts a delivery unless another one about the identity comes first: one at a time, the oldest
 * first, whichever process has them in hand. Gives when to look at it again.
 */
const tryInTurn = async ({ deliveries, deliver, owner, now }: Deps, delivery: Delivery): Promise<Date | undefined> => {
  const at = now();
  const reason = await deliveries.waitsFor(delivery, owner, at);
  if (!reason) return deliver(delivery);
  const restUntil = new Date(at.getTime() + GIVING_WAY_MS[reason]);
  await deliveries.release(delivery._id, owner, restUntil);
  return restUntil;
};

/** Delivers what has a slot, and what waits for one as soon as one is free. */
const createRunner = (deps: Deps) => {
  const { deliveries, slots, owner, now, log } = deps;
  const inFlight = new Set<Promise<void>>();
  /** Deliveries that cannot be attempted: each keeps its lease and rests for a growing while. */
  const broken = createApart({ sweeper: 'delivery attempts', log });
  /** Tenants of whose deliveries some may wait for a slot of this process. */
  const waiting = new Set<string>();
  let closing = false;
  const attempt = async (delivery: Delivery): Promise<void> => {
    const again = await tryInTurn(deps, delivery);
    if (again && !closing) retries.expect(delivery.tenantId, again, now());
  };

  /** Delivers in the slot taken for it; afterwards the slot serves the tenant's next delivery. */
  const run = (delivery: Delivery): void => {
    const { _id, tenantId, identityId } = delivery;
    // The slot goes on with other identities' deliveries, which belong to other traces.
    const done: Promise<void> = outsideTraces(() =>
      broken
        .each([delivery], ({ _id }) => _id, attempt)
        .catch((error: unknown) => log.warn({ msg: 'delivery.broken-off', deliveryId: _id, error }))
        .then(() => {
          slots.leave(tenantId, identityId);
          return waiting.has(tenantId) ? pull(tenantId) : undefined;
        })
        .catch(pullFailed(log, tenantId))
        .finally(() => inFlight.delete(done)),
    );
    inFlight.add(done);
  };

  const pull = async (tenantId: string): Promise<void> => {
    waiting.add(tenantId);
    while (!closing && slots.hasRoom(tenantId)) {
      const passedOver = slots.identitiesIn(tenantId);
      // Whatever is stored from here on says so itself.
      if (passedOver.length === 0) waiting.delete(tenantId);
      const next = await deliveries.takeNext(tenantId, passedOver, owner, now(), leaseUntil(now()));
      if (!next) return;
      waiting.add(tenantId);
      // Another notification of this process may have taken the slot: its end pulls again.
      if (!slots.enter(tenantId, next.identityId)) return deliveries.release(next._id, owner);
      run(next);
    }
  };
  const wake = (tenantId: string): void => void pull(tenantId).catch(pullFailed(log, tenantId));
  const retries = createRetryTimers(wake);

  return {
    run,
    pull,
    wake,
    isClosing: () => closing,
    stop: (): void => {
      closing = true;
      retries.clear();
    },
    drain: () => Promise.allSettled(inFlight),
  };
};

/**
 * Delivers notifications: at once when they come in, again when they are due, and what another
 * process left when its lease ends. Several replicas may run: one process at a time has the lease
 * of a delivery.
 */
export const createDispatcher = (deps: Deps): Dispatcher => {
  const { deliveries, slots, owner, now, log, sweepEveryMs } = deps;
  const { run, pull, wake, isClosing, stop, drain } = createRunner(deps);
  const failing = createApart({ sweeper: 'deliveries', log });
  let sweeper: Sweeper | undefined;

  const round = async (): Promise<'nothing' | undefined> => {
    const passedOver = [...slots.fullTenants(), ...failing.resting()];
    const due = await deliveries.dueTenants(now(), passedOver, TENANTS_A_ROUND);
    await failing.each(due, String, pull);
    return due.length === 0 ? 'nothing' : undefined;
  };

  return {
    start: () => {
      const idleMs = sweepEveryMs * IDLE_PAUSES;
      sweeper = startSweeper({ name: 'deliveries', everyMs: sweepEveryMs, idleMs, run: round, log });
    },
    wake,
    reserve: (tenantId, identityId) => {
      const entered = !isClosing() && slots.enter(tenantId, identityId);
      return {
        lease: entered ? { leaseUntil: leaseUntil(now()), leaseOwner: owner } : UNLEASED,
        begin: (delivery) => {
          if (entered) return run(delivery);
          sweeper?.wake();
          // The slot it could not have may be free by now; else whoever has it goes on with this
          // one.
          wake(tenantId);
        },
        cancel: () => {
          if (entered) slots.leave(tenantId, identityId);
        },
      };
    },
    close: async () => {
      stop();
      await sweeper?.close();
      await drain();
    },
  };
};
