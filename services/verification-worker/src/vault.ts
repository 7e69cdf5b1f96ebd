import type { Envelope } from '@assay/contracts';
import { type Keyring, openJson, sealingContext, sealJson } from '@assay/sealing';

/** Seals and opens what belongs to one identity, with the key that a message brought. Nothing of it outlives the message. */
export interface Vault {
  seal(purpose: Purpose, value: unknown): string;
  open<T>(purpose: Purpose, sealed: string): T;
}

type Purpose = 'submission' | 'evidence-data' | 'evidence-details' | 'template' | 'document' | 'fields';

type Keyed = Pick<Envelope<unknown>, 'tenantId' | 'identityId' | 'key'>;

/** The vault that a message opens; undefined when it brings no key. */
export const openVault = async (keyring: Keyring, { tenantId, identityId, key }: Keyed): Promise<Vault | undefined> => {
  if (!key) return undefined;
  const dataKey = await keyring.unwrap(key, identityId);
  const context = (purpose: Purpose) => sealingContext(tenantId, identityId, purpose);
  return {
    seal: (purpose, value) => sealJson(dataKey, context(purpose), value),
    open: (purpose, sealed) => openJson(dataKey, context(purpose), sealed),
  };
};
