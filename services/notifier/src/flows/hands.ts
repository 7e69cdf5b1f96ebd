import type { Clock } from '@assay/runtime';
import { leaseAt, leaseUntil } from '../domain/lease.ts';
import type { DeliveryStore } from '../store/deliveries.ts';
import type { Delivery } from '../store/delivery-model.ts';

export interface Deps {
  deliveries: Pick<DeliveryStore, 'renew'>;
  /** Names this process in the lease of a delivery. */
  owner: string;
  now: Clock;
}

type Waiting = Pick<Delivery, '_id' | 'tenantId' | 'leaseUntil'>;

/** Deliveries that wait for their turn in this process. */
export interface Hands {
  /** It waits from here on; those of a tenant have their turns in this order. */
  take(delivery: Waiting): void;
  /** Its turn has come: whether it is still in these hands for as long as an attempt takes. */
  letGo(delivery: Waiting): Promise<boolean>;
}

interface Held {
  until: Date;
  renewal?: Promise<boolean> | undefined;
}

/** So many are had for longer at once: that of each in its turn would hold up every attempt. */
const RENEWED_AT_ONCE = 64;

export const createHands = ({ deliveries, owner, now }: Deps): Hands => {
  /** By tenant and delivery, in the order of their turns. */
  const lanes = new Map<string, Map<string, Held>>();

  const renew = (id: string, held: Held, until: Date): Promise<boolean> => {
    const keep = async (): Promise<boolean> => {
      const isOurs = await deliveries.renew(id, owner, until);
      held.until = isOurs ? until : new Date(0);
      return isOurs;
    };
    held.renewal ??= keep().finally(() => {
      held.renewal = undefined;
    });
    return held.renewal;
  };

  /** Those whose turns come next are had for longer along with this one. */
  const renewWith = async (id: string, held: Held, lane: ReadonlyMap<string, Held>, at: Date): Promise<boolean> => {
    const others = [...lane].slice(0, RENEWED_AT_ONCE - 1).filter(([, { until }]) => leaseAt(until, at) === 'ends');
    const [isOurs] = await Promise.all(
      [[id, held] as const, ...others].map(([id, held]) => renew(id, held, leaseUntil(at))),
    );
    return isOurs ?? false;
  };

  return {
    take: ({ _id, tenantId, leaseUntil: until }) => {
      const lane = lanes.get(tenantId) ?? new Map<string, Held>();
      lanes.set(tenantId, lane.set(_id, { until }));
    },
    letGo: async ({ _id, tenantId }) => {
      const lane = lanes.get(tenantId);
      const held = lane?.get(_id);
      if (!lane || !held) return false;
      lane.delete(_id);
      if (lane.size === 0) lanes.delete(tenantId);
      const at = now();
      const lease = leaseAt(held.until, at);
      return lease === 'ends' ? renewWith(_id, held, lane, at) : lease === 'lasts';
    },
  };
};
