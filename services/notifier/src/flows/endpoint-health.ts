import { counter, createRecent, type Log } from '@assay/runtime';
import { type DeliveryAttempt, isAccepted, isGone } from '../domain/delivery.ts';
import { isGivenUp } from '../domain/endpoint.ts';
import type { Endpoint, EndpointStore } from '../store/endpoints.ts';

const HEALTH_EVERY_MS = 10_000;
const HEALTH_SAID = { most: 1000, forMs: 2000 };
const isLongAgo = ({ lastSuccessAt }: Endpoint, at: Date): boolean =>
  at.getTime() - (lastSuccessAt?.getTime() ?? 0) > HEALTH_EVERY_MS;

const disabled = counter(
  'assay_endpoints_disabled_total',
  'Endpoints disabled because every attempt had failed for days',
);
disabled.inc(0);

export interface Deps {
  endpoints: Pick<EndpointStore, 'succeeded' | 'failed' | 'disable'>;
  log: Log;
}

/**
 * Stores what an attempt says of its endpoint, and disables one that has failed for days (see
 * `isGivenUp`). Only the last attempt of a delivery disables: a receiver of few notifications may
 * have been away at two moments alone, and gets the second one by the attempts that are left.
 */
export const createHealthRecord = ({ endpoints, log }: Deps) => {
  /**
   * Endpoints whose success was stored a moment ago: whoever knows it as it was before writes
   * nothing.
   */
  const said = createRecent<true>(HEALTH_SAID);
  /**
   * The endpoint's health is written when a success ends a failure, or once in a while: not for
   * each of many deliveries a second.
   */
  const recordSuccess = async (endpoint: Endpoint, at: Date): Promise<void> => {
    const { _id: tenantId } = endpoint;
    const changesHealth = endpoint.consecutiveFailures > 0 || (isLongAgo(endpoint, at) && !said.get(tenantId));
    if (!changesHealth) return;
    said.set(tenantId, true);
    await endpoints.succeeded(endpoint, at);
  };

  return async (endpoint: Endpoint, attempt: DeliveryAttempt, isLast: boolean): Promise<void> => {
    const { _id: tenantId } = endpoint;
    if (!isAccepted(attempt)) {
      const reason = attempt.error ?? String(attempt.statusCode);
      await endpoints.failed(endpoint, attempt.at, reason, isGone(attempt));
      if (!isLast || !isGivenUp(endpoint, attempt.at)) return;
      if (!(await endpoints.disable(endpoint, attempt.at))) return;
      disabled.inc();
      log.error({ msg: 'endpoint.disabled', tenantId, failingSince: endpoint.failingSince, reason });
    } else await recordSuccess(endpoint, attempt.at);
  };
};
