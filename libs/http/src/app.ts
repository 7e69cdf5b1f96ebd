import './locals.ts';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Closable, histogram, type Log, newId } from '@assay/runtime';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { bodyErrors } from './body.ts';
import { ApiError, problemOf } from './errors.ts';

export interface AppOptions {
  service: string;
  log: Log;
  /** Sets the routes up; called once, before the error handler is added. */
  routes: (app: Express) => void;
  /** Which proxies' X-Forwarded-For is believed (express' `trust proxy`). */
  trustProxy?: string[];
}

const duration = histogram('assay_http_request_seconds', 'Requests by route and status', ['method', 'route', 'status']);

const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/;

/** Gives each request an id (the client's `x-request-id` when it is a plain one), one log line and one measurement. */
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
      // The route's pattern, never the path: a path can carry anything a client puts there.
      const route =
        `${request.baseUrl.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id')}${String(request.route?.path ?? '')}` || 'none';
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

const known = (error: unknown): ApiError | undefined => {
  if (error instanceof ApiError) return error;
  // express' own: a path that does not decode.
  if (error instanceof URIError) return new ApiError('NOT_FOUND');
  return undefined;
};

const DEPENDENCY = /Mongo.*(Network|ServerSelection)|MongooseServerSelection|NotPublished/;

const sendErrors =
  (log: Log): ErrorRequestHandler =>
  (error: unknown, request, response, _next) => {
    // A body that was begun and not read to its end would hold the connection: whoever still writes it would never come to listen.
    request.unpipe();
    request.resume();
    const down = error instanceof Error && DEPENDENCY.test(error.name);
    const refusal =
      known(error) ?? new ApiError(down ? 'UNAVAILABLE' : 'INTERNAL', down ? { headers: { 'Retry-After': '1' } } : {});
    if (!known(error)) log.error({ msg: 'request.failed', requestId: response.locals.requestId, error });
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response
      .status(refusal.status)
      .set({ ...refusal.headers, 'content-type': 'application/problem+json', 'cache-control': 'no-store' })
      .end(JSON.stringify(problemOf(refusal, response.locals.requestId)));
  };

/** An express application with what all six share: request ids, security headers, no caching, problem+json for every error. */
export const createApp = ({ log, routes, trustProxy }: AppOptions): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  if (trustProxy?.length) app.set('trust proxy', trustProxy);
  app.use(observed(log), helmet(), (_request, response, next) => {
    response.set('cache-control', 'no-store');
    next();
  });
  routes(app);
  app.use((_request, _response, next) => next(new ApiError('NOT_FOUND')));
  app.use(bodyErrors, sendErrors(log));
  return app;
};

/** Adds a 405 with `Allow` for the methods a path does not serve; put it after the path's routes. */
export const methodNotAllowed =
  (...allowed: string[]): RequestHandler =>
  (_request, _response, next) =>
    next(new ApiError('METHOD_NOT_ALLOWED', { headers: { Allow: allowed.join(', ') } }));

export interface Listening extends Closable {
  port: number;
  server: Server;
}

export interface ListenOptions {
  port: number;
  host?: string;
  /** Longest time a whole request may take to arrive, in milliseconds. */
  requestTimeoutMs?: number;
}

/** Serves an application. Closing stops taking connections and waits for the requests in flight. */
export const listen = (
  app: Express,
  { port, host = '127.0.0.1', requestTimeoutMs = 60_000 }: ListenOptions,
): Promise<Listening> =>
  new Promise((resolve, reject) => {
    const server = createServer(
      {
        requestTimeout: requestTimeoutMs,
        headersTimeout: 10_000,
        keepAliveTimeout: 65_000,
        connectionsCheckingInterval: 2000,
      },
      app,
    );
    server.once('error', reject);
    server.listen(port, host, () =>
      resolve({
        port: (server.address() as AddressInfo).port,
        server,
        close: () =>
          new Promise<void>((done) => {
            server.close(() => done());
            server.closeIdleConnections();
          }),
      }),
    );
  });
