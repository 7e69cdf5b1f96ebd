import './locals.ts';
import type { InternalClaims } from '@assay/contracts';
import type { Request, RequestHandler, Response } from 'express';
import jwt from 'jsonwebtoken';
import { ApiError } from './errors.ts';

const ALGORITHM = 'HS256';
const AUDIENCE = 'assay-internal';

/** Signs a token for one internal call. Short-lived: it carries the identity's wrapped key. */
export const signToken = (secret: string, claims: InternalClaims, seconds = 300): string =>
  jwt.sign({ claims }, secret, { algorithm: ALGORITHM, audience: AUDIENCE, expiresIn: seconds });

const read = (secret: string, header: string | undefined): InternalClaims | undefined => {
  const token = /^Bearer (.+)$/.exec(header ?? '')?.[1];
  if (!token) return undefined;
  try {
    const payload = jwt.verify(token, secret, { algorithms: [ALGORITHM], audience: AUDIENCE });
    return typeof payload === 'string' ? undefined : (payload.claims as InternalClaims);
  } catch {
    return undefined;
  }
};

/** Lets only the suite's own services in; what they were granted is then in `claimsOf`. */
export const requireToken =
  (secret: string): RequestHandler =>
  (request, response, next) => {
    const claims = read(secret, request.headers.authorization);
    if (!claims) return next(new ApiError('UNAUTHENTICATED'));
    response.locals.claims = claims;
    return next();
  };

/** What the caller of an internal route was granted. */
export const claimsOf = (of: Request | Response): InternalClaims => {
  const response = 'locals' in of ? of : of.res;
  const claims = response?.locals.claims;
  if (!claims) throw new ApiError('UNAUTHENTICATED');
  return claims;
};
