import { ApiError, jsonBody, methodNotAllowed, parseBody, reply } from '@assay/http';
import express, { type RequestHandler, Router } from 'express';
import type { AuditAct } from '../domain/audit.ts';
import { type AuditLog, SUITE_CHAIN } from '../flows/audit.ts';
import { type AuthenticationParts, authenticate, requireRole, type WrongRole } from './authenticate.ts';
import { type Call, callOf, param } from './call.ts';
import { creationBody } from './creation-body.ts';
import type { RunOnce } from './idempotency.ts';
import { perKeyRate } from './limits.ts';
import type { RequestBody, Route } from './route.ts';

export interface MountParts extends AuthenticationParts {
  /** Runs a POST once for each Idempotency-Key. */
  once: RunOnce;
  uploads: RequestHandler;
  onWrongRole: WrongRole;
  auditLog: AuditLog;
}

/** A form's bytes are passed on as they arrive, so only its content type is looked at. */
const formBody: RequestHandler = (request, _response, next) => {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\b/i.test(type))
    return next(new ApiError('UNSUPPORTED_MEDIA_TYPE', { message: 'multipart/form-data is needed' }));
  return next(
    /;\s*boundary=/i.test(type)
      ? undefined
      : new ApiError('BAD_FIELD', { message: 'the content type names no boundary' }),
  );
};

const checked =
  (body: RequestBody & { kind: 'json' }): RequestHandler =>
  (request, response, next) => {
    callOf(response).body = parseBody(body.schema, request.body, body);
    next();
  };

const bodyHandlers = (body: RequestBody | undefined, uploads: RequestHandler): RequestHandler[] => {
  switch (body?.kind) {
    case 'json':
      return [...jsonBody(body.limit === undefined ? {} : { limit: body.limit }), checked(body)];
    case 'form':
      return [formBody, uploads];
    case 'creation':
      return creationBody();
    default:
      return [];
  }
};

/** The chain an act belongs to: that of the tenant it is done to, else of the one who does it. */
const chainOf = (call: Call): string => param(call, 'tenantId') || (call.tenant?.tenantId ?? SUITE_CHAIN);

const subjectOf = ({ request, seedId }: Call, act: AuditAct): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(request.params).map(([name, value]) => [name, String(value).slice(0, 64)])),
  ...(act.endsWith('.create') ? { made: seedId } : {}),
});

/** The route, with its act recorded before it is done. */
const recorded = (route: Route, auditLog: AuditLog): Route => {
  const { audit, handle } = route;
  if (!audit) return route;
  return {
    ...route,
    handle: (call) => auditLog.around(chainOf(call), call, audit, subjectOf(call, audit), () => handle(call)),
  };
};

const expressPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

// express answers HEAD with the GET route; where reading has an effect, HEAD must not have it.
const notHead: RequestHandler = (request, _response, next) =>
  next(request.method === 'HEAD' ? new ApiError('METHOD_NOT_ALLOWED', { headers: { Allow: 'GET' } }) : undefined);

/** Registers the routes under one base path: authentication, role, rate, body, idempotency, handler, and 405 for the methods a path has not. */
export const mountRoutes = (routes: readonly Route[], parts: MountParts): Router => {
  const router = Router({ mergeParams: true, caseSensitive: true });
  router.use(authenticate(parts), perKeyRate());
  for (const path of new Set(routes.map((route) => route.path))) {
    const ofPath = routes.filter((route) => route.path === path);
    const at = router.route(expressPath(path));
    for (const route of ofPath)
      at[route.method](
        requireRole(route.roles, route.id, parts.onWrongRole),
        ...(route.method === 'get' ? [notHead] : []),
        ...bodyHandlers(route.body, parts.uploads),
        reply((_request, response) =>
          route.method === 'post'
            ? parts.once(recorded(route, parts.auditLog), callOf(response))
            : recorded(route, parts.auditLog).handle(callOf(response)),
        ),
      );
    at.all(methodNotAllowed(...ofPath.map((route) => route.method.toUpperCase())));
  }
  return router;
};

/** Files of a folder, for the docs page and the console. */
export const files = (folder: string): RequestHandler => express.static(folder, { index: 'index.html', maxAge: 0 });
