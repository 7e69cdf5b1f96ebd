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
import { isGivenUp } from '../domain/endpoint.ts';
import { bodyOf } from '../domain/notification.ts';
import type { DeliveryStore } from '../store/deliveries.ts';
import type { Delivery } from '../store/delivery-model.ts';
import type { Endpoint, EndpointStore } from '../store/endpoints.ts';
import type { MakeAttempt } from './attempt.ts';

export interface Deps {
  endpoints: EndpointStore;
  deliveries: DeliveryStore;
  makeAttempt: MakeAttempt;
  keyring: Pick<Keyring, 'keyOf'>;
  /** Names this process in the lease of a delivery. */
  owner: string;
  now: Clock;
  log: Log;
}

/**
 * Makes the next attempt of a leased delivery and stores its outcome, as part of the trace that
 * caused the notification. Gives when it is to be tried again.
 */
export type Deliver = (delivery: Delivery) => Promise<Date | undefined>;

const HEALTH_EVERY_MS = 10_000;
/**
 * The endpoint's health is written when a success ends a failure, or once in a while: not for each
 * of many deliveries a second.
 */
const changesHealth = ({ consecutiveFailures, lastSuccessAt }: Endpoint, at: Date): boolean =>
  consecutiveFailures > 0 || at.getTime() - (lastSuccessAt?.getTime() ?? 0) > HEALTH_EVERY_MS;

const total = counter('assay_deliveries_total', 'Webhook attempts by outcome', ['outcome']);
for (const outcome of ['delivered', 'retry', 'failed']) total.inc({ outcome }, 0);
const disabled = counter(
  'assay_endpoints_disabled_total',
  'Endpoints disabled because every attempt had failed for days',
);
disabled.inc(0);
const seconds = histogram('assay_delivery_attempt_seconds', 'Duration of webhook attempts', ['outcome']);
const lag = histogram(
  'assay_delivery_lag_seconds',
  'From the notification to its first attempt',
  [],
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
);

const outcomeOf = (attempt: DeliveryAttempt, state: DeliveryState): 'delivered' | 'retry' | 'failed' => {
  if (isAccepted(attempt)) return 'delivered';
  return state === 'PENDING' ? 'retry' : 'failed';
};

export const createDeliver = (deps: Deps): Deliver => {
  const { endpoints, deliveries, makeAttempt, keyring, owner, now, log } = deps;

  const recordHealth = async (endpoint: Endpoint, attempt: DeliveryAttempt): Promise<void> => {
    const { _id: tenantId } = endpoint;
    if (!isAccepted(attempt)) {
      const reason = attempt.error ?? String(attempt.statusCode);
      await endpoints.failed(tenantId, attempt.at, reason, isGone(attempt));
      if (!isGivenUp(endpoint, attempt.at) || !(await endpoints.disable(tenantId, attempt.at))) return;
      disabled.inc();
      log.error({ msg: 'endpoint.disabled', tenantId, failingSince: endpoint.failingSince, reason });
    } else if (changesHealth(endpoint, attempt.at)) await endpoints.succeeded(tenantId, attempt.at);
  };

  const observe = ({ _id, tenantId, identityId }: Delivery, attempt: DeliveryAttempt, state: DeliveryState): void => {
    const { statusCode, error, durationMs } = attempt;
    const outcome = outcomeOf(attempt, state);
    total.inc({ outcome });
    seconds.observe({ outcome }, (durationMs ?? 0) / 1000);
    const said = { outcome, statusCode, error, durationMs };
    log.info({ msg: 'delivery.attempted', deliveryId: _id, tenantId, identityId, ...said });
  };

  /** The same bytes on every attempt; undefined when the name in them can no longer be opened. */
  const bytesOf = async ({ tenantId, identityId, notification, sealedBusinessId }: Delivery) => {
    if (sealedBusinessId === undefined) return bodyOf(notification, undefined);
    const key = await keyring.keyOf({ tenantId, identityId });
    const context = sealingContext(tenantId, identityId, 'business-id');
    return key && bodyOf(notification, openJson<string>(key, context, sealedBusinessId));
  };

  const attemptAt = async (endpoint: Endpoint, delivery: Delivery): Promise<DeliveryAttempt> => {
    const bytes = await bytesOf(delivery);
    return bytes ? makeAttempt(endpoint, delivery._id, bytes) : { at: now(), error: CLOSED };
  };

  const deliver: Deliver = async (delivery) => {
    const { _id, tenantId } = delivery;
    if (delivery.attempts.length === 0) lag.observe((now().getTime() - delivery.createdAt.getTime()) / 1000);
    const endpoint = await endpoints.recent(tenantId);
    const usable = endpoint?.enabled ? endpoint : undefined;
    const isSimulated = delivery.attempts.length < (delivery.simulatedFailures ?? 0);
    const made = async (to: Endpoint): Promise<DeliveryAttempt> =>
      isSimulated ? { at: now(), statusCode: 500, error: 'SIMULATED' } : attemptAt(to, delivery);
    const attempt: DeliveryAttempt = usable ? await made(usable) : { at: now(), error: 'DISABLED' };
    const next = afterAttempt(attempt, delivery.round + 1, usable ?? { attempts: 0, delaySeconds: 1 }, now());
    const logMs = (endpoint?.deliveryLogSeconds ?? 0) * 1000;
    const forgetAt = next.state === 'PENDING' ? {} : { forgetAt: new Date(now().getTime() + logMs) };
    await deliveries.settle(_id, owner, attempt, { ...next, ...forgetAt });
    observe(delivery, attempt, next.state);
    if (usable && attempt.error !== CLOSED) await recordHealth(usable, attempt);
    return next.nextAttemptAt;
  };

  return (delivery) => {
    const { _id, tenantId, identityId, traceparent: parent } = delivery;
    const attributes = { 'assay.delivery.id': _id, 'assay.tenant.id': tenantId, 'assay.identity.id': identityId };
    return inSpan('deliver webhook', { kind: 'client', parent, attributes }, () => deliver(delivery));
  };
};
