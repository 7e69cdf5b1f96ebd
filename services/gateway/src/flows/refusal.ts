import { present } from '@assay/contracts';
import { ApiError } from '@assay/http';
import { isRefusal, type Refusal } from '../domain/change.ts';

const RETRY_SOON = { 'Retry-After': '1' };

/** The error that a refusal of the rules is answered with. */
const errorOf = ({ refused, field, message }: Refusal): ApiError =>
  new ApiError(refused, {
    ...present({ field, message }),
    ...(refused === 'TOO_MANY_REQUESTS' ? { headers: RETRY_SOON } : {}),
  });

/** What came of a change. @throws ApiError where it was refused */
export const accepted = <T extends object>(result: T | Refusal): T => {
  if (isRefusal(result)) throw errorOf(result);
  return result;
};
