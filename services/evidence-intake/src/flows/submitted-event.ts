import { evidenceSubmitted } from '@assay/contracts';
import { outboxEntry } from '@assay/mongo';
import { submittedData } from '../domain/submitted.ts';
import type { Evidence } from '../store/evidences.ts';

/** What the event says beside the evidence: it was published before, or the evidence is to end. */
export interface Reissue {
  reissued?: true;
  endWith?: 'PROCESSING_FAILED' | 'SESSION_TIMEOUT';
}

/** evidence.submitted about an evidence with the media, consents and settings that it has here. */
export const submittedEvent = (evidence: Evidence, at: Date, reissue: Reissue = {}) => {
  const { tenantId, identityId } = evidence;
  return outboxEntry(evidenceSubmitted, { tenantId, identityId, at, data: { ...submittedData(evidence), ...reissue } });
};
