import {
  DeliveriesSchema,
  DeliverySchema,
  RecoveredSchema,
  RecoverSchema,
  ShownEndpointSchema,
  TestAttemptSchema,
} from '@assay/contracts';
import { ApiError, ok } from '@assay/http';
import type { Notifier } from '../clients/notifier.ts';
import { ROLES } from '../domain/roles.ts';
import type { Tenants } from '../store/tenants.ts';
import { type CallOf, param, query } from './call.ts';
import { type Route, route } from './route.ts';

interface Deps {
  tenants: Tenants;
  notifier: Notifier;
}

const common = { tag: 'Administration', roles: ROLES.ADMINISTRATORS_OF_TENANT };

const tenantIdOf = async ({ tenants }: Deps, call: CallOf<'tenantId'>): Promise<string> => {
  const tenant = await tenants.find(param(call, 'tenantId'));
  if (!tenant) throw new ApiError('NOT_FOUND');
  return tenant.tenantId;
};

const logRoutes = (deps: Deps): Route[] => [
  route({
    ...common,
    id: 'listDeliveries',
    method: 'get',
    path: '/tenants/{tenantId}/deliveries',
    summary: 'Webhook deliveries',
    query: {
      identityId: 'of one identity',
      state: 'PENDING, DELIVERED or FAILED',
      cursor: 'from the page before',
      limit: 'items a page',
    },
    reply: { description: 'Deliveries', schema: DeliveriesSchema },
    errors: ['BAD_FIELD'],
    handle: async (call) => {
      const tenantId = await tenantIdOf(deps, call);
      const asked = {
        identityId: query(call, 'identityId'),
        state: query(call, 'state'),
        cursor: query(call, 'cursor'),
        limit: query(call, 'limit'),
      };
      return ok(await deps.notifier.deliveries(call.requestId, { tenantId, ...asked }));
    },
  }),
  route({
    ...common,
    id: 'resendDelivery',
    audit: 'delivery.resend',
    method: 'post',
    path: '/tenants/{tenantId}/deliveries/{deliveryId}/resend',
    summary: 'Send a delivery again: the same bytes and webhook-id',
    reply: { description: 'Queued', schema: DeliverySchema },
    errors: ['STATE_CONFLICT'],
    handle: async (call) =>
      ok(await deps.notifier.resend(await tenantIdOf(deps, call), call.requestId, param(call, 'deliveryId'))),
  }),
];

const recoveryRoute = (deps: Deps): Route =>
  route({
    ...common,
    id: 'recoverDeliveries',
    audit: 'delivery.recover',
    method: 'post',
    path: '/tenants/{tenantId}/deliveries/recover',
    summary: 'Send every failed delivery since a time again: the same bytes and webhook-ids',
    body: { kind: 'json', schema: RecoverSchema },
    reply: { description: 'How many', schema: RecoveredSchema },
    errors: ['BAD_FIELD', 'STATE_CONFLICT', 'UNSUPPORTED_MEDIA_TYPE'],
    handle: async (call) => ok(await deps.notifier.recover(await tenantIdOf(deps, call), call.requestId, call.body)),
  });

/** The test notification, under its own name and that of the setting it tries out. */
const testRoute = (deps: Deps, id: string, path: `/tenants/{tenantId}/${string}`): Route =>
  route({
    ...common,
    id,
    audit: 'endpoint.test',
    method: 'post',
    path,
    summary: 'Send a test notification; the log shows it, marked as a test',
    reply: { description: 'How it went', schema: TestAttemptSchema },
    errors: [],
    handle: async (call) => ok(await deps.notifier.test(await tenantIdOf(deps, call), call.requestId)),
  });

const endpointRoutes = (deps: Deps): Route[] => [
  route({
    ...common,
    id: 'getEndpoint',
    method: 'get',
    path: '/tenants/{tenantId}/endpoint',
    summary: "Health of the tenant's webhook endpoint",
    reply: { description: 'Health', schema: ShownEndpointSchema },
    errors: [],
    handle: async (call) => ok(await deps.notifier.endpoint(await tenantIdOf(deps, call), call.requestId)),
  }),
  testRoute(deps, 'testEndpoint', '/tenants/{tenantId}/endpoint/test'),
  testRoute(deps, 'testWebhook', '/tenants/{tenantId}/webhook/test'),
];

/**
 * The delivery log of a tenant's webhook (specification, Administration), which the notifier
 * stores, and its endpoint.
 */
export const adminDeliveryRoutes = (deps: Deps): Route[] => [
  ...logRoutes(deps),
  recoveryRoute(deps),
  ...endpointRoutes(deps),
];
