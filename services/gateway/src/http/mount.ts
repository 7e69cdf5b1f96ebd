import { formTypeOf, jsonBody, methodNotAllowed, parseBody, reply } from '@assay/http';
import { type RequestHandler, Router } from 'express';
import type { Tenants } from '../store/tenants.ts';
import { stillAdmitted, uploadWhileAdmitted, whileAdmitted } from './admission.ts';
import {
  type AuthenticationDeps,
  authenticate,
  requireRole,
  type WrongRole,
  withinSession,
  withinTenant,
} from './authenticate.ts';
import { type Call, callOf } from './call.ts';
import { allowKnownOrigins, refuseForeignOrigins } from './cors.ts';
import { creationBody } from './creation-body.ts';
import type { RunOnce } from './idempotency.ts';
import { type RecordingDeps, recorded } from './recorded.ts';
import type { RequestBody, Route } from './route.ts';

export interface MountDeps extends AuthenticationDeps, RecordingDeps {
  /** Runs a POST once for each Idempotency-Key. */
  once: RunOnce;
  /** Waits for a slot in which the bytes of an upload may be read. */
  slot: (call: Call) => Promise<void>;
  /** What a caller may do over all routes and prefixes: made once. */
  perCaller: readonly RequestHandler[];
  onWrongRole: WrongRole;
  tenants: Tenants;
}

/** A form's bytes are passed on as they arrive, so only its headers are looked at. */
const formBody: RequestHandler = (request, _response, next) => {
  formTypeOf(request);
  next();
};

const checked =
  (body: RequestBody & { kind: 'json' }): RequestHandler =>
  (request, response, next) => {
    callOf(response).body = parseBody(body.schema, request.body, body);
    next();
  };

const bodyHandlers = (body: RequestBody | undefined): RequestHandler[] => {
  switch (body?.kind) {
    case 'json':
      return [jsonBody(body), checked(body)];
    case 'form':
      return [formBody];
    case 'creation':
      return creationBody();
    default:
      return [];
  }
};

/** A longer body takes a slot, as an upload does: all of it is in memory, several times over. */
const LARGE_BODY = 64 * 1024;

const slotForLarge = (body: RequestBody | undefined, slot: MountDeps['slot']): RequestHandler[] => {
  if (body?.kind !== 'json' || (body.limit ?? 0) <= LARGE_BODY) return [];
  return [(_request, response, next) => void slot(callOf(response)).then(() => next(), next)];
};

const expressPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

const onlyReads = ({ method, hasEffect, audit }: Route): boolean => method === 'get' && !hasEffect && !audit;

/**
 * express answers HEAD with the GET route; where reading has an effect, or is recorded, HEAD must
 * not have it.
 */
const methodsOf = (route: Route): string[] => (onlyReads(route) ? ['GET', 'HEAD'] : [route.method.toUpperCase()]);

/**
 * An upload takes a slot once its bytes are to be read: the repeat of one that still runs is
 * answered without.
 */
const withSlot = (route: Route, { slot, now }: Pick<MountDeps, 'slot' | 'now'>): Route => {
  const { body, handle } = route;
  if (body?.kind !== 'form') return route;
  return {
    ...route,
    handle: (call) => slot(call).then(() => handle({ ...call, upload: uploadWhileAdmitted(call, now) })),
  };
};

const handlersOf = (route: Route, deps: MountDeps): RequestHandler[] => {
  const slotted = withSlot(route, deps);
  const acting = recorded(onlyReads(route) ? slotted : whileAdmitted(slotted, deps.now), deps);
  return [
    requireRole(route.roles, route.id, deps.onWrongRole),
    withinSession(route.forFollowers),
    withinTenant,
    ...slotForLarge(route.body, deps.slot),
    ...bodyHandlers(route.body),
    stillAdmitted(deps.now),
    reply((_request, response) =>
      route.method === 'post' ? deps.once(acting, callOf(response)) : acting.handle(callOf(response)),
    ),
  ];
};

/**
 * Registers the routes under one base path: authentication, role, rate, body, idempotency, handler,
 * and 405 for the methods a path has not.
 */
export const mountRoutes = (routes: readonly Route[], deps: MountDeps): Router => {
  const router = Router({ mergeParams: true, caseSensitive: true });
  const paths = [...new Set(routes.map(({ path }) => path))].map((path) => {
    const ofPath = routes.filter((route) => route.path === path);
    return { path: expressPath(path), ofPath, others: methodNotAllowed(...ofPath.flatMap(methodsOf)) };
  });
  router.use(allowKnownOrigins(deps.tenants));
  // Asking what may be done takes no key.
  for (const { path, others } of paths) router.options(path, others);
  router.use(authenticate(deps), refuseForeignOrigins, ...deps.perCaller);
  for (const { path, ofPath, others } of paths) {
    const at = router.route(path);
    for (const route of ofPath) {
      if (route.method === 'get' && !methodsOf(route).includes('HEAD')) at.head(others);
      at[route.method](...handlersOf(route, deps));
    }
    at.all(others);
  }
  return router;
};
