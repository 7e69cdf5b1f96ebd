import { type DataOf, type Envelope, type identityClosed, parseDateTime } from '@assay/contracts';
import type { Tombstones } from '@assay/mongo';
import type { Keyring } from '@assay/sealing';
import type { Checks } from '../store/checks.ts';
import type { WithdrawalStore } from '../store/withdrawals.ts';

export interface Deps {
  checks: Checks;
  tombstones: Tombstones;
  withdrawals: WithdrawalStore;
  keyring: Pick<Keyring, 'forget'>;
}

/**
 * identity.closed: its checks go, with everything sent and answered; a tombstone keeps a late
 * message from bringing one back.
 */
export const onIdentityClosed =
  ({ checks, tombstones, withdrawals, keyring }: Deps) =>
  async ({ identityId, tenantId, data }: Envelope<DataOf<typeof identityClosed>>): Promise<void> => {
    keyring.forget({ tenantId, identityId });
    await tombstones.put(identityId, parseDateTime(data.forgetAt));
    await checks.removeAll(identityId);
    await withdrawals.remove(identityId);
  };
