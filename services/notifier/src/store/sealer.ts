import { type SealingKeys, sealingContext } from '@assay/sealing';

/** Seals the webhook secrets that the notifier stores, under its own sealing key. */
export interface Sealer {
  sealSecret(tenantId: string, secret: string): string;
  openSecret(tenantId: string, sealed: string): string;
  /** The same secret under the key in force; undefined where that sealed it already. */
  sealSecretAnew(tenantId: string, sealed: string): string | undefined;
}

export const createSealer = (keys: SealingKeys): Sealer => {
  const ofSecret = (tenantId: string): string => sealingContext(tenantId, tenantId, 'webhook-secret');
  return {
    sealSecret: (tenantId, secret) => keys.seal(ofSecret(tenantId), secret),
    openSecret: (tenantId, sealed) => keys.open(ofSecret(tenantId), sealed).toString('utf8'),
    sealSecretAnew: (tenantId, sealed) => keys.sealAnew(ofSecret(tenantId), sealed),
  };
};
