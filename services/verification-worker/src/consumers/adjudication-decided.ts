import type { adjudicationDecided, DataOf, Envelope } from '@assay/contracts';
import { changeEvidence } from '../domain/case.ts';
import type { CaseChanger } from '../flows/change-case.ts';

type Decided = Envelope<DataOf<typeof adjudicationDecided>>;

/**
 * adjudication.decided: the operators' answer, or that there was none in time. Only the answer to
 * the question last asked counts, and only once. Where operators decided before they heard that the
 * question was taken back, their decision counts; that nobody decided one taken back says nothing.
 */
export const onAdjudicationDecided =
  ({ changer }: { changer: CaseChanger }) =>
  (event: Decided): Promise<void> =>
    changer.change(event, (before) => {
      const { evidenceId, caseId, decision, reasons, decidedAt, details } = event.data;
      const after = changeEvidence(before, evidenceId, (evidence) => {
        const { adjudication } = evidence;
        if (adjudication?.caseId !== caseId || adjudication.answer) return undefined;
        if (adjudication.withdrawn && decision === 'EXPIRED') return undefined;
        const steps = details.map(({ sealedComment: _comment, ...step }) => step);
        return {
          ...evidence,
          adjudication: { ...adjudication, answer: { decision, reasons, decidedAt, details: steps } },
        };
      });
      return after && { after };
    });
