import type { DataOf, Envelope, evidenceEvaluated } from '@assay/contracts';
import type { EvidenceStore } from '../store/evidences.ts';

/** evidence.evaluated: which evidences have had their word. One that waits for an operator is in the hands of the case, which has its own expiry. */
export const onEvidenceEvaluated =
  (evidences: EvidenceStore) =>
  async ({ identityId, data }: Envelope<DataOf<typeof evidenceEvaluated>>): Promise<void> => {
    for (const { evidenceId, evidenceRevision, status } of data.evidences)
      await evidences.heard(evidenceId, identityId, evidenceRevision, status !== 'PROCESSING');
  };
