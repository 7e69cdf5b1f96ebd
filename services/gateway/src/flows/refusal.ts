import { type ErrorName, present } from '@assay/contracts';
import { ApiError } from '@assay/http';
import { isRefusal, type Refusal, refuse } from '../domain/change.ts';

/** Refusals of a moment: the same request may succeed soon after. */
const SOON_OTHERWISE: ReadonlySet<ErrorName> = new Set(['TOO_MANY_REQUESTS', 'PROOF_NOT_READY', 'IDEMPOTENCY_RUNNING']);
const RETRY_SOON = { 'Retry-After': '1' };

/** The error that a refusal of the rules is answered with. */
export const errorOf = ({ refused, field, message }: Refusal): ApiError =>
  new ApiError(refused, {
    ...present({ field, message }),
    ...(SOON_OTHERWISE.has(refused) ? { headers: RETRY_SOON } : {}),
  });

/** Another attempt at the same request runs, or came first. */
export const runsElsewhere = (): ApiError => errorOf(refuse('IDEMPOTENCY_RUNNING'));

/** What came of a change. @throws ApiError where it was refused */
export const accepted = <T extends object>(result: T | Refusal): T => {
  if (isRefusal(result)) throw errorOf(result);
  return result;
};
