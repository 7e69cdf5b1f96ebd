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

/** So many are taken in hand at once of what waits in the database, when half as many are left. */
const TAKEN_AT_ONCE = 128;
export const FEW_LEFT = TAKEN_AT_ONCE / 2;
/** Takes a tenant's due deliveries in hand, many with one look, as long as it has few of them. */
export const createTaking = ({ deliveries, slots, owner, now, run }: Deps) => {
  /** Tenants of whose deliveries some may wait in the database for this process. */
  const waiting = new Set<string>();
  /** Tenants of whom more wait there than were taken: what comes in takes its place behind them. */
  const behind = new Set<string>();
  /** Tenants that are being looked at, and whether somebody asked for it meanwhile. */
  const looking = new Map<string, { isAskedAgain: boolean }>();
  let isClosed = false;

  const take = async (tenantId: string, look: { isAskedAgain: boolean }): Promise<void> => {
    while (!isClosed && slots.countOf(tenantId) <= FEW_LEFT) {
      const most = Math.min(slots.roomFor(tenantId), TAKEN_AT_ONCE);
      if (most === 0) return;
      look.isAskedAgain = false;
      const passedOver = slots.identitiesIn(tenantId);
      // Whatever is stored from here on says so itself.
      if (passedOver.length === 0) waiting.delete(tenantId);
      const hands = { owner, now: now(), leaseUntil: leaseUntil(now()) };
      const taken = await deliveries.takeDue(tenantId, passedOver, hands, most);
      if (taken.length === most) behind.add(tenantId);
      else behind.delete(tenantId);
      if (taken.length > 0) waiting.add(tenantId);
      for (const delivery of taken) {
        // Another notification of this process may have taken the slot: its end looks again.
        if (slots.enter(tenantId, delivery.identityId)) run(delivery);
        else await deliveries.release(delivery._id, owner);
      }
      if (taken.length === 0 && !look.isAskedAgain) return;
    }
  };

  return {
    /** Looks for what is due of a tenant; whoever looks already looks once more. */
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
