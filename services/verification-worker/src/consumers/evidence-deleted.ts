import type { DataOf, Envelope, evidenceDeleted } from '@assay/contracts';
import { withoutEvidence } from '../domain/case.ts';
import type { CaseChanger } from '../flows/change-case.ts';

/**
 * evidence.deleted: removes the evidence and its comparisons; what depended on it is evaluated
 * without it.
 */
export const onEvidenceDeleted =
  ({ changer }: { changer: CaseChanger }) =>
  (event: Envelope<DataOf<typeof evidenceDeleted>>): Promise<void> =>
    changer.change(event, (before) =>
      before.deleted.includes(event.data.evidenceId)
        ? undefined
        : { after: withoutEvidence(before, event.data.evidenceId) },
    );
