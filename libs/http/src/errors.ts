import { ERRORS, type ErrorName, type ErrorObject, type Problem, present, type Violation } from '@assay/contracts';

export interface ApiErrorOptions {
  /** Dotted path of the offending field (specification, Errors). */
  field?: string;
  /** What is wrong, in words; never personal data. The table's title when left out. */
  message?: string;
  /** All error objects of the reply, where there are several. */
  errors?: ErrorObject[];
  headers?: Record<string, string>;
  /** Another status than the table's. */
  status?: number;
}

/**
 * A refusal. Code throws it, nobody catches it on the way; the one error handler turns it into
 * problem+json.
 */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly error: ErrorName;
  readonly status: number;
  readonly errors: ErrorObject[];
  readonly headers: Record<string, string>;

  constructor(error: ErrorName, options: ApiErrorOptions = {}) {
    const entry: { code: string; status?: number; title: string } = ERRORS[error];
    super(options.message ?? entry.title);
    this.error = error;
    this.status = options.status ?? entry.status ?? 500;
    this.headers = options.headers ?? {};
    this.errors = options.errors ?? [{ code: entry.code, ...present({ field: options.field }), message: this.message }];
  }
}

/**
 * True for an error that says for certain that nothing was done. After any other error the outcome
 * is unknown, and nothing may be undone.
 */
export const isRefusal = (error: unknown): error is ApiError => error instanceof ApiError && error.status < 500;

/**
 * The refusal of a value that does not have its schema's shape: 400/1006, one error object for each
 * thing wrong.
 */
export const badFields = (violations: readonly Violation[]): ApiError =>
  new ApiError('BAD_FIELD', {
    errors: violations.map(({ field, message }) => ({
      code: ERRORS.BAD_FIELD.code,
      // What is wrong with the whole body has no path.
      ...present({ field: field || undefined }),
      message,
    })),
  });

/** 503 with Retry-After. */
export const unavailable = (seconds = 1, message?: string): ApiError =>
  new ApiError('UNAVAILABLE', { headers: { 'Retry-After': String(seconds) }, ...present({ message }) });

/**
 * The body of an error reply (RFC 9457 with the specification's error objects). Its type is the
 * page of the code, which the gateway serves.
 */
export const problemOf = (error: ApiError, requestId: string | undefined): Problem => ({
  type: `/docs/errors/${ERRORS[error.error].code}`,
  title: ERRORS[error.error].title,
  status: error.status,
  detail: error.message,
  ...present({ requestId }),
  errors: error.errors,
});
