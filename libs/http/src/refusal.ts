import { ERRORS, type ErrorName, type Problem, present } from '@assay/contracts';
import { ApiError, unavailable } from './errors.ts';

const names = Object.keys(ERRORS) as ErrorName[];
// Several names share a code (1505); what the other service called its refusal tells them apart.
const nameOf = ({ title, errors: [first] }: Problem): ErrorName | undefined =>
  names.find((name) => ERRORS[name].code === first?.code && ERRORS[name].title === title) ??
  names.find((name) => ERRORS[name].code === first?.code);

/**
 * Converts the refusal of another service into our own, with the same title, status and errors. Its
 * failure becomes 503, and so does a refusal of our token: the client is not at fault.
 */
export const refusalOf = (status: number, problem: Problem | undefined): ApiError => {
  const code = problem?.errors?.[0]?.code;
  if (status === ERRORS.UNAUTHENTICATED.status) return unavailable();
  if (status >= 500 || !problem || !code)
    return status === 503 && problem
      ? new ApiError('UNAVAILABLE', { errors: problem.errors, headers: { 'Retry-After': '1' } })
      : unavailable();
  return new ApiError(nameOf(problem) ?? 'BAD_FIELD', {
    status,
    errors: problem.errors,
    ...present({ message: problem.detail }),
  });
};
