import { type adjudicationRequested, type DataOf, formatDateTime } from '@assay/contracts';
import { type Case, type CaseEvidence, changeEvidence } from './case.ts';
import type { CaseEvaluation } from './evaluate-case.ts';
import type { EvidenceOutcome } from './evaluate-evidence.ts';
import type { Adjudication } from './facts.ts';

export type AdjudicationRequest = DataOf<typeof adjudicationRequested>;

/** A request is open for the reference the portrait is compared with now. */
const isAsked = ({ adjudication }: CaseEvidence, { context }: EvidenceOutcome): boolean =>
  adjudication !== undefined && adjudication.referenceId === context.referenceId && adjudication.answer === undefined;

const requestOf = (
  of: Case,
  evidence: CaseEvidence,
  outcome: EvidenceOutcome,
  adjudication: Adjudication,
): AdjudicationRequest => {
  const reference = of.evidences.find(({ evidenceId }) => evidenceId === adjudication.referenceId);
  const shown = [
    ...evidence.media,
    ...(reference?.media ?? []).map((one) => ({ ...one, label: `REFERENCE_${one.label}` })),
  ];
  return {
    caseId: adjudication.caseId,
    evidenceId: evidence.evidenceId,
    type: evidence.type,
    submitDateTime: evidence.submitDateTime,
    requestedAt: adjudication.requestedAt,
    expiresAt: adjudication.expiresAt,
    fourEyes: evidence.settings.adjudication.fourEyes,
    raisedIndicators: outcome.raised,
    reasons: outcome.adjudicationReasons,
    media: shown,
    ...(evidence.sealed.fields ? { sealedFields: evidence.sealed.fields } : {}),
  };
};

/** Asks the operators about every evidence that an evaluation left in ADJUDICATION and that was not asked about yet. */
export const requestAdjudications = (
  of: Case,
  evaluation: CaseEvaluation,
  { at, newId }: { at: Date; newId: () => string },
): { after: Case; requests: AdjudicationRequest[] } => {
  const requests: AdjudicationRequest[] = [];
  let after = of;
  for (const outcome of evaluation.evidences.filter(({ status }) => status === 'ADJUDICATION')) {
    const { evidenceId, settings } = outcome.facts;
    const asked = changeEvidence(after, evidenceId, (evidence) => {
      if (isAsked(evidence, outcome)) return undefined;
      const { referenceId } = outcome.context;
      const adjudication: Adjudication = {
        caseId: newId(),
        requestedAt: formatDateTime(at),
        expiresAt: formatDateTime(new Date(at.getTime() + settings.adjudication.expirySeconds * 1000)),
        ...(referenceId ? { referenceId } : {}),
      };
      requests.push(requestOf(of, evidence, outcome, adjudication));
      return { ...evidence, adjudication };
    });
    after = asked ?? after;
  }
  return { after, requests };
};
