import { createDrafts } from '../design/drafts.ts';
import { type OperatorReason, ownId } from './api.ts';

/** What an operator has chosen and written of a case, and not decided yet. */
export interface Draft {
  reasons: OperatorReason[];
  comment: string;
}

/** Drafts by case. */
export const drafts = createDrafts<Draft>('assay.draft', ownId);

/** An empty one is none. */
export const storeDraft = (caseId: string, draft: Draft): void => {
  if (draft.reasons.length === 0 && draft.comment === '') drafts.forget(caseId);
  else drafts.store(caseId, draft);
};
