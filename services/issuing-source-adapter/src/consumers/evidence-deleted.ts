import type { DataOf, Envelope, evidenceDeleted } from '@assay/contracts';
import type { Checks } from '../store/checks.ts';
import type { WithdrawalStore } from '../store/withdrawals.ts';

/**
 * evidence.deleted: its checks go, with everything sent and answered; an answer on its way finds
 * none, and a request that comes later asks nobody.
 */
export const onEvidenceDeleted =
  ({ checks, withdrawals }: { checks: Pick<Checks, 'removeOf'>; withdrawals: Pick<WithdrawalStore, 'addEvidence'> }) =>
  async ({ identityId, tenantId, data }: Envelope<DataOf<typeof evidenceDeleted>>): Promise<void> => {
    await withdrawals.addEvidence({ identityId, tenantId }, data.evidenceId);
    await checks.removeOf(identityId, data.evidenceId);
  };
