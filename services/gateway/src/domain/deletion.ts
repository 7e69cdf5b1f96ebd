import { evaluationPublished, evidenceDeleted, formatDateTime } from '@assay/contracts';
import { applied, type Decision, fact, refuse } from './change.ts';
import type { Identity } from './identity.ts';
import { identityStatusOf } from './status.ts';
import { whyNotWritable } from './transaction.ts';

export interface Deletion {
  evidenceId: string;
  operationId: string;
  now: Date;
}

/** The client takes an evidence back: it answers 404 from here on, and an Evaluation with evidenceOperation DELETED tells of it. */
export const deleteEvidence = (identity: Identity, { evidenceId, operationId, now }: Deletion): Decision => {
  const refused = whyNotWritable(identity);
  if (refused) return refuse(refused);
  const evidence = identity.evidences.find((entry) => entry.evidenceId === evidenceId);
  if (!evidence) return refuse('NOT_FOUND');
  const set = {
    evidences: identity.evidences.filter((entry) => entry !== evidence),
    deletedEvidenceIds: [...identity.deletedEvidenceIds, evidenceId],
  };
  const at = formatDateTime(now);
  const { type, operation } = evidence;
  return {
    set,
    facts: [
      fact(evidenceDeleted, { evidenceId, type, operation, reason: 'DELETED', deletedAt: at, operationId }),
      fact(evaluationPublished, {
        identityStatus: identityStatusOf(applied(identity, { set })),
        completedAt: at,
        ...(identity.businessId === undefined ? {} : { businessId: identity.businessId }),
        evidence: { evidenceId, evidenceType: type, evidenceOperation: 'DELETED' },
      }),
    ],
  };
};
