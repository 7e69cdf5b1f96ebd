import {
  type Deliveries,
  DeliveriesSchema,
  type Delivery,
  DeliverySchema,
  type EndpointHealth,
  EndpointsHealthReplySchema,
  RecoveredSchema,
  type ShownEndpoint,
  ShownEndpointSchema,
  type TestAttempt,
  TestAttemptSchema,
  type WebhookSettings,
} from '@assay/contracts';
import type { CallClaims, InternalClient } from '@assay/http';

export type Notifier = ReturnType<typeof createNotifier>;

export interface DeliveryQuery {
  tenantId: string;
  identityId?: string | undefined;
  state?: string | undefined;
  cursor?: string | undefined;
  limit?: string | undefined;
}

interface EndpointContext {
  deliveryLogSeconds: number;
  sandbox: boolean;
  /** The notifier ignores a change that arrives after one with a larger number. */
  changeNumber: number;
  /** Nobody spoke of the webhook: one that was disabled stays so. */
  staysAsItGoes: boolean;
}

const claimsFor = (tenantId: string, requestId: string): CallClaims => ({ tenantId, identityId: 'suite', requestId });
const at = (...segments: string[]): string => `/internal/v1/${segments.map(encodeURIComponent).join('/')}`;

/** Delivers webhooks and knows how each delivery went. */
export const createNotifier = (client: InternalClient) => ({
  /**
   * Sets a tenant's endpoint; the target is checked. @throws BAD_FIELD, field
   * `settings.webhook.url`
   */
  setEndpoint: (
    tenantId: string,
    requestId: string,
    webhook: WebhookSettings | null,
    { deliveryLogSeconds, sandbox, changeNumber, staysAsItGoes }: EndpointContext,
  ): Promise<unknown> => {
    const about = Object.entries({ deliveryLogSeconds, sandbox, staysAsItGoes });
    const path = `${at('endpoints', tenantId)}?${about.map(([name, value]) => `${name}=${value}`).join('&')}`;
    return client.putJson(path, { ...claimsFor(tenantId, requestId), changeNumber }, webhook);
  },

  endpoint: (tenantId: string, requestId: string): Promise<ShownEndpoint> =>
    client.getJson(at('endpoints', tenantId), claimsFor(tenantId, requestId), ShownEndpointSchema),

  /**
   * How sending goes for many tenants, by their ids. Where the notifier does not say it (it is
   * away, or of a former release), nothing is known of any.
   */
  healthOf: async (tenantIds: readonly string[], requestId: string): Promise<ReadonlyMap<string, EndpointHealth>> => {
    if (tenantIds.length === 0) return new Map();
    const asked = client.postJson(
      at('endpoints', 'health'),
      claimsFor('suite', requestId),
      { tenantIds },
      EndpointsHealthReplySchema,
    );
    const { items } = await asked.catch(() => ({ items: [] }));
    return new Map(items.map(({ tenantId, ...health }) => [tenantId, health]));
  },

  test: (tenantId: string, requestId: string): Promise<TestAttempt> =>
    client.postJson(at('endpoints', tenantId, 'test'), claimsFor(tenantId, requestId), {}, TestAttemptSchema),

  deliveries: (requestId: string, { tenantId, ...query }: DeliveryQuery): Promise<Deliveries> => {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const path = `${at('deliveries')}?${new URLSearchParams(given)}`;
    return client.getJson(path, claimsFor(tenantId, requestId), DeliveriesSchema);
  },

  recover: (
    tenantId: string,
    requestId: string,
    range: { since: string; until?: string },
  ): Promise<{ recovered: number }> =>
    client.postJson(at('deliveries', 'recover'), claimsFor(tenantId, requestId), range, RecoveredSchema),

  resend: (tenantId: string, requestId: string, deliveryId: string): Promise<Delivery> =>
    client.postJson(at('deliveries', deliveryId, 'resend'), claimsFor(tenantId, requestId), {}, DeliverySchema),
});
