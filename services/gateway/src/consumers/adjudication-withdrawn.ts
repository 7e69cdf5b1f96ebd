import type { adjudicationWithdrawn, DataOf, Envelope } from '@assay/contracts';
import type { AdjudicationFlow } from '../flows/adjudication.ts';

/** adjudication.withdrawn: the evidence left ADJUDICATION, and no operator is asked about it. */
export const onAdjudicationWithdrawn =
  (adjudication: Pick<AdjudicationFlow, 'withdraw'>) =>
  ({ tenantId, identityId, data }: Envelope<DataOf<typeof adjudicationWithdrawn>>): Promise<void> =>
    adjudication.withdraw({ tenantId, identityId }, data);
