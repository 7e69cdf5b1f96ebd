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

interface Leased {
  until: Date;
  renewal?: Promise<boolean> | undefined;
}

/** So many are had for longer at once: that of each in its turn would hold up every attempt. */
const RENEWED_AT_ONCE = 64;

export const createHands = ({ deliveries, owner, now }: Deps): Hands => {
  /** By tenant and delivery, in the order of their turns. */
  const queues = new Map<string, Map<string, Leased>>();

  const renew = (id: string, leased: Leased, until: Date): Promise<boolean> => {
    const extend = async (): Promise<boolean> => {
      const isOurs = await deliveries.renew(id, owner, until);
      leased.until = isOurs ? until : new Date(0);
      return isOurs;
    };
    leased.renewal ??= extend().finally(() => {
      leased.renewal = undefined;
    });
    return leased.renewal;
  };

  /** Those whose turns come next are had for longer along with this one. */
  const renewWith = async (
    id: string,
    leased: Leased,
    queue: ReadonlyMap<string, Leased>,
    at: Date,
  ): Promise<boolean> => {
    const others = [...queue].slice(0, RENEWED_AT_ONCE - 1).filter(([, { until }]) => leaseAt(until, at) === 'ends');
    const [isOurs] = await Promise.all(
      [[id, leased] as const, ...others].map(([id, leased]) => renew(id, leased, leaseUntil(at))),
    );
    return isOurs ?? false;
  };

  return {
    take: ({ _id, tenantId, leaseUntil: until }) => {
      const queue = queues.get(tenantId) ?? new Map<string, Leased>();
      queues.set(tenantId, queue.set(_id, { until }));
    },
    letGo: async ({ _id, tenantId }) => {
      const queue = queues.get(tenantId);
      const leased = queue?.get(_id);
      if (!queue || !leased) return false;
      queue.delete(_id);
      if (queue.size === 0) queues.delete(tenantId);
      const at = now();
      const lease = leaseAt(leased.until, at);
      return lease === 'ends' ? renewWith(_id, leased, queue, at) : lease === 'lasts';
    },
  };
};
