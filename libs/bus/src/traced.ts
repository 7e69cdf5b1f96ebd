import type { Envelope } from '@assay/contracts';
import type { SpanAttributes } from '@assay/runtime';

/** What a span tells of an event: never its data. */
export const traced = ({ id, type, tenantId, identityId }: Envelope<unknown>): SpanAttributes => ({
  'messaging.system': 'rabbitmq',
  'messaging.message.id': id,
  'assay.event': type,
  'assay.tenant.id': tenantId,
  'assay.identity.id': identityId,
});
