import type { DataOf, Envelope, evidenceDeleted } from '@assay/contracts';
import type { AdjudicationFlow } from '../flows/adjudication.ts';

/**
 * evidence.deleted: no operator is asked about the evidence any more, nor shown what was read of
 * it.
 */
export const onEvidenceDeleted =
  (adjudication: Pick<AdjudicationFlow, 'forget'>) =>
  ({ identityId, data }: Envelope<DataOf<typeof evidenceDeleted>>): Promise<void> =>
    adjudication.forget(identityId, 'EVIDENCE_DELETED', data.evidenceId);
