import { type Clock, currentTraceparent } from '@assay/runtime';
import type { Dispatcher } from './dispatcher.ts';
import type { Notification } from './domain/notification.ts';
import type { Safe } from './safe.ts';
import type { Delivery, DeliveryStore } from './store/deliveries.ts';
import type { EndpointStore } from './store/endpoints.ts';

export interface EnqueueParts {
  endpoints: EndpointStore;
  deliveries: DeliveryStore;
  dispatcher: Dispatcher;
  safe: Safe;
  now: Clock;
}

/** The message that caused a notification. */
export interface Cause {
  id: string;
  tenantId: string;
}

/**
 * Makes one delivery of a notification, under the id of its message: a duplicate message changes nothing. It is sent at once, after the insert and without
 * holding the message up. A tenant without an endpoint is told nothing; one whose receiver answered 410 finds the delivery FAILED, to be resent.
 */
export const createEnqueue =
  ({ endpoints, deliveries, dispatcher, safe, now }: EnqueueParts) =>
  async ({ id, tenantId }: Cause, notification: Notification): Promise<void> => {
    const endpoint = await endpoints.find(tenantId);
    if (!endpoint || (!endpoint.enabled && !endpoint.goneAt)) return;
    const { identityId, event } = notification;
    const at = now();
    const traceparent = currentTraceparent();
    const body = Buffer.from(JSON.stringify(notification), 'utf8');
    const delivery: Omit<Delivery, 'leaseUntil'> = {
      _id: id,
      tenantId,
      identityId,
      event,
      sealedBody: safe.sealBody({ id, tenantId, identityId }, body),
      state: 'PENDING',
      attempts: [],
      round: 0,
      createdAt: at,
      ...(traceparent && { traceparent }),
      nextAttemptAt: at,
    };
    const { lease, begin, cancel } = dispatcher.receive(tenantId, identityId);
    const inserted = await deliveries.insert({ ...delivery, ...lease }).catch((error: unknown) => {
      cancel();
      throw error;
    });
    if (inserted) begin({ ...delivery, ...lease });
    else cancel();
  };
export type Enqueue = ReturnType<typeof createEnqueue>;
