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
  run: (delivery: Delivery) => void;
}

/** So many deliveries are leased at once, when half as many are left. */
const TAKEN_AT_ONCE = 128;
export const FEW_LEFT = TAKEN_AT_ONCE / 2;
/** Leases a tenant's due deliveries, many with one command, when it has few of them left. */
export const createTaking = ({ deliveries, slots, owner, now, run }: Deps) => {
  /** Tenants that may have due deliveries in the database. */
  const waiting = new Set<string>();
  /** Tenants with more due deliveries than were leased: new deliveries wait behind those. */
  const behind = new Set<string>();
  /** Tenants whose due deliveries are being leased, and whether that was asked for again. */
  const looking = new Map<string, { isAskedAgain: boolean }>();
  let isClosed = false;

  const take = async (tenantId: string, look: { isAskedAgain: boolean }): Promise<void> => {
    while (!isClosed && slots.countOf(tenantId) <= FEW_LEFT) {
      const most = Math.min(slots.roomFor(tenantId), TAKEN_AT_ONCE);
      if (most === 0) return;
      look.isAskedAgain = false;
      const passedOver = slots.identitiesIn(tenantId);
      // Whoever stores a delivery from now on adds the tenant again.
      if (passedOver.length === 0) waiting.delete(tenantId);
      const lease = { owner, now: now(), leaseUntil: leaseUntil(now()) };
      const taken = await deliveries.takeDue(tenantId, passedOver, lease, most);
      if (taken.length === most) behind.add(tenantId);
      else behind.delete(tenantId);
      if (taken.length > 0) waiting.add(tenantId);
      for (const delivery of taken) {
        // Another notification may have taken the slot: when it ends, this delivery is found again.
        if (slots.enter(tenantId, delivery.identityId)) run(delivery);
        else await deliveries.release(delivery._id, owner);
      }
      if (taken.length === 0 && !look.isAskedAgain) return;
    }
  };

  return {
    /** Leases and delivers what is due of a tenant. A call during another one repeats that one. */
    pull: async (tenantId: string): Promise<void> => {
      waiting.add(tenantId);
      const underWay = looking.get(tenantId);
      if (underWay) {
        underWay.isAskedAgain = true;
        return;
      }
      const look = { isAskedAgain: false };
      looking.set(tenantId, look);
      await take(tenantId, look).finally(() => looking.delete(tenantId));
    },
    isWaiting: (tenantId: string): boolean => waiting.has(tenantId),
    wait: (tenantId: string): void => void waiting.add(tenantId),
    isBehind: (tenantId: string): boolean => behind.has(tenantId),
    fallBehind: (tenantId: string): void => void behind.add(tenantId),
    close: (): void => {
      isClosed = true;
    },
  };
};
