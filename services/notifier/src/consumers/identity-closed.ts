import type { DataOf, Envelope, identityClosed } from '@assay/contracts';
import type { Keyring } from '@assay/sealing';

/**
 * identity.closed: the key of its notices is not held any longer; whether it still may be asked for
 * is the gateway's to say.
 */
export const onIdentityClosed =
  ({ keyring }: { keyring: Pick<Keyring, 'forget'> }) =>
  async ({ tenantId, identityId }: Envelope<DataOf<typeof identityClosed>>): Promise<void> =>
    keyring.forget({ tenantId, identityId });
