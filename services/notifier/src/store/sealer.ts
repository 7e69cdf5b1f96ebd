import { open, seal, sealingContext } from '@assay/sealing';

/** Seals the webhook secrets that the notifier stores, under its own sealing key. */
export interface Sealer {
  sealSecret(tenantId: string, secret: string): string;
  openSecret(tenantId: string, sealed: string): string;
}

export const createSealer = (masterKey: Buffer): Sealer => {
  const ofSecret = (tenantId: string): string => sealingContext(tenantId, tenantId, 'webhook-secret');
  return {
    sealSecret: (tenantId, secret) => seal(masterKey, ofSecret(tenantId), secret),
    openSecret: (tenantId, sealed) => open(masterKey, ofSecret(tenantId), sealed).toString('utf8'),
  };
};
