import type { ErrorRequestHandler, Request } from 'express';
import { ApiError } from './errors.ts';

const CONDITIONS = ['If-Match', 'If-Unmodified-Since'] as const;

/** The header that a file was refused for, by the status that express gives. */
const askedBy = (status: unknown, { headers }: Request): { field: string; message: string } | undefined => {
  if (status === 416 && headers.range !== undefined) return { field: 'Range', message: 'must be within the file' };
  const condition = CONDITIONS.find((name) => headers[name.toLowerCase()] !== undefined);
  return status === 412 && condition ? { field: condition, message: 'does not hold' } : undefined;
};

/**
 * Turns what express' own sending of files refuses into refusals that name the header: a range
 * beyond the file, a condition that does not hold.
 */
export const fileErrors: ErrorRequestHandler = (error: { status?: number } | undefined, request, _response, next) => {
  const { status } = error ?? {};
  const asked = askedBy(status, request);
  next(status !== undefined && asked ? new ApiError('BAD_FIELD', { status, ...asked }) : error);
};
