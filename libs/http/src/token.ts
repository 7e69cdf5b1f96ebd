import './locals.ts';
import { type InternalClaims, present, type ServiceName } from '@assay/contracts';
import type { Request, RequestHandler, Response } from 'express';
import jwt from 'jsonwebtoken';
import { ApiError } from './errors.ts';
import type { InternalKeys } from './internal-keys.ts';
import { unwrapFrom, wrapFor } from './key-wrapping.ts';

const ALGORITHM = 'ES256';
/** A token outlives no call: it names whom it is for, and carries the identity's wrapped key. */
const LIFE_SECONDS = 60;
/**
 * The clocks of two machines differ: a token may be dated ahead by as much as a clock may be ahead.
 */
const SKEW_SECONDS = LIFE_SECONDS;

/** Whole seconds, as tokens have them. */
const secondsOf = ({ now }: InternalKeys): number => Math.floor(now().getTime() / 1000);

/** The claims as a token has them: the identity's key is wrapped. */
type SignedClaims = Omit<InternalClaims, 'service' | 'key'> & { wrapped?: string };

/**
 * Signs a token for one call from this service to another; an identity's key in it is wrapped for
 * that service alone.
 */
export const signToken = (
  keys: InternalKeys,
  to: ServiceName,
  { key, ...rest }: Omit<InternalClaims, 'service'>,
): string => {
  const claims: SignedClaims = { ...rest, ...present({ wrapped: key && wrapFor(keys, to, key, rest.identityId) }) };
  const options = { algorithm: ALGORITHM, issuer: keys.service, audience: to, expiresIn: LIFE_SECONDS } as const;
  return jwt.sign({ claims, iat: secondsOf(keys) }, keys.privateKey, options);
};

const issuerOf = (token: string): string => {
  const payload = jwt.decode(token, { json: true });
  return typeof payload?.iss === 'string' ? payload.iss : '';
};

/**
 * A token that is dated ahead must not be valid for longer: it must end within the life of one made
 * now.
 */
const endsInTime = (end: unknown, seconds: number): boolean =>
  typeof end === 'number' && end <= seconds + LIFE_SECONDS + SKEW_SECONDS;

const hasText = (claims: object, name: string): boolean =>
  typeof (claims as Record<string, unknown>)[name] === 'string';
/** The members that every grant has. Its readers rely on them. */
const areClaims = (claims: unknown): claims is SignedClaims =>
  typeof claims === 'object' &&
  claims !== null &&
  ['tenantId', 'identityId', 'requestId'].every((name) => hasText(claims, name));

/**
 * The claims of a valid token that a service of the suite signed for this one; its issuer is in
 * `service`.
 */
const read = (keys: InternalKeys, header: string | undefined): InternalClaims | undefined => {
  const token = /^Bearer (.+)$/.exec(header ?? '')?.[1];
  if (!token) return undefined;
  try {
    const issuer = issuerOf(token);
    const publicKey = keys.publicKeys.get(issuer);
    if (!publicKey) return undefined;
    const seconds = secondsOf(keys);
    const checks = { issuer, audience: keys.service, maxAge: LIFE_SECONDS, clockTimestamp: seconds };
    const payload = jwt.verify(token, publicKey, { ...checks, algorithms: [ALGORITHM] });
    if (typeof payload === 'string' || !endsInTime(payload.exp, seconds) || !areClaims(payload.claims))
      return undefined;
    const { wrapped, ...claims } = payload.claims;
    const key = wrapped === undefined ? {} : { key: unwrapFrom(keys, issuer, wrapped, claims.identityId) };
    return { ...claims, ...key, service: issuer };
  } catch {
    return undefined;
  }
};

/**
 * Admits only these services, by a token that they signed for this service; its claims are then in
 * `claimsOf`. Refuses with 401 if there is no valid token, and with 403 if the service may not call
 * the route.
 */
export const requireToken =
  (keys: InternalKeys, callers: readonly ServiceName[]): RequestHandler =>
  (request, response, next) => {
    const claims = read(keys, request.headers.authorization);
    if (!claims) return next(new ApiError('UNAUTHENTICATED'));
    if (!(callers as readonly string[]).includes(claims.service)) return next(new ApiError('WRONG_ROLE'));
    response.locals.claims = claims;
    return next();
  };

/** What the caller of an internal route was granted. */
export const claimsOf = (from: Request | Response): InternalClaims => {
  const response = 'locals' in from ? from : from.res;
  const claims = response?.locals.claims;
  if (!claims) throw new ApiError('UNAUTHENTICATED');
  return claims;
};
