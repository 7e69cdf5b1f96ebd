import type { adjudicationDecided, DataOf, Envelope } from '@assay/contracts';
import { changeEvidence } from '../domain/case.ts';
import type { CaseChanger } from '../flows/change-case.ts';

type Decided = Envelope<DataOf<typeof adjudicationDecided>>;

/**
 * adjudication.decided: the answer of the operators, or that there was none in time. Only the
 * answer to the latest question counts, and only once. If the operators decided before they knew
 * that the question was taken back, their decision counts; a missing decision about such a question
 * has no effect.
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
