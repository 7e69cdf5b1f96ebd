import { isTooDeep, violationsOf, withoutNulls } from '@assay/contracts';
import express, { type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import type { Static, TSchema } from 'typebox';
import { ApiError, badFields } from './errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

// express would put U+FFFD for bytes that are not UTF-8: what is stored and signed must be what was sent.
const refuseBadUtf8 = (_request: unknown, _response: unknown, body: Buffer): void => {
  try {
    utf8.decode(body);
  } catch {
    throw new ApiError('BAD_FIELD', { message: 'the body is not UTF-8' });
  }
};

export interface JsonBodyOptions {
  /** Largest body in bytes. */
  limit?: number;
}

const isJson = (request: Request): boolean =>
  /^application\/([\w.+-]+\+)?json\s*(;\s*charset="?utf-8"?\s*)?;?$/i.test(request.headers['content-type'] ?? '');

/** Takes a JSON body. Another content type is refused with 415, a broken or empty body with 400. */
export const jsonBody = ({ limit = 64 * 1024 }: JsonBodyOptions = {}): RequestHandler[] => [
  (request, _response, next) => {
    next(
      isJson(request) ? undefined : new ApiError('UNSUPPORTED_MEDIA_TYPE', { message: 'application/json is needed' }),
    );
  },
  express.json({ limit, strict: true, verify: refuseBadUtf8, type: () => true, inflate: false }),
  (request, _response, next) => {
    next(request.body === undefined ? new ApiError('BAD_FIELD', { message: 'the body is empty' }) : undefined);
  },
];

export interface ParseOptions {
  /** A member that is null counts as left out. */
  nullIsAbsent?: boolean;
}

/** The body, checked against its schema. Throws BAD_FIELD with the dotted path of everything wrong. */
export const parseBody = <S extends TSchema>(
  schema: S,
  body: unknown,
  { nullIsAbsent = false }: ParseOptions = {},
): Static<S> => {
  if (isTooDeep(body)) throw new ApiError('BAD_FIELD', { message: 'the body is nested too deeply' });
  const said = nullIsAbsent ? withoutNulls(body) : body;
  const violations = violationsOf(schema, said);
  if (violations.length > 0) throw badFields(violations);
  return said as Static<S>;
};

interface ParserError extends Error {
  type?: string;
  status?: number;
}

/** Turns the errors of the body parsers into refusals that name what is wrong. */
export const bodyErrors: ErrorRequestHandler = (error: ParserError, _request, _response, next) => {
  switch (error.type) {
    case 'entity.too.large':
      return next(new ApiError('BODY_TOO_LARGE'));
    case 'entity.parse.failed':
      return next(new ApiError('BAD_FIELD', { message: 'the body is not valid JSON' }));
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return next(new ApiError('UNSUPPORTED_MEDIA_TYPE'));
    case 'request.size.invalid':
    case 'request.aborted':
      return next(new ApiError('BAD_FIELD', { message: 'the body ended early' }));
    default:
      return next(error);
  }
};
