import { open, seal, sealingContext } from '@assay/sealing';

/** Seals what the notifier keeps: webhook secrets and notification bodies, under the suite's master key. */
export interface Safe {
  sealBody(delivery: { id: string; tenantId: string; identityId: string }, body: Buffer): string;
  openBody(delivery: { id: string; tenantId: string; identityId: string }, sealed: string): Buffer;
  sealSecret(tenantId: string, secret: string): string;
  openSecret(tenantId: string, sealed: string): string;
}

export const createSafe = (masterKey: Buffer): Safe => {
  const ofDelivery = ({ id, tenantId, identityId }: { id: string; tenantId: string; identityId: string }): string =>
    sealingContext(tenantId, identityId, `delivery:${id}`);
  const ofSecret = (tenantId: string): string => sealingContext(tenantId, tenantId, 'webhook-secret');
  return {
    sealBody: (delivery, body) => seal(masterKey, ofDelivery(delivery), body),
    openBody: (delivery, sealed) => open(masterKey, ofDelivery(delivery), sealed),
    sealSecret: (tenantId, secret) => seal(masterKey, ofSecret(tenantId), secret),
    openSecret: (tenantId, sealed) => open(masterKey, ofSecret(tenantId), sealed).toString('utf8'),
  };
};
