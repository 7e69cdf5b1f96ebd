import type { IncomingMessage } from 'node:http';
import { countValues, isTooDeep, violationsOf, withoutEmpty } from '@assay/contracts';
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import rawBody from 'raw-body';
import type { Static, TSchema } from 'typebox';
import { boundaryIn, parameterIn } from './content-type.ts';
import { ApiError, badFields } from './errors.ts';

/** Refuses a body that is sent compressed: nothing here unpacks one. */
const refuseCoded = ({ headers }: IncomingMessage): void => {
  const { 'content-encoding': content = 'identity', 'transfer-encoding': transfer = 'chunked' } = headers;
  // Some clients write the header without a value.
  if ((content || 'identity').toLowerCase() !== 'identity' || transfer.toLowerCase() !== 'chunked')
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', { message: 'the body must not be compressed' });
};

/** RFC 2046, 5.1.1. Parsers refuse longer ones too, each in its own way. */
export const LONGEST_BOUNDARY = 70;

/** Whether the content type is that of a form that can be parsed; its bytes are not examined. */
export const formTypeOf = (request: IncomingMessage): string => {
  const { 'content-type': type = '' } = request.headers;
  if (!/^multipart\/form-data\b/i.test(type))
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', { message: 'multipart/form-data is needed' });
  refuseCoded(request);
  const boundary = boundaryIn(type);
  if (boundary === undefined) throw new ApiError('BAD_FIELD', { message: 'the content type names no boundary' });
  if (boundary.length > LONGEST_BOUNDARY)
    throw new ApiError('BAD_FIELD', { message: `the boundary is longer than ${LONGEST_BOUNDARY} characters` });
  return type;
};

/**
 * The bytes of a body. One above the limit is refused at the limit: express' own parsers would
 * first read it to its end.
 */
export const readBody = async ({ request, limit }: { request: Request; limit: number }): Promise<Buffer> => {
  refuseCoded(request);
  return rawBody(request, { limit, length: request.headers['content-length'] ?? null });
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** More than any body has that means something. A million take seconds, and a gigabyte. */
const MOST_VALUES = 100_000;
/** Each has a character at least, and one before the next. */
const CHARACTERS_A_VALUE = 2;

const hasTooManyValues = (bytes: Buffer): boolean =>
  bytes.length > CHARACTERS_A_VALUE * MOST_VALUES && countValues(bytes) > MOST_VALUES;

const parseJson = (bytes: Buffer): unknown => {
  if (hasTooManyValues(bytes))
    throw new ApiError('BAD_FIELD', { message: `the body has more than ${MOST_VALUES} values` });
  let text: string;
  let value: unknown;
  try {
    // Without U+FFFD for what is not UTF-8: what is stored and signed must be what was sent.
    text = utf8.decode(bytes);
  } catch {
    throw new ApiError('BAD_FIELD', { message: 'the body is not UTF-8' });
  }
  try {
    value = JSON.parse(text);
  } catch {
    throw new ApiError('BAD_FIELD', { message: 'the body is not valid JSON' });
  }
  if (typeof value === 'object' && value !== null) return value;
  throw new ApiError('BAD_FIELD', { message: 'the body must be a JSON object or array' });
};

export interface JsonBodyOptions {
  /** Largest body in bytes. */
  limit?: number;
  /**
   * The bytes are stored beside the parsed value, for a caller that passes them on: `sentJsonOf`.
   */
  isPassedOn?: boolean;
  /** A request without a body counts as one with `{}`. */
  mayBeAbsent?: boolean;
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
/** Names of UTF-8 as clients write them, and of its part that all character sets share. */
const READ_AS_UTF8 = ['utf-8', 'utf8', 'us-ascii'];

/** Refuses what is not JSON, or JSON in another character set; other parameters do not count. */
const refuseOtherThanJson = ({ headers: { 'content-type': type = '' } }: Request): void => {
  if (!JSON_TYPE.test(type)) throw new ApiError('UNSUPPORTED_MEDIA_TYPE', { message: 'application/json is needed' });
  const charset = parameterIn(type, 'charset') ?? 'utf-8';
  if (!READ_AS_UTF8.includes(charset.toLowerCase()))
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', { message: 'the charset must be UTF-8' });
};

const NOTHING = Buffer.alloc(0);

const mayHaveBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || !['0', undefined].includes(headers['content-length']);

const sentJson = new WeakMap<IncomingMessage, Buffer>();

/** A JSON body as it was sent, of a route that keeps it. */
export const sentJsonOf = (request: IncomingMessage): Buffer => {
  const bytes = sentJson.get(request);
  if (!bytes) throw new Error('the route does not keep the bytes of its body');
  return bytes;
};

/**
 * Parses a JSON body. Another content type is refused with 415, a broken or empty body with 400.
 */
export const jsonBody =
  ({ limit = 64 * 1024, mayBeAbsent = false, isPassedOn = false }: JsonBodyOptions = {}): RequestHandler =>
  (request, _response, next) => {
    const read = async (): Promise<void> => {
      if (!mayBeAbsent) refuseOtherThanJson(request);
      // Whether there is one behind a head that announces chunks is known once they were read.
      const bytes = mayHaveBody(request) ? await readBody({ request, limit }) : NOTHING;
      if (mayBeAbsent && bytes.length === 0) {
        request.body = {};
        return;
      }
      refuseOtherThanJson(request);
      if (bytes.length === 0) throw new ApiError('BAD_FIELD', { message: 'the body is empty' });
      request.body = parseJson(bytes);
      if (isPassedOn) sentJson.set(request, bytes);
    };
    read().then(() => next(), next);
  };

export interface ParseOptions {
  /** A member that is null or a blank text counts as left out. */
  nullIsAbsent?: boolean;
}

/**
 * A body without the members that its schema does not name: whoever spreads it can overwrite a
 * member of its own with none of a client's.
 */
const withoutUnknown = ({ properties, additionalProperties, patternProperties }: TSchema & OfObject, body: unknown) => {
  const isOpen = properties === undefined || additionalProperties !== undefined || patternProperties !== undefined;
  if (isOpen || typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(properties, name)));
};

interface OfObject {
  properties?: Record<string, unknown>;
  additionalProperties?: unknown;
  patternProperties?: unknown;
}

/**
 * The body, checked against its schema, without members that the schema does not name. Throws
 * BAD_FIELD with the dotted path of everything wrong.
 */
export const parseBody = <S extends TSchema>(
  schema: S,
  body: unknown,
  { nullIsAbsent = false }: ParseOptions = {},
): Static<S> => {
  if (isTooDeep(body)) throw new ApiError('BAD_FIELD', { message: 'the body is nested too deeply' });
  const said = nullIsAbsent ? withoutEmpty(body) : body;
  const violations = violationsOf(schema, said, body);
  if (violations.length > 0) throw badFields(violations);
  return withoutUnknown(schema, said) as Static<S>;
};

interface ParserError extends Error {
  type?: string;
  status?: number;
}

/** Turns the errors of reading a body into refusals that name what is wrong. */
export const bodyErrors: ErrorRequestHandler = (error: ParserError, request, _response, next) => {
  // The client disconnected before the body was read.
  if (error.type === 'stream.not.readable' && request.destroyed)
    return next(new ApiError('BAD_FIELD', { message: 'the body ended early' }));
  switch (error.type) {
    case 'entity.too.large':
      return next(new ApiError('BODY_TOO_LARGE'));
    case 'request.size.invalid':
    case 'request.aborted':
      return next(new ApiError('BAD_FIELD', { message: 'the body ended early' }));
    default:
      return next(error);
  }
};
