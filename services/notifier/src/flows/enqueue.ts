import { present } from '@assay/contracts';
import { type Clock, currentTraceparent } from '@assay/runtime';
import type { Notification } from '../domain/notification.ts';
import { isLogShort, LEEWAY_MS, rememberedMs } from '../domain/remembered.ts';
import type { DeliveryStore } from '../store/deliveries.ts';
import type { Delivery } from '../store/delivery-model.ts';
import type { Endpoint, EndpointStore } from '../store/endpoints.ts';
import type { SentStore } from '../store/sent.ts';
import type { Dispatcher } from './dispatcher.ts';

export interface Deps {
  endpoints: EndpointStore;
  deliveries: DeliveryStore;
  sent: Pick<SentStore, 'has'>;
  dispatcher: Pick<Dispatcher, 'reserve'>;
  now: Clock;
}

/** The message that caused a notification. */
interface Cause {
  id: string;
  tenantId: string;
  at: string;
}

/**
 * Republished long after it happened: before there was an endpoint, or so long ago that what was
 * sent is forgotten.
 */
const isTooOld = (at: string, { since, deliveryLogSeconds }: Endpoint, now: Date): boolean => {
  const happened = Date.parse(at);
  return (
    happened < (since?.getTime() ?? 0) - LEEWAY_MS ||
    happened < now.getTime() - rememberedMs(deliveryLogSeconds) - LEEWAY_MS
  );
};

/**
 * What the message caused may have been sent, and forgotten by the log: by a log that is short, or
 * was when it was sent. Of a fresh message the log still has the delivery.
 */
const mayBeSent = (at: string, { deliveryLogSeconds }: Endpoint, now: Date): boolean =>
  isLogShort(deliveryLogSeconds) || Date.parse(at) < now.getTime() - LEEWAY_MS;

/** What else a delivery is to know. */
interface More {
  sealedBusinessId?: string | undefined;
  /** Attempts that are not made before the first that is. */
  simulatedFailures?: number | undefined;
}

/** Stores one delivery of a notification and sends it. */
export type Enqueue = (cause: Cause, notification: Notification, more?: More) => Promise<void>;

/**
 * The delivery has the id of the message that caused it: a duplicate message changes nothing. It is
 * sent right after the insert, without holding up the message. A tenant without an endpoint has no
 * delivery; one whose receiver answered 410, or failed for days, has a FAILED one, which can be
 * resent.
 */
export const createEnqueue =
  ({ endpoints, deliveries, sent, dispatcher, now }: Deps): Enqueue =>
  async ({ id, tenantId, at: happenedAt }, notification, { sealedBusinessId, simulatedFailures } = {}) => {
    const endpoint = await endpoints.recent(tenantId);
    if (!endpoint || (!endpoint.enabled && !endpoint.goneAt && !endpoint.disabledAt)) return;
    const { identityId, event } = notification;
    const at = now();
    if (isTooOld(happenedAt, endpoint, at)) return;
    if (mayBeSent(happenedAt, endpoint, at) && (await sent.has(id))) return;
    const traceparent = currentTraceparent();
    const reservation = dispatcher.reserve(tenantId, identityId);
    const delivery: Delivery = {
      _id: id,
      tenantId,
      identityId,
      event,
      notification,
      ...present({ sealedBusinessId }),
      state: 'PENDING',
      attempts: [],
      round: 0,
      ...(simulatedFailures ? { simulatedFailures } : {}),
      createdAt: at,
      ...present({ traceparent }),
      nextAttemptAt: at,
      ...reservation.lease,
    };
    const inserted = await deliveries.insert(delivery).catch((error: unknown) => {
      reservation.cancel();
      throw error;
    });
    if (inserted) reservation.begin(delivery);
    else reservation.cancel();
  };
