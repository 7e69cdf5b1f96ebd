import { type Clock, counter, histogram, inSpan, type Log } from '@assay/runtime';
import { type Keyring, openJson, sealingContext } from '@assay/sealing';
import {
  afterAttempt,
  CLOSED,
  type DeliveryAttempt,
  type DeliveryState,
  isAccepted,
  isGone,
} from '../domain/delivery.ts';
import { bodyOf } from '../domain/notification.ts';
import { isLogShort, LEEWAY_MS, rememberedMs } from '../domain/remembered.ts';
import type { DeliveryStore } from '../store/deliveries.ts';
import type { Delivery } from '../store/delivery-model.ts';
import { type Endpoint, type EndpointStore, isSameSetting } from '../store/endpoints.ts';
import type { SentStore } from '../store/sent.ts';
import type { MakeAttempt } from './attempt.ts';
import type { AttemptLimit } from './attempt-limit.ts';
import { createHealthRecord } from './endpoint-health.ts';
import { createLeasedDeliveries } from './leased-deliveries.ts';

export interface Deps {
  endpoints: EndpointStore;
  deliveries: DeliveryStore;
  sent: Pick<SentStore, 'put'>;
  makeAttempt: MakeAttempt;
  attemptLimit: Pick<AttemptLimit, 'enter' | 'leave'>;
  keyring: Pick<Keyring, 'keyOf'>;
  /** Names this process in the lease of a delivery. */
  owner: string;
  now: Clock;
  log: Log;
}

/**
 * Makes the next attempt of a leased delivery as soon as its receiver takes another one, and stores
 * the outcome, as part of the trace that caused the notification. Returns when to look at the
 * delivery again.
 */
export type Deliver = (delivery: Delivery) => Promise<Date | undefined>;

const total = counter('assay_deliveries_total', 'Webhook attempts by outcome', ['outcome']);
for (const outcome of ['delivered', 'retry', 'failed']) total.inc({ outcome }, 0);
const seconds = histogram('assay_delivery_attempt_seconds', 'Duration of webhook attempts', ['outcome']);
const lag = histogram(
  'assay_delivery_lag_seconds',
  'From the notification to its first attempt',
  [],
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
);

/** What was attempted, by the endpoint as it was then. */
interface Attempted {
  endpoint: Endpoint | undefined;
  /** Absent where it is disabled, or none any more. */
  usable?: Endpoint;
  attempt: DeliveryAttempt;
}

const outcomeOf = (attempt: DeliveryAttempt, state: DeliveryState): 'delivered' | 'retry' | 'failed' => {
  if (isAccepted(attempt)) return 'delivered';
  return state === 'PENDING' ? 'retry' : 'failed';
};

/** Counts and logs what came of an attempt. */
const report = (log: Log, delivery: Delivery, attempt: DeliveryAttempt, state: DeliveryState): void => {
  const { _id, tenantId, identityId } = delivery;
  const { statusCode, error, durationMs } = attempt;
  const outcome = outcomeOf(attempt, state);
  total.inc({ outcome });
  seconds.observe({ outcome }, (durationMs ?? 0) / 1000);
  const came = { outcome, statusCode, error, durationMs };
  log.info({ msg: 'delivery.attempted', deliveryId: _id, tenantId, identityId, ...came });
};

/** The same bytes on every attempt; undefined when the name in them can no longer be opened. */
const bytesOf = async (keyring: Deps['keyring'], delivery: Delivery): Promise<Buffer | undefined> => {
  const { tenantId, identityId, notification, sealedBusinessId } = delivery;
  if (sealedBusinessId === undefined) return bodyOf(notification, undefined);
  const key = await keyring.keyOf({ tenantId, identityId });
  const context = sealingContext(tenantId, identityId, 'business-id');
  return key && bodyOf(notification, openJson<string>(key, context, sealedBusinessId));
};

export const createDeliver = (deps: Deps): Deliver => {
  const { endpoints, deliveries, sent, makeAttempt, attemptLimit, keyring, owner, now, log } = deps;
  const recordHealth = createHealthRecord({ endpoints, log });
  const leased = createLeasedDeliveries({ deliveries, owner, now });
  const inMs = (ms: number): Date => new Date(now().getTime() + ms);

  const attemptAt = async (endpoint: Endpoint, delivery: Delivery): Promise<DeliveryAttempt> => {
    const bytes = await bytesOf(keyring, delivery);
    return bytes ? makeAttempt(endpoint, delivery._id, bytes) : { at: now(), error: CLOSED };
  };

  const attemptOf = async (delivery: Delivery): Promise<Attempted | undefined> => {
    if (!(await leased.confirm(delivery))) return undefined;
    if (delivery.attempts.length === 0) lag.observe((now().getTime() - delivery.createdAt.getTime()) / 1000);
    const endpoint = await endpoints.recent(delivery.tenantId);
    if (!endpoint?.enabled) return { endpoint, attempt: { at: now(), error: 'DISABLED' } };
    const isSimulated = delivery.attempts.length < (delivery.simulatedFailures ?? 0);
    const attempt = isSimulated
      ? { at: now(), statusCode: 500, error: 'SIMULATED' }
      : await attemptAt(endpoint, delivery);
    return { endpoint, usable: endpoint, attempt };
  };

  /** Whether the endpoint of an attempt that was told 410 was set anew while it was made. */
  const isFormer = async (endpoint: Endpoint, attempt: DeliveryAttempt): Promise<boolean> =>
    isGone(attempt) && !isSameSetting(endpoint, await endpoints.find(endpoint._id));

  const settle = async (delivery: Delivery, { endpoint, usable, attempt }: Attempted): Promise<Date | undefined> => {
    const schedule = usable
      ? { ...usable, isFormer: await isFormer(usable, attempt) }
      : { attempts: 0, delaySeconds: 1 };
    const next = afterAttempt(attempt, delivery.round + 1, schedule, now());
    const logSeconds = endpoint?.deliveryLogSeconds ?? 0;
    const isOver = next.state !== 'PENDING';
    if (isOver && isLogShort(logSeconds)) await sent.put(delivery._id, inMs(rememberedMs(logSeconds) + LEEWAY_MS));
    const forgetAt = isOver ? { forgetAt: inMs(logSeconds * 1000) } : {};
    await deliveries.settle(delivery._id, owner, attempt, { ...next, ...forgetAt });
    report(log, delivery, attempt, next.state);
    if (usable && attempt.error !== CLOSED) await recordHealth(usable, attempt, isOver);
    return next.nextAttemptAt;
  };

  /** The attempt ends with the reply: others are made while the outcome is stored. */
  const deliver: Deliver = async (delivery) => {
    const { _id, tenantId } = delivery;
    leased.add(delivery);
    if (!(await attemptLimit.enter(tenantId))) {
      await deliveries.release(_id, owner);
      return undefined;
    }
    const attempted = await attemptOf(delivery).finally(() => attemptLimit.leave(tenantId));
    return attempted ? settle(delivery, attempted) : delivery.leaseUntil;
  };

  return (delivery) => {
    const { _id, tenantId, identityId, traceparent: parent } = delivery;
    const attributes = { 'assay.delivery.id': _id, 'assay.tenant.id': tenantId, 'assay.identity.id': identityId };
    return inSpan('deliver webhook', { kind: 'client', parent, attributes }, () => deliver(delivery));
  };
};
