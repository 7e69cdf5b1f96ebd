import { type DataOf, type Envelope, type identityClosed, parseDateTime } from '@assay/contracts';
import type { CaseStore } from '../store/cases.ts';

/** identity.closed: nothing of the case stays but a tombstone, so that late news of it comes to nothing. */
export const onIdentityClosed =
  ({ cases }: { cases: CaseStore }) =>
  ({ identityId, tenantId, data }: Envelope<DataOf<typeof identityClosed>>): Promise<void> =>
    cases.close(identityId, tenantId, parseDateTime(data.forgetAt));
