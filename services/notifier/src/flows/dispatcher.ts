import { type Clock, type Closable, createApart, type Log, type Sweeper, startSweeper } from '@assay/runtime';
import { leaseUntil } from '../domain/lease.ts';
import type { Slots } from '../domain/slots.ts';
import type { DeliveryStore } from '../store/deliveries.ts';
import type { Delivery } from '../store/delivery-model.ts';
import type { AttemptLimit } from './attempt-limit.ts';
import type { Deliver } from './deliver.ts';
import { FEW_LEFT } from './due-deliveries.ts';
import { createSlotRunner, type SlotRunner } from './slot-runner.ts';

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
  lookForDue(tenantId: string): void;
}

const TENANTS_A_ROUND = 100;
/**
 * While nothing is due the pause between rounds is so many times as long. Timers look for retries
 * when their time comes; the rounds find what other processes left.
 */
const IDLE_PAUSES = 8;
const UNLEASED: Lease = { leaseUntil: new Date(0) };

/** Takes a slot for a new delivery, unless others of the tenant wait and are sent before it. */
const takeSlot = (slots: Slots, { due, isClosing }: SlotRunner, tenantId: string, identityId: string): boolean => {
  if (isClosing() || due.isBehind(tenantId)) return false;
  if (slots.roomFor(tenantId) === 0) due.fallBehind(tenantId);
  return slots.enter(tenantId, identityId);
};

/** `wakeRounds` shortens the pause between rounds. */
const createReserve =
  ({ slots, owner, now }: Deps, runner: SlotRunner, wakeRounds: () => void): Dispatcher['reserve'] =>
  (tenantId, identityId) => {
    if (takeSlot(slots, runner, tenantId, identityId))
      return {
        lease: { leaseUntil: leaseUntil(now()), leaseOwner: owner },
        begin: runner.deliverInSlot,
        cancel: () => slots.leave(tenantId, identityId),
      };
    return {
      lease: UNLEASED,
      begin: () => {
        wakeRounds();
        runner.due.expect(tenantId);
        // A delivery in the identity's slot, or one of many of the tenant's, leases it when it
        // ends.
        const isTakenUp = slots.has(tenantId, identityId) || slots.countOf(tenantId) > FEW_LEFT;
        if (!isTakenUp) runner.lookForDue(tenantId);
      },
      cancel: () => undefined,
    };
  };

/**
 * Delivers notifications: at once when they come in, again when they are due, and what another
 * process left when its lease ends. Several replicas may run: one process at a time has the lease
 * of a delivery.
 */
export const createDispatcher = (deps: Deps): Dispatcher => {
  const { deliveries, slots, attemptLimit, now, log, sweepEveryMs } = deps;
  const runner = createSlotRunner(deps);
  const failing = createApart({ sweeper: 'deliveries', log });
  let sweeper: Sweeper | undefined;

  const round = async (): Promise<'nothing' | undefined> => {
    // Tenants with many leased deliveries are looked at when few of those are left.
    const busy = slots.tenants().filter((tenantId) => slots.countOf(tenantId) > FEW_LEFT);
    for (const tenantId of busy) runner.due.expect(tenantId);
    const passedOver = [...busy, ...failing.resting()];
    const tenantIds = await deliveries.dueTenants(now(), passedOver, TENANTS_A_ROUND);
    await failing.each(tenantIds, String, runner.due.pull);
    return tenantIds.length === 0 ? 'nothing' : undefined;
  };

  return {
    start: () => {
      const idleMs = sweepEveryMs * IDLE_PAUSES;
      sweeper = startSweeper({ name: 'deliveries', everyMs: sweepEveryMs, idleMs, run: round, log });
    },
    lookForDue: runner.lookForDue,
    reserve: createReserve(deps, runner, () => sweeper?.wake()),
    close: async () => {
      runner.stop();
      attemptLimit.close();
      await sweeper?.close();
      await runner.ended();
    },
  };
};
