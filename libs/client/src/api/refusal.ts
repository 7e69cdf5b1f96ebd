import type { Problem } from './operations.d.ts';

/** One error of a refusal: its numeric code (docs/errors.md), the field it is about, and words. */
export type RefusalError = Problem['errors'][number];

/**
 * The service refused a call, or failed: its status, its errors, and the id its logs know the
 * request by.
 */
export class AssayRefusal extends Error {
  override name = 'AssayRefusal';
  readonly status: number;
  readonly errors: RefusalError[];
  readonly requestId: string | undefined;
  /** Seconds to wait before another attempt, where the service said so. */
  readonly retryAfterSeconds: number | undefined;
  constructor(
    status: number,
    errors: RefusalError[],
    { requestId, retryAfterSeconds }: { requestId?: string | undefined; retryAfterSeconds?: number | undefined } = {},
  ) {
    const said = errors[0]?.message ?? `the service answered ${status}`;
    super(requestId === undefined ? said : `${said} (request ${requestId})`);
    this.status = status;
    this.errors = errors;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * No suite answered: the connection failed, the time was up, or another program answered (`code`
 * is NO_SUITE). What the call asks may have been done all the same.
 */
export class AssayUnreachable extends Error {
  override name = 'AssayUnreachable';
  readonly code: string;
  readonly requestId: string;
  constructor(code: string, requestId: string, said = `no answer: ${code}`) {
    super(`${said} (request ${requestId})`);
    this.code = code;
    this.requestId = requestId;
  }
}

/** What was waited for did not come in time; `last` is what was there at the end. */
export class AssayTimeout<T = unknown> extends Error {
  override name = 'AssayTimeout';
  readonly last: T;
  constructor(message: string, last: T) {
    super(message);
    this.last = last;
  }
}

const readIn = (data: unknown): unknown => {
  if (!(data instanceof ArrayBuffer || ArrayBuffer.isView(data))) return data;
  try {
    return JSON.parse(new TextDecoder().decode(data as Uint8Array));
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** What a refusal says; one that a proxy wrote in its own words says nothing. */
const problemIn = (data: unknown): { errors: RefusalError[]; requestId?: string } => {
  const read = readIn(data);
  if (!isObject(read)) return { errors: [] };
  const { errors, requestId } = read;
  return {
    errors: Array.isArray(errors) ? (errors.filter(isObject) as unknown as RefusalError[]) : [],
    ...(typeof requestId === 'string' ? { requestId } : {}),
  };
};

interface Answered {
  status: number;
  data: unknown;
  headers: unknown;
}

/** What the service answered, as an error; the body may be read already or still be bytes. */
export const refusalOf = ({ status, data, headers }: Answered): AssayRefusal => {
  const { errors, requestId } = problemIn(data);
  const said = (headers ?? {}) as Record<string, string | undefined>;
  const seconds = Number(said['retry-after']);
  return new AssayRefusal(status, errors, {
    requestId: requestId ?? said['x-request-id'],
    retryAfterSeconds: Number.isFinite(seconds) && said['retry-after'] !== undefined ? seconds : undefined,
  });
};
