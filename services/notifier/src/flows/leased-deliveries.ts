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

/** Deliveries that this process has leased and that wait to be sent. */
export interface LeasedDeliveries {
  /** The delivery waits from now on. Those of a tenant are sent in the order in which they came. */
  add(delivery: Waiting): void;
  /**
   * The delivery is sent next. Renews its lease where it would end during the attempt. False where
   * another process has the lease by now.
   */
  confirm(delivery: Waiting): Promise<boolean>;
}

interface Leased {
  until: Date;
  renewal?: Promise<boolean> | undefined;
}

/** One command renews so many leases: a command for each would delay every attempt. */
const RENEWED_AT_ONCE = 64;

export const createLeasedDeliveries = ({ deliveries, owner, now }: Deps): LeasedDeliveries => {
  /** By tenant and delivery, in the order in which they are sent. */
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

  /** Renews the lease of a delivery, together with the leases of those that are sent after it. */
  const renewWithNext = async (
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
    add: ({ _id, tenantId, leaseUntil: until }) => {
      const queue = queues.get(tenantId) ?? new Map<string, Leased>();
      queues.set(tenantId, queue.set(_id, { until }));
    },
    confirm: async ({ _id, tenantId }) => {
      const queue = queues.get(tenantId);
      const leased = queue?.get(_id);
      if (!queue || !leased) return false;
      queue.delete(_id);
      if (queue.size === 0) queues.delete(tenantId);
      const at = now();
      const lease = leaseAt(leased.until, at);
      return lease === 'ends' ? renewWithNext(_id, leased, queue, at) : lease === 'lasts';
    },
  };
};
