import {
  type Clock,
  type Closable,
  counter,
  histogram,
  inSpan,
  type Log,
  newId,
  outsideTraces,
  startSweeper,
} from '@assay/runtime';
import type { Receiver } from './clients/receiver.ts';
import { type Attempt, afterAttempt, isAccepted, isGone } from './domain/delivery.ts';
import { createLanes } from './domain/lanes.ts';
import { headersOf } from './domain/signing.ts';
import { parseTarget } from './domain/target.ts';
import type { Safe } from './safe.ts';
import type { Delivery, DeliveryStore } from './store/deliveries.ts';
import type { Endpoint, EndpointStore } from './store/endpoints.ts';

export interface DispatcherParts {
  endpoints: EndpointStore;
  deliveries: DeliveryStore;
  receiver: Receiver;
  safe: Safe;
  now: Clock;
  log: Log;
  sweepEveryMs: number;
  /** Attempts at once to one endpoint, and to all. */
  perEndpoint?: number;
  overall?: number;
}

export interface Dispatcher extends Closable {
  /** Hands over a delivery that is about to be inserted: the lease to insert it with, and what to do once it is, or is not. */
  receive(tenantId: string, identityId: string): { lease: Lease; begin(delivery: Delivery): void; cancel(): void };
  /** One attempt, outside of any delivery: for a test of the settings. */
  attempt(endpoint: Endpoint, id: string, body: Buffer): Promise<Attempt>;
  /** Looks for due deliveries of a tenant now instead of at the next round. */
  wake(tenantId: string): void;
}

type Lease = Pick<Delivery, 'leaseUntil' | 'leaseOwner'>;

// A little over the longest attempt: what a crash left in hand is taken up soon after.
const LEASE_MS = 12_000;
const TENANTS_A_ROUND = 100;
const UNLEASED: Lease = { leaseUntil: new Date(0) };

const HEALTH_EVERY_MS = 10_000;

/** Success is written down when it ends a failure or has not been for a while: not for each of many a second. */
const isNews = ({ consecutiveFailures, lastSuccessAt }: Endpoint, at: Date): boolean =>
  consecutiveFailures > 0 || at.getTime() - (lastSuccessAt?.getTime() ?? 0) > HEALTH_EVERY_MS;

const total = counter('assay_deliveries_total', 'Webhook attempts by what came of them', ['outcome']);
for (const outcome of ['delivered', 'retry', 'failed']) total.inc({ outcome }, 0);
const seconds = histogram('assay_delivery_attempt_seconds', 'Duration of webhook attempts', ['outcome']);
const waited = histogram(
  'assay_delivery_lag_seconds',
  'From the notification to its first attempt',
  [],
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
);

/**
 * Delivers notifications: at once when they come in, again when they are due, and what another process left when its lease ends. Several replicas may run: a
 * delivery is in one pair of hands at a time.
 */
export const createDispatcher = (parts: DispatcherParts): Dispatcher => {
  const { endpoints, deliveries, receiver, safe, now, log, sweepEveryMs, perEndpoint = 8, overall = 256 } = parts;
  const owner = newId();
  const lanes = createLanes(perEndpoint, overall);
  const inFlight = new Set<Promise<void>>();
  let closing = false;

  const leaseUntil = (): Date => new Date(now().getTime() + LEASE_MS);

  const attempt: Dispatcher['attempt'] = async (endpoint, id, body) => {
    const at = now();
    const url = parseTarget(endpoint.url);
    if (!url) return { at, error: 'BLOCKED' };
    const { mode, headerName, sealedSecret } = endpoint;
    const secret = sealedSecret === undefined ? undefined : safe.openSecret(endpoint._id, sealedSecret);
    const security = { mode, ...(headerName ? { headerName } : {}), ...(secret === undefined ? {} : { secret }) };
    return { at, ...(await receiver.send(url, headersOf(security, body, id, at), body)) };
  };

  const bodyOf = ({ _id, tenantId, identityId, sealedBody }: Delivery): Buffer =>
    safe.openBody({ id: _id, tenantId, identityId }, sealedBody);

  const outcomeOf = (made: Attempt, state: string): string => {
    if (isAccepted(made)) return 'delivered';
    return state === 'PENDING' ? 'retry' : 'failed';
  };

  const deliver = async (delivery: Delivery): Promise<void> => {
    const { _id, tenantId, identityId } = delivery;
    if (delivery.attempts.length === 0) waited.observe((now().getTime() - delivery.createdAt.getTime()) / 1000);
    const endpoint = await endpoints.find(tenantId);
    const usable = endpoint?.enabled === true;
    const made: Attempt = usable ? await attempt(endpoint, _id, bodyOf(delivery)) : { at: now(), error: 'DISABLED' };
    const schedule = usable ? endpoint : { attempts: 0, delaySeconds: 1 };
    const next = afterAttempt(made, delivery.round + 1, schedule, now());
    const kept = (endpoint?.deliveryLogSeconds ?? 0) * 1000;
    const forgetAt = next.state === 'PENDING' ? {} : { forgetAt: new Date(now().getTime() + kept) };
    await deliveries.settle(_id, owner, made, { ...next, ...forgetAt });
    const outcome = outcomeOf(made, next.state);
    total.inc({ outcome });
    seconds.observe({ outcome }, (made.durationMs ?? 0) / 1000);
    const { statusCode, error, durationMs } = made;
    log.info({
      msg: 'delivery.attempted',
      deliveryId: _id,
      tenantId,
      identityId,
      outcome,
      statusCode,
      error,
      durationMs,
    });
    if (!usable) return;
    if (isAccepted(made)) {
      if (isNews(endpoint, made.at)) await endpoints.succeeded(tenantId, made.at);
    } else await endpoints.failed(tenantId, made.at, error ?? String(statusCode), isGone(made));
  };

  const traced = (delivery: Delivery): Promise<void> => {
    const { _id, tenantId, identityId, traceparent: parent } = delivery;
    const attributes = { 'assay.delivery.id': _id, 'assay.tenant.id': tenantId, 'assay.identity.id': identityId };
    return inSpan('deliver webhook', { kind: 'client', parent, attributes }, () => deliver(delivery));
  };

  /** Runs a delivery in the lane that was entered for it; afterwards the lane takes the tenant's next one. */
  const run = (delivery: Delivery): void => {
    const { tenantId, identityId } = delivery;
    // The lane goes on with other identities' deliveries: that is no part of this one's trace.
    const done: Promise<void> = outsideTraces(() =>
      traced(delivery)
        .catch((error: unknown) => log.warn({ msg: 'delivery.broken-off', deliveryId: delivery._id, error }))
        .then(() => {
          lanes.leave(tenantId, identityId);
          return pull(tenantId);
        })
        .catch((error: unknown) => log.warn({ msg: 'delivery.pull-failed', tenantId, error }))
        .finally(() => inFlight.delete(done)),
    );
    inFlight.add(done);
  };

  const pull = async (tenantId: string): Promise<void> => {
    while (!closing && lanes.hasRoom(tenantId)) {
      const next = await deliveries.takeNext(tenantId, lanes.identitiesIn(tenantId), owner, now(), leaseUntil());
      if (!next) return;
      // Another notification of this process may have taken the lane meanwhile; the end of it pulls again.
      if (!lanes.enter(tenantId, next.identityId)) return deliveries.release(next._id, owner);
      run(next);
    }
  };

  const round = async (): Promise<void> => {
    for (const tenantId of await deliveries.dueTenants(now(), lanes.fullTenants(), TENANTS_A_ROUND))
      await pull(tenantId);
  };
  const sweeper = startSweeper({ name: 'deliveries', everyMs: sweepEveryMs, run: round, log });

  return {
    attempt,
    wake: (tenantId) => {
      pull(tenantId).catch((error: unknown) => log.warn({ msg: 'delivery.pull-failed', tenantId, error }));
    },
    receive: (tenantId, identityId) => {
      const entered = !closing && lanes.enter(tenantId, identityId);
      return {
        lease: entered ? { leaseUntil: leaseUntil(), leaseOwner: owner } : UNLEASED,
        begin: (delivery) => {
          if (entered) run(delivery);
        },
        cancel: () => {
          if (entered) lanes.leave(tenantId, identityId);
        },
      };
    },
    close: async () => {
      closing = true;
      await sweeper.close();
      await Promise.allSettled(inFlight);
    },
  };
};
