import type { Clock } from '@assay/runtime';
import { leaseUntil } from '../domain/lease.ts';
import type { Slots } from '../domain/slots.ts';
import type { DeliveryStore } from '../store/deliveries.ts';
import type { Delivery } from '../store/delivery-model.ts';

export interface Deps {
  deliveries: Pick<DeliveryStore, 'takeDue' | 'release'>;
  slots: Slots;
  /** Names this process in the lease of a delivery. */
  owner: string;
  now: Clock;
  /** Delivers in the slot that was taken for it. */
  deliverInSlot: (delivery: Delivery) => void;
}

/**
 * The due deliveries that wait in the database, by tenant. They are leased when this process has
 * few leased deliveries of the tenant left, many with one command.
 */
export interface DueDeliveries {
  /** Leases and delivers what is due. A call during another one makes that one look once more. */
  pull(tenantId: string): Promise<void>;
  /** The tenant may have due deliveries. */
  expect(tenantId: string): void;
  mayHave(tenantId: string): boolean;
  /** More is due than was leased: a new delivery has to wait behind it. */
  fallBehind(tenantId: string): void;
  isBehind(tenantId: string): boolean;
  /** Leases nothing from now on. */
  close(): void;
}

/** So many deliveries are leased at once, when half as many are left. */
const LEASED_AT_ONCE = 128;
export const FEW_LEFT = LEASED_AT_ONCE / 2;

export const createDueDeliveries = ({ deliveries, slots, owner, now, deliverInSlot }: Deps): DueDeliveries => {
  const expected = new Set<string>();
  const behind = new Set<string>();
  /** Tenants whose due deliveries are being leased, and whether to look once more. */
  const pulling = new Map<string, { isAskedAgain: boolean }>();
  let isClosed = false;

  const leaseAndDeliver = async (tenantId: string, pull: { isAskedAgain: boolean }): Promise<void> => {
    while (!isClosed && slots.countOf(tenantId) <= FEW_LEFT) {
      const most = Math.min(slots.roomFor(tenantId), LEASED_AT_ONCE);
      if (most === 0) return;
      pull.isAskedAgain = false;
      const passedOver = slots.identitiesIn(tenantId);
      // A delivery that is stored from now on makes the tenant expected again.
      if (passedOver.length === 0) expected.delete(tenantId);
      const lease = { owner, now: now(), leaseUntil: leaseUntil(now()) };
      const leased = await deliveries.takeDue(tenantId, passedOver, lease, most);
      if (leased.length === most) behind.add(tenantId);
      else behind.delete(tenantId);
      if (leased.length > 0) expected.add(tenantId);
      for (const delivery of leased) {
        // Another notification may have taken the slot: when it ends, this delivery is found again.
        if (slots.enter(tenantId, delivery.identityId)) deliverInSlot(delivery);
        else await deliveries.release(delivery._id, owner);
      }
      if (leased.length === 0 && !pull.isAskedAgain) return;
    }
  };

  return {
    pull: async (tenantId) => {
      expected.add(tenantId);
      const underWay = pulling.get(tenantId);
      if (underWay) {
        underWay.isAskedAgain = true;
        return;
      }
      const pull = { isAskedAgain: false };
      pulling.set(tenantId, pull);
      await leaseAndDeliver(tenantId, pull).finally(() => pulling.delete(tenantId));
    },
    expect: (tenantId) => void expected.add(tenantId),
    mayHave: (tenantId) => expected.has(tenantId),
    fallBehind: (tenantId) => void behind.add(tenantId),
    isBehind: (tenantId) => behind.has(tenantId),
    close: () => {
      isClosed = true;
    },
  };
};
