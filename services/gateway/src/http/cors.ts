import type { RequestHandler, Response } from 'express';
import type { Tenants } from '../store/tenants.ts';
import { callOf } from './call.ts';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const REQUEST_HEADERS = 'apikey, authorization, content-type, idempotency-key, x-device-id, x-request-id';
const REPLY_HEADERS =
  'assay-sandbox, idempotency-replayed, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, x-request-id';
const PREFLIGHT_SECONDS = '600';

const allow = (response: Response, origin: string, isPreflight: boolean): void => {
  response.set({ 'access-control-allow-origin': origin, 'access-control-expose-headers': REPLY_HEADERS });
  if (!isPreflight) return;
  response.set({
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': REQUEST_HEADERS,
    'access-control-max-age': PREFLIGHT_SECONDS,
  });
};

/**
 * Before it is known who calls: an origin that some tenant allows may read the reply, a refused key
 * included. A preflight carries no key and is answered by that alone. Credentials are never
 * allowed.
 */
export const allowKnownOrigins =
  (tenants: Tenants): RequestHandler =>
  (request, response, next) => {
    const { origin } = request.headers;
    response.vary('Origin');
    if (origin === undefined) return next();
    const look = async (): Promise<void> => {
      if (await tenants.isOriginAllowed(origin)) allow(response, origin, request.method === 'OPTIONS');
    };
    look().then(() => next(), next);
  };

/**
 * Once it is known who calls: only an origin of the caller's own tenant, and of its session, may
 * read the reply. One that the tenant allows no more is not read by sessions that were for it.
 */
export const refuseForeignOrigins: RequestHandler = (request, response, next) => {
  const { origin } = request.headers;
  const { tenant, session } = callOf(response);
  const lists = [tenant?.effective.allowedOrigins ?? [], ...(session?.allowedOrigins ? [session.allowedOrigins] : [])];
  if (origin !== undefined && !lists.every((allowed) => allowed.includes(origin))) {
    response.removeHeader('access-control-allow-origin');
    response.removeHeader('access-control-expose-headers');
  }
  next();
};
