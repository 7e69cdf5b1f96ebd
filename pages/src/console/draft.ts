import { tabStore } from '../design/storage.ts';
import { type OperatorReason, ownId } from './api.ts';

/** What an operator has chosen and written of a case, and not decided yet. */
export interface Draft {
  reasons: OperatorReason[];
  comment: string;
}
interface StoredDraft extends Draft {
  caseId: string;
  operatorId: string;
}

const DRAFT = 'assay.draft';
const storedDraft = (): StoredDraft | undefined => {
  const stored = tabStore.getItem(DRAFT);
  return stored === null ? undefined : (JSON.parse(stored) as StoredDraft);
};

export const forgetDraft = (): void => tabStore.removeItem(DRAFT);

/**
 * Kept in this tab, also where the operator is signed out meanwhile: whoever signs in at their
 * organisation leaves the page for it.
 */
export const keepDraft = (caseId: string, { reasons, comment }: Draft): void => {
  if (reasons.length === 0 && comment === '') forgetDraft();
  else tabStore.setItem(DRAFT, JSON.stringify({ reasons, comment, caseId, operatorId: ownId() } satisfies StoredDraft));
};

/** What is kept of this case, and of this operator alone. */
export const draftOf = (caseId: string): Draft | undefined => {
  const found = storedDraft();
  return found?.caseId === caseId && found.operatorId === ownId() ? found : undefined;
};

/** Another operator who signs in finds nothing of the former one. */
export const forgetForeignDraft = (): void => {
  if (storedDraft()?.operatorId !== ownId()) forgetDraft();
};
