import { type EvaluatedEvidence, formatDateTime } from '@assay/contracts';

/** A complete evaluation with the status VERIFIED, unless `evidence` says otherwise. */
export const anEvaluation = (evidence: Partial<EvaluatedEvidence> & { evidenceId: string }): EvaluatedEvidence => {
  const at = formatDateTime(new Date());
  return {
    evidenceRevision: 1,
    type: 'PASSPORT',
    status: 'VERIFIED',
    strength: 'LEVEL4',
    score: 'LEVEL2',
    isAdjudicable: false,
    evaluationDateTime: at,
    positiveIndicators: ['MRZ_CHECKSUMS_OK'],
    warningIndicators: [],
    unverifiedIndicators: [],
    changed: true,
    proof: {
      progress: 'DONE',
      verificationDetails: [],
      evaluationDetails: { evaluationDateTime: at, evidences: [] },
      crops: [],
    },
    ...evidence,
  };
};
