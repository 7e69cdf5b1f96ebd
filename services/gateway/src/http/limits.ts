import { ApiError, createShares, unavailable } from '@assay/http';
import type { RequestHandler } from 'express';
import { rateLimit } from 'express-rate-limit';
import { callOf } from './call.ts';

const ADMINISTRATION_PER_MINUTE = 6000;

/**
 * So many requests a minute for each key (settings.limits.requestsPerMinute), told in the RateLimit
 * headers; beyond it 429 with Retry-After. Make one for all routes: each counts for itself.
 */
export const perKeyRate = (): RequestHandler =>
  rateLimit({
    windowMs: 60_000,
    limit: (_request, response) =>
      callOf(response).tenant?.effective.limits.requestsPerMinute ?? ADMINISTRATION_PER_MINUTE,
    keyGenerator: (_request, response) => callOf(response).keyId,
    standardHeaders: 'draft-6',
    legacyHeaders: false,
    handler: (_request, response, next) => {
      const seconds = String(response.getHeader('RateLimit-Reset') ?? '60');
      next(new ApiError('TOO_MANY_REQUESTS', { headers: { 'Retry-After': seconds } }));
    },
  });

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

/**
 * At most so many requests at a time of all who call, shared out among keys and tenants; beyond its
 * share a key gets 503 with Retry-After, before its body is read.
 */
export const shareOut = (limit: number): RequestHandler => {
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
