import { type DataOf, type Envelope, type identityClosed, parseDateTime } from '@assay/contracts';
import type { Keyring } from '@assay/sealing';
import type { CaseStore } from '../store/cases.ts';

/**
 * identity.closed: nothing of the case remains but a tombstone, so that late events have no effect.
 */
export const onIdentityClosed =
  ({ cases, keyring }: { cases: CaseStore; keyring: Pick<Keyring, 'forget'> }) =>
  ({ identityId, tenantId, data }: Envelope<DataOf<typeof identityClosed>>): Promise<void> => {
    keyring.forget({ tenantId, identityId });
    return cases.close(identityId, tenantId, parseDateTime(data.forgetAt));
  };
