import { ApiError, ok } from '@assay/http';
import { Type } from 'typebox';
import type { Notifier } from '../clients/notifier.ts';
import { ROLES } from '../domain/roles.ts';
import type { Tenants } from '../store/tenants.ts';
import { type Call, param, query } from './call.ts';
import { page } from './page.ts';
import type { Route } from './route.ts';

const AttemptSchema = Type.Object({
  at: Type.String(),
  statusCode: Type.Optional(Type.Integer()),
  error: Type.Optional(Type.String()),
});
const DeliverySchema = Type.Object({
  deliveryId: Type.String(),
  webhookId: Type.String(),
  identityId: Type.String(),
  event: Type.String(),
  state: Type.Enum(['PENDING', 'DELIVERED', 'FAILED']),
  attempts: Type.Array(AttemptSchema),
});

/** The delivery log of a tenant's webhook (interfaces, Administration), kept by the notifier. */
export const adminDeliveryRoutes = ({ tenants, notifier }: { tenants: Tenants; notifier: Notifier }): Route[] => {
  const tenantIdOf = async (call: Call): Promise<string> => {
    const tenant = await tenants.find(param(call, 'tenantId'));
    if (!tenant) throw new ApiError('NOT_FOUND');
    return tenant.tenantId;
  };
  const common = { tag: 'Administration', roles: ROLES.ADMINISTRATORS };
  return [
    {
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
      reply: { description: 'Deliveries', schema: page(DeliverySchema) },
      errors: ['BAD_FIELD'],
      handle: async (call) => {
        const tenantId = await tenantIdOf(call);
        const [identityId, state, cursor, limit] = ['identityId', 'state', 'cursor', 'limit'].map((name) =>
          query(call, name),
        );
        return ok(await notifier.deliveries(call.requestId, { tenantId, identityId, state, cursor, limit }));
      },
    },
    {
      ...common,
      id: 'resendDelivery',
      audit: 'delivery.resend',
      method: 'post',
      path: '/tenants/{tenantId}/deliveries/{deliveryId}/resend',
      summary: 'Send a delivery again: the same bytes and webhook-id',
      reply: { description: 'Queued', schema: Type.Unknown() },
      errors: [],
      handle: async (call) => {
        const sent = await notifier.resend(await tenantIdOf(call), call.requestId, param(call, 'deliveryId'));
        return ok(sent ?? {});
      },
    },
    {
      ...common,
      id: 'getEndpoint',
      method: 'get',
      path: '/tenants/{tenantId}/endpoint',
      summary: "Health of the tenant's webhook endpoint",
      reply: { description: 'Health', schema: Type.Unknown() },
      errors: [],
      handle: async (call) => ok(await notifier.endpoint(await tenantIdOf(call), call.requestId)),
    },
    {
      ...common,
      id: 'testEndpoint',
      audit: 'endpoint.test',
      method: 'post',
      path: '/tenants/{tenantId}/endpoint/test',
      summary: 'Send a test notification',
      reply: { description: 'How it went', schema: Type.Unknown() },
      errors: [],
      handle: async (call) => ok(await notifier.test(await tenantIdOf(call), call.requestId)),
    },
  ];
};
