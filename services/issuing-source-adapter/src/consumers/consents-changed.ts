import type { consentsChanged, DataOf, Envelope } from '@assay/contracts';
import { consentChanges } from '../domain/permission.ts';
import type { Permissions } from '../flows/permissions.ts';
import type { WithdrawalStore } from '../store/withdrawals.ts';

/**
 * consents.changed: what issuers may not be asked any more is dropped, also where it is under way.
 */
export const onConsentsChanged =
  ({
    permissions,
    withdrawals,
  }: {
    permissions: Pick<Permissions, 'review'>;
    withdrawals: Pick<WithdrawalStore, 'addConsents'>;
  }) =>
  async ({ identityId, tenantId, data }: Envelope<DataOf<typeof consentsChanged>>): Promise<void> => {
    const changes = consentChanges(data);
    if (!changes) return;
    await withdrawals.addConsents({ identityId, tenantId }, changes);
    await permissions.review(identityId);
  };
