import {
  EndpointsAskedSchema,
  formatDateTime,
  present,
  violationsOf,
  type WebhookSettings,
  WebhookSettingsSchema,
} from '@assay/contracts';
import { ApiError, badFields, claimsOf, ok, parseBody, type Reply, unavailable } from '@assay/http';
import { type Clock, newId } from '@assay/runtime';
import type { Request } from 'express';
import type { Receiver } from '../clients/receiver.ts';
import { DEFAULT_SCHEDULE, isAccepted } from '../domain/delivery.ts';
import { endpointViolations, endpointWarnings } from '../domain/endpoint.ts';
import { bodyOf, type Notification } from '../domain/notification.ts';
import { parseTarget } from '../domain/target.ts';
import type { MakeAttempt } from '../flows/attempt.ts';
import type { DeliveryStore } from '../store/deliveries.ts';
import type { Endpoint, EndpointStore } from '../store/endpoints.ts';
import type { Sealer } from '../store/sealer.ts';

export interface Deps {
  endpoints: EndpointStore;
  receiver: Receiver;
  makeAttempt: MakeAttempt;
  deliveries: DeliveryStore;
  sealer: Sealer;
  now: Clock;
}

const DEFAULT_LOG_SECONDS = 7 * 24 * 3600;

/**
 * An endpoint as the administration sees it: how it is set and how it has been going; never its
 * secret.
 */
const healthOf = (endpoint: Endpoint) => ({
  url: endpoint.url,
  mode: endpoint.mode,
  ...(endpoint.headerName ? { headerName: endpoint.headerName } : {}),
  ...(endpoint.sealedFormerSecret ? { liveSecrets: 2 } : {}),
  attempts: endpoint.attempts,
  delaySeconds: endpoint.delaySeconds,
  ...present({ schedule: endpoint.schedule }),
  enabled: endpoint.enabled,
  ...present({
    goneAt: endpoint.goneAt && formatDateTime(endpoint.goneAt),
    disabledAt: endpoint.disabledAt && formatDateTime(endpoint.disabledAt),
    failingSince: endpoint.failingSince && formatDateTime(endpoint.failingSince),
  }),
  consecutiveFailures: endpoint.consecutiveFailures,
  ...present({
    lastSuccessAt: endpoint.lastSuccessAt && formatDateTime(endpoint.lastSuccessAt),
    lastFailureAt: endpoint.lastFailureAt && formatDateTime(endpoint.lastFailureAt),
  }),
  ...(endpoint.lastError ? { lastError: endpoint.lastError } : {}),
});

const logSecondsOf = (request: Request): number => {
  const given = Number(request.query.deliveryLogSeconds);
  return Number.isInteger(given) && given > 0 ? given : DEFAULT_LOG_SECONDS;
};

const settingsOf = (body: unknown): WebhookSettings => {
  const violations = violationsOf(WebhookSettingsSchema, body).map(({ field, message }) => ({
    field: field === '' ? 'settings.webhook' : `settings.webhook.${field}`,
    message,
  }));
  if (violations.length > 0) throw badFields(violations);
  const settings = body as WebhookSettings;
  const wrong = endpointViolations(settings);
  if (wrong.length > 0) throw badFields(wrong);
  return settings;
};

type Going = Partial<
  Pick<
    Endpoint,
    'goneAt' | 'disabledAt' | 'failingSince' | 'consecutiveFailures' | 'lastSuccessAt' | 'lastFailureAt' | 'lastError'
  >
>;

/** How the same endpoint has been going: nobody spoke of it, and what it answered still counts. */
const goingOf = (request: Request, url: string, before: Endpoint | undefined): Going => {
  if (request.query.staysAsItGoes !== 'true' || before?.url !== url) return {};
  const { goneAt, disabledAt, failingSince, consecutiveFailures } = before;
  const { lastSuccessAt, lastFailureAt, lastError } = before;
  const times = present({ goneAt, disabledAt, failingSince, lastSuccessAt, lastFailureAt, lastError });
  return { ...times, consecutiveFailures };
};

const setMeanwhile = () => unavailable(1, 'another request set the endpoint meanwhile');

/**
 * PUT /internal/v1/endpoints/:tenantId[?deliveryLogSeconds=N] with WebhookSettings, or null to have
 * none. Checks the target (400/1006 `settings.webhook.url`) and the security settings; setting an
 * endpoint enables one that a 410 or a long failure had disabled, unless it says `enabled: false`,
 * or the query `staysAsItGoes=true`.
 * Answers its health and warnings; 503 where another request set it meanwhile.
 */
export const createPutEndpointRoute =
  ({ endpoints, receiver, sealer, now }: Deps) =>
  async (request: Request): Promise<Reply> => {
    const tenantId = String(request.params.tenantId);
    const { changeNumber } = claimsOf(request);
    const before = await endpoints.find(tenantId);
    if (changeNumber !== undefined && changeNumber < (before?.changeNumber ?? 0)) throw setMeanwhile();
    if (request.body === null) {
      const last = changeNumber ?? before?.changeNumber ?? 0;
      if (!(await endpoints.remove(tenantId, before, { changeNumber: last, at: now() }))) throw setMeanwhile();
      return { status: 204 };
    }
    const settings = settingsOf(request.body);
    const target = parseTarget(settings.url);
    if (!target || !(await receiver.mayBeTarget(target)))
      throw new ApiError('BAD_FIELD', {
        field: 'settings.webhook.url',
        message: 'is an address to which notifications may not be sent',
      });
    const going = goingOf(request, target.toString(), before);
    const endpoint: Endpoint = {
      _id: tenantId,
      url: target.toString(),
      mode: settings.mode,
      ...(settings.headerName ? { headerName: settings.headerName } : {}),
      ...(settings.secret === undefined ? {} : { sealedSecret: sealer.sealSecret(tenantId, settings.secret) }),
      ...(settings.formerSecret === undefined
        ? {}
        : { sealedFormerSecret: sealer.sealSecret(tenantId, settings.formerSecret) }),
      attempts: settings.attempts ?? DEFAULT_SCHEDULE.attempts,
      delaySeconds: settings.delaySeconds ?? DEFAULT_SCHEDULE.delaySeconds,
      ...present({ schedule: settings.schedule }),
      ...(settings.disableAfterSeconds ? { disableAfterSeconds: settings.disableAfterSeconds } : {}),
      enabled: (settings.enabled ?? true) && !going.goneAt && !going.disabledAt,
      version: newId(),
      ...present({ changeNumber }),
      since: before && (before.enabled || before.goneAt || before.disabledAt) ? (before.since ?? new Date(0)) : now(),
      deliveryLogSeconds: logSecondsOf(request),
      ...(request.query.sandbox === 'true' ? { sandbox: true } : {}),
      consecutiveFailures: 0,
      ...going,
    };
    if (!(await endpoints.put(endpoint, before))) throw setMeanwhile();
    return ok({ ...healthOf(endpoint), warnings: endpointWarnings(settings) });
  };

const existing = async (endpoints: EndpointStore, request: Request): Promise<Endpoint> => {
  const endpoint = await endpoints.find(String(request.params.tenantId));
  if (!endpoint) throw new ApiError('NOT_FOUND');
  return endpoint;
};

/** GET /internal/v1/endpoints/:tenantId: its health; 404 when the tenant has none. */
export const createEndpointRoute =
  ({ endpoints }: Deps) =>
  async (request: Request): Promise<Reply> =>
    ok(healthOf(await existing(endpoints, request)));

/**
 * POST /internal/v1/endpoints/health {tenantIds}: how each of them has been going; nothing of those
 * without one.
 */
export const createHealthRoute =
  ({ endpoints }: Pick<Deps, 'endpoints'>) =>
  async (request: Request): Promise<Reply> => {
    const { tenantIds } = parseBody(EndpointsAskedSchema, request.body);
    const found = await endpoints.findAll(tenantIds);
    const items = found.map(({ _id: tenantId, enabled, consecutiveFailures, failingSince, lastError }) => ({
      tenantId,
      enabled,
      consecutiveFailures,
      ...present({ failingSince: failingSince && formatDateTime(failingSince), lastError }),
    }));
    return ok({ items });
  };

/**
 * POST /internal/v1/endpoints/:tenantId/test: one signed notification about no identity at all, and
 * what the receiver said to it. The log shows it, marked.
 */
export const createTestRoute =
  ({ endpoints, deliveries, makeAttempt, now }: Deps) =>
  async (request: Request): Promise<Reply> => {
    const endpoint = await existing(endpoints, request);
    const [id, identityId, at] = [newId(), newId(), now()];
    const { _id: tenantId, deliveryLogSeconds } = endpoint;
    const notification: Notification = {
      event: 'IdentityStatusUpdate',
      identityId,
      identityStatus: 'EXPECTING_INPUT',
      completedAt: formatDateTime(at),
    };
    const attempt = await makeAttempt(endpoint, id, bodyOf(notification, undefined));
    await deliveries.insert({
      _id: id,
      tenantId,
      identityId,
      event: notification.event,
      isTest: true,
      notification,
      state: isAccepted(attempt) ? 'DELIVERED' : 'FAILED',
      attempts: [attempt],
      round: 1,
      createdAt: at,
      leaseUntil: new Date(0),
      forgetAt: new Date(at.getTime() + deliveryLogSeconds * 1000),
    });
    const { statusCode, error, durationMs } = attempt;
    return ok({
      deliveryId: id,
      ...present({ statusCode, error }),
      durationMs,
    });
  };
