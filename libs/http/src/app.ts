import './locals.ts';
import { finished } from 'node:stream';
import { boundedLabel, histogram, isDependencyDown, isUnexplained, type Log, newId } from '@assay/runtime';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import helmet from 'helmet';
import { bodyErrors } from './body.ts';
import { ApiError, problemOf } from './errors.ts';
import { fileErrors } from './file-errors.ts';

export interface AppOptions {
  service: string;
  log: Log;
  /** Sets the routes up; called once, before the error handler is added. */
  routes: (app: Express) => void;
  /** The proxies whose X-Forwarded-For is trusted (express' `trust proxy`). */
  trustProxy?: string[];
}

const duration = histogram('assay_http_request_seconds', 'Requests by route and status', ['method', 'route', 'status']);

const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/;

const labelOf = boundedLabel(1000);

/**
 * The route's pattern, never the path: a path can carry anything a client puts there. A mount point
 * matches in any mixture of cases, and each would be a label of its own. More labels than a service
 * has routes are none of ours.
 */
const routeOf = ({ baseUrl, route }: Request): string => {
  const mount = baseUrl.toLowerCase().replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id');
  return labelOf(`${mount}${String(route?.path ?? '')}` || 'none');
};

/**
 * Gives each request an id (the client's `x-request-id` when it is a plain one), one log line and
 * one measurement.
 */
const observed =
  (log: Log): RequestHandler =>
  (request, response, next) => {
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : newId();
    response.locals.requestId = requestId;
    response.set('x-request-id', requestId);
    // A streamed reply is watched by a dozen, each once; Node warns of a leak from eleven on.
    response.setMaxListeners(32);
    const startedAt = performance.now();
    response.once('close', () => {
      const route = routeOf(request);
      const status = response.writableFinished ? response.statusCode : 499;
      const seconds = (performance.now() - startedAt) / 1000;
      duration.observe({ method: request.method, route, status: String(status) }, seconds);
      log.info({
        msg: 'request.handled',
        requestId,
        method: request.method,
        route,
        status,
        durationMs: Math.round(seconds * 1000),
      });
    });
    next();
  };

/** An address with the port that a connection came from, as some proxies name it. */
const WITH_PORT = /^(?:([\d.]+):\d+|\[([\da-f:.]+)\](?::\d+)?)$/i;

/**
 * Takes the ports out of X-Forwarded-For: with one, each connection of a client would be a client
 * of its own, and a proxy would be none of those that are trusted.
 */
const withoutPorts: RequestHandler = ({ headers }, _response, next) => {
  const given = headers['x-forwarded-for'];
  if (typeof given === 'string')
    headers['x-forwarded-for'] = given
      .split(',')
      .map((each) => each.trim().replace(WITH_PORT, '$1$2'))
      .join(', ');
  next();
};

/**
 * A host name or an address, possibly with a port; no characters that change the meaning of a link.
 */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
const LONGEST_HOST = 261;
const isHost = (text: string): boolean =>
  text.length <= LONGEST_HOST && HOST.test(text) && URL.canParse(`http://${text}`);

/**
 * Refuses a request that names two hosts, because a proxy in front may have used the other one.
 * HTTP before 1.1 names none. Links are made of the host, so it must be a valid one.
 */
const oneHost: RequestHandler = ({ rawHeaders, httpVersion, headers: { host } }, _response, next) => {
  const hosts = rawHeaders.filter((name, nth) => nth % 2 === 0 && name.toLowerCase() === 'host').length;
  const isOne = hosts === 1 || (hosts === 0 && httpVersion !== '1.1');
  const wrong = isOne
    ? host !== undefined && !isHost(host) && 'must be a host, with a port or without'
    : 'must be given once';
  next(wrong ? new ApiError('BAD_FIELD', { field: 'Host', message: wrong }) : undefined);
};

/** `OPTIONS *` asks of a whole server whether it answers, as some proxies do (RFC 9110, 9.3.7). */
const answering: RequestHandler = ({ method, url }, response, next) => {
  if (method !== 'OPTIONS' || url !== '*') return next();
  response.status(204).end();
};

const known = (error: unknown): ApiError | undefined => {
  if (error instanceof ApiError) return error;
  // express' own: a path that does not decode.
  if (error instanceof URIError) return new ApiError('NOT_FOUND');
  return undefined;
};

/** The document changed under every attempt (@assay/mongo): the request may be tried again. */
const isContended = (error: unknown): boolean => error instanceof Error && error.name === 'TooManyConflicts';

const DRAIN_BYTES = 16 * 1024 * 1024;
const DRAIN_MS = 2000;

/**
 * Discards the rest of a refused body: a client that writes all of it before it reads would never
 * see the reply. Within limits only; beyond them the connection is cut.
 */
const drainWithin = (request: Request): void => {
  request.unpipe();
  if (request.readableEnded || request.destroyed) return;
  let bytes = 0;
  const cut = (): void => void request.socket.destroy();
  const timer = setTimeout(cut, DRAIN_MS).unref();
  const done = (): void => clearTimeout(timer);
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > DRAIN_BYTES) cut();
  });
  request.once('end', done).once('close', done).resume();
};

/**
 * Ends a reply. A connection that ends with it is closed once the request is read: closed under
 * bytes on their way it is reset, and a client that still writes would not see the reply.
 */
const endWith = (request: Request, response: Response, body: string): void => {
  if (response.shouldKeepAlive) return void response.end(body);
  response.set('content-length', String(Buffer.byteLength(body))).write(body);
  finished(request, () => response.end());
};

/**
 * Every 401 says how to be let in (RFC 9110, 11.6.1): a client may take one that does not for a
 * broken reply. An API key has no scheme that could be named.
 */
const challengeOf = ({ status }: ApiError): Record<string, string> =>
  status === 401 ? { 'www-authenticate': 'Bearer realm="assay"' } : {};

const sendErrors =
  (log: Log): ErrorRequestHandler =>
  (error: unknown, request, response, _next) => {
    drainWithin(request);
    const down = isDependencyDown(error) || isUnexplained(error) || isContended(error);
    const refusal =
      known(error) ?? new ApiError(down ? 'UNAVAILABLE' : 'INTERNAL', down ? { headers: { 'Retry-After': '1' } } : {});
    if (!known(error)) log.error({ msg: 'request.failed', requestId: response.locals.requestId, error });
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response.status(refusal.status).set({
      ...challengeOf(refusal),
      ...refusal.headers,
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
    });
    endWith(request, response, JSON.stringify(problemOf(refusal, response.locals.requestId)));
  };

/**
 * helmet's headers. What tells a browser to come by TLS is sent where it came by TLS: over plain
 * HTTP it would ask for scripts that nobody serves there, and the page stayed blank.
 */
export const securityHeaders = (directives: Record<string, string[]> = {}): RequestHandler => {
  const byTls = helmet({ contentSecurityPolicy: { directives } });
  const plain = helmet({
    strictTransportSecurity: false,
    contentSecurityPolicy: { directives: { ...directives, upgradeInsecureRequests: null } },
  });
  return (request, response, next) => (request.secure ? byTls : plain)(request, response, next);
};

/**
 * An express application with everything the six services share: request ids, security headers, no
 * caching, problem+json for every error.
 */
export const createApp = ({ log, routes, trustProxy }: AppOptions): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  if (trustProxy?.length) app.set('trust proxy', trustProxy).use(withoutPorts);
  app.use(observed(log), securityHeaders(), (_request, response, next) => {
    response.set('cache-control', 'no-store');
    next();
  });
  app.use(oneHost, answering);
  routes(app);
  app.use((_request, _response, next) => next(new ApiError('NOT_FOUND')));
  app.use(bodyErrors, fileErrors, sendErrors(log));
  return app;
};

/**
 * Answers OPTIONS with 204, and the methods a path does not serve with 405, both with `Allow`; put
 * it after the path's routes.
 */
export const methodNotAllowed = (...allowed: string[]): RequestHandler => {
  const headers = { Allow: allowed.join(', ') };
  return (request, response, next) => {
    if (request.method !== 'OPTIONS') return next(new ApiError('METHOD_NOT_ALLOWED', { headers }));
    response.status(204).set(headers).end();
  };
};
