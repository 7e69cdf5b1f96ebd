import { formatDateTime, violationsOf, type WebhookSettings, WebhookSettingsSchema } from '@assay/contracts';
import { ApiError, badFields, ok, type Reply } from '@assay/http';
import { type Clock, newId } from '@assay/runtime';
import type { Request } from 'express';
import type { Receiver } from '../clients/receiver.ts';
import type { Dispatcher } from '../dispatcher.ts';
import { DEFAULT_SCHEDULE } from '../domain/delivery.ts';
import { endpointViolations, endpointWarnings } from '../domain/endpoint.ts';
import type { Notification } from '../domain/notification.ts';
import { parseTarget } from '../domain/target.ts';
import type { Safe } from '../safe.ts';
import type { Endpoint, EndpointStore } from '../store/endpoints.ts';

export interface EndpointParts {
  endpoints: EndpointStore;
  receiver: Receiver;
  dispatcher: Dispatcher;
  safe: Safe;
  now: Clock;
}

const DEFAULT_LOG_SECONDS = 7 * 24 * 3600;

/** An endpoint as the administration sees it: how it is set and how it has been going; never its secret. */
export const healthOf = (endpoint: Endpoint) => ({
  url: endpoint.url,
  mode: endpoint.mode,
  ...(endpoint.headerName ? { headerName: endpoint.headerName } : {}),
  attempts: endpoint.attempts,
  delaySeconds: endpoint.delaySeconds,
  enabled: endpoint.enabled,
  ...(endpoint.goneAt ? { goneAt: formatDateTime(endpoint.goneAt) } : {}),
  consecutiveFailures: endpoint.consecutiveFailures,
  ...(endpoint.lastSuccessAt ? { lastSuccessAt: formatDateTime(endpoint.lastSuccessAt) } : {}),
  ...(endpoint.lastFailureAt ? { lastFailureAt: formatDateTime(endpoint.lastFailureAt) } : {}),
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

/**
 * PUT /internal/v1/endpoints/:tenantId[?deliveryLogSeconds=N] with WebhookSettings, or null to have none. Checks the target (400/1006 `settings.webhook.url`) and the
 * security settings; setting an endpoint enables one that a 410 had disabled, unless it says `enabled: false`. Answers its health and warnings.
 */
export const createPutEndpointRoute =
  ({ endpoints, receiver, safe }: EndpointParts) =>
  async (request: Request): Promise<Reply> => {
    const tenantId = String(request.params.tenantId);
    if (request.body === null) {
      await endpoints.remove(tenantId);
      return { status: 204 };
    }
    const settings = settingsOf(request.body);
    const target = parseTarget(settings.url);
    if (!target || !(await receiver.mayBeTarget(target)))
      throw new ApiError('BAD_FIELD', {
        field: 'settings.webhook.url',
        message: 'is no address notifications may go to',
      });
    const endpoint: Endpoint = {
      _id: tenantId,
      url: target.toString(),
      mode: settings.mode,
      ...(settings.headerName ? { headerName: settings.headerName } : {}),
      ...(settings.secret === undefined ? {} : { sealedSecret: safe.sealSecret(tenantId, settings.secret) }),
      attempts: settings.attempts ?? DEFAULT_SCHEDULE.attempts,
      delaySeconds: settings.delaySeconds ?? DEFAULT_SCHEDULE.delaySeconds,
      enabled: settings.enabled ?? true,
      deliveryLogSeconds: logSecondsOf(request),
      consecutiveFailures: 0,
    };
    await endpoints.put(endpoint);
    return ok({ ...healthOf(endpoint), warnings: endpointWarnings(settings) });
  };

const existing = async (endpoints: EndpointStore, request: Request): Promise<Endpoint> => {
  const endpoint = await endpoints.find(String(request.params.tenantId));
  if (!endpoint) throw new ApiError('NOT_FOUND');
  return endpoint;
};

/** GET /internal/v1/endpoints/:tenantId: its health; 404 when the tenant has none. */
export const createEndpointRoute =
  ({ endpoints }: EndpointParts) =>
  async (request: Request): Promise<Reply> =>
    ok(healthOf(await existing(endpoints, request)));

/** POST /internal/v1/endpoints/:tenantId/test: one signed notification about no identity at all, and what the receiver said to it. */
export const createTestRoute =
  ({ endpoints, dispatcher, now }: EndpointParts) =>
  async (request: Request): Promise<Reply> => {
    const endpoint = await existing(endpoints, request);
    const notification: Notification = {
      event: 'IdentityStatusUpdate',
      identityId: newId(),
      identityStatus: 'EXPECTING_INPUT',
      completedAt: formatDateTime(now()),
    };
    const { statusCode, error, durationMs } = await dispatcher.attempt(
      endpoint,
      newId(),
      Buffer.from(JSON.stringify(notification), 'utf8'),
    );
    return ok({
      ...(statusCode === undefined ? {} : { statusCode }),
      ...(error === undefined ? {} : { error }),
      durationMs,
    });
  };
