import type { Envelope } from '@assay/contracts';
import { type Keyring, openJson, sealingContext, sealJson } from '@assay/sealing';

/** Seals and opens what belongs to one identity, with its key. */
export interface Sealer {
  seal(purpose: Purpose, value: unknown): string;
  open<T>(purpose: Purpose, sealed: string): T;
}

type Purpose = 'submission' | 'evidence-data' | 'evidence-details' | 'template' | 'document' | 'fields';

type Owner = Pick<Envelope<unknown>, 'tenantId' | 'identityId'>;

/** The sealer of the identity that a message is about; undefined once the identity is closed. */
export const openSealer = async (keyring: Keyring, { tenantId, identityId }: Owner): Promise<Sealer | undefined> => {
  const dataKey = await keyring.keyOf({ tenantId, identityId });
  if (!dataKey) return undefined;
  const context = (purpose: Purpose) => sealingContext(tenantId, identityId, purpose);
  return {
    seal: (purpose, value) => sealJson(dataKey, context(purpose), value),
    open: (purpose, sealed) => openJson(dataKey, context(purpose), sealed),
  };
};
