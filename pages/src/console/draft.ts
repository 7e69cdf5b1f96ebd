import { tabStore } from '../design/storage.ts';
import { type OperatorReason, ownId } from './api.ts';

/** What an operator has chosen and written of a case, and not decided yet. */
export interface Draft {
  reasons: OperatorReason[];
  comment: string;
}
type Drafts = Readonly<Record<string, Draft>>;
interface StoredDrafts {
  operatorId: string;
  /** By case: whoever looks at another case in between finds both again; absent before. */
  byCase?: Drafts;
}

const DRAFTS = 'assay.draft';
const storedDrafts = (): StoredDrafts | undefined => {
  const stored = tabStore.getItem(DRAFTS);
  return stored === null ? undefined : (JSON.parse(stored) as StoredDrafts);
};
/** Those of this operator alone. */
const ownDrafts = (): Drafts => {
  const stored = storedDrafts();
  return (stored?.operatorId === ownId() && stored.byCase) || {};
};

export const forgetDrafts = (): void => tabStore.removeItem(DRAFTS);

const storeDrafts = (byCase: Drafts): void => {
  if (Object.keys(byCase).length === 0) forgetDrafts();
  else tabStore.setItem(DRAFTS, JSON.stringify({ operatorId: ownId(), byCase } satisfies StoredDrafts));
};

/** What is written of this case is done with. */
export const forgetDraft = (caseId: string): void => {
  const { [caseId]: _done, ...others } = ownDrafts();
  storeDrafts(others);
};

/**
 * Kept in this tab, also where the operator is signed out meanwhile: whoever signs in at their
 * organisation leaves the page for it.
 */
export const keepDraft = (caseId: string, draft: Draft): void => {
  if (draft.reasons.length === 0 && draft.comment === '') forgetDraft(caseId);
  else storeDrafts({ ...ownDrafts(), [caseId]: draft });
};

/** What is kept of this case, and of this operator alone. */
export const draftOf = (caseId: string): Draft | undefined => ownDrafts()[caseId];

/** Another operator who signs in finds nothing of the former one. */
export const forgetForeignDrafts = (): void => {
  if (storedDrafts()?.operatorId !== ownId()) forgetDrafts();
};
