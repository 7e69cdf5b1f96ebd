import { ApiError, createShares, unavailable } from '@assay/http';
import type { Clock } from '@assay/runtime';
import type { NextFunction, RequestHandler, Response } from 'express';
import type { RequestRates } from '../store/request-rates.ts';
import { type Call, callOf } from './call.ts';

const ADMINISTRATION_PER_MINUTE = 6000;

/**
 * So many requests a minute for each key (settings.limits.requestsPerMinute) over all prefixes and
 * replicas, reported in the RateLimit headers; beyond it 429 with Retry-After.
 */
export const perKeyRate =
  (rates: Pick<RequestRates, 'take'>, now: Clock): RequestHandler =>
  (_request, response, next) => {
    const { tenant, keyId } = callOf(response);
    const limit = tenant?.effective.limits.requestsPerMinute ?? ADMINISTRATION_PER_MINUTE;
    const admit = async (): Promise<void> => {
      const { isAdmitted, remaining, resetAt } = await rates.take(keyId, limit);
      const seconds = String(Math.max(0, Math.ceil((resetAt.getTime() - now().getTime()) / 1000)));
      response.set({
        'RateLimit-Policy': `${limit};w=60`,
        'RateLimit-Limit': String(limit),
        'RateLimit-Remaining': String(remaining),
        'RateLimit-Reset': seconds,
      });
      if (!isAdmitted) throw new ApiError('TOO_MANY_REQUESTS', { headers: { 'Retry-After': seconds } });
    };
    admit().then(() => next(), next);
  };

/** At most so many requests at a time; beyond it 503 with Retry-After, before anything is read. */
export const atMost = (limit: number): RequestHandler => {
  let inFlight = 0;
  return (_request, response, next) => {
    if (inFlight >= limit) return next(unavailable(1, 'Too many requests at the same time'));
    inFlight += 1;
    response.once('close', () => {
      inFlight -= 1;
    });
    return next();
  };
};

/** Begins nothing for a client that left before its turn came. */
export const unlessClientLeft: RequestHandler = (_request, response, next) => {
  if (!response.closed) next();
};

/**
 * At most so many requests at a time of all who call, shared out among keys and tenants; beyond its
 * share a key gets 503 with Retry-After, before its body is read.
 */
export const shareOut = (limit: number): ((request: unknown, response: Response, next: NextFunction) => void) => {
  const shares = createShares(limit);
  return (_request, response, next) => {
    const { tenant, keyId } = callOf(response);
    const release = shares.take(tenant?.tenantId ?? keyId, keyId);
    if (!release) return next(unavailable(1, 'Too many requests of this key at the same time'));
    // A client that left before its turn came closes no more.
    if (response.closed) release();
    else response.once('close', release);
    return next();
  };
};

/** The same, for whoever needs a share in the middle of a request. */
export const shareOnDemand = (limit: number): ((call: Call) => Promise<void>) => {
  const share = shareOut(limit);
  return ({ request, response }) =>
    new Promise((resolve, reject) => {
      void share(request, response, (refused?: unknown) => (refused ? reject(refused) : resolve()));
    });
};
