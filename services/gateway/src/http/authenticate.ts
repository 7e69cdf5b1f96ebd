import { type KeyRole, present } from '@assay/contracts';
import { ApiError } from '@assay/http';
import { type Clock, type Log, newId } from '@assay/runtime';
import type { Request, RequestHandler } from 'express';
import { mayCall } from '../domain/roles.ts';
import { effectiveSettings } from '../domain/settings.ts';
import type { SignInPage } from '../domain/sign-in.ts';
import { type AuditLog, SUITE_CHAIN } from '../flows/audit.ts';
import type { Caller } from '../flows/caller.ts';
import type { SignInFlow } from '../flows/sign-in.ts';
import type { UserAgentSessionFlow } from '../flows/user-agent-sessions.ts';
import type { ApiKeys } from '../store/api-keys.ts';
import type { Tenant } from '../store/tenants.ts';
import { type Call, callOf, sourceOf } from './call.ts';
import { isOwnPage, readCookie } from './cookies.ts';

export interface AuthenticationDeps {
  apiKeys: ApiKeys;
  sessions: Pick<UserAgentSessionFlow, 'identify'>;
  signInFlow: Pick<SignInFlow, 'identify'>;
  /** The page whose sessions are good here beside keys. */
  page?: SignInPage | undefined;
  publicUrl?: string | undefined;
  now: Clock;
  log: Log;
}

type Identified = Pick<Caller, 'keyId' | 'role' | 'tenant' | 'session' | 'personId' | 'staffSession'>;
/** `ageMs`: for how long this was known. */
type Found = Identified & { ageMs?: number };

const UNAUTHENTICATED = 'send a valid API key in the header apikey, or the token of a session as Authorization: Bearer';
/** On every reply to a sandbox tenant. */
const SANDBOX_HEADER = 'assay-sandbox';
/** Sent by a page with what it asks on its own: such a request is no use of a session. */
const BY_ITSELF = 'assay-by-itself';
const LONGEST_KEY = 512;
const LONGEST_DEVICE = 512;

/**
 * The `apikey` header; Node folds its name to lower case, and two of them into one that no key
 * equals.
 */
const keyOf = (request: Request): string | undefined => {
  const value = request.headers.apikey;
  return typeof value === 'string' && value.length > 0 && value.length <= LONGEST_KEY ? value : undefined;
};

const tokenOf = ({ headers }: Request): string | undefined =>
  /^Bearer +([\x21-\x7e]{1,512})$/i.exec(headers.authorization ?? '')?.[1];

/** What tells devices apart: an id of the page's own where it sends one, else the browser. */
const deviceOf = ({ headers }: Request): string => {
  const id = headers['x-device-id'];
  const named = typeof id === 'string' && id !== '' ? `id ${id}` : `browser ${headers['user-agent'] ?? ''}`;
  return named.slice(0, LONGEST_DEVICE);
};

const ofTenant = (tenant: Tenant | undefined): Pick<Caller, 'tenant'> =>
  tenant ? { tenant: { ...tenant, effective: effectiveSettings(tenant.settings) } } : {};

const byKey = async ({ apiKeys, log }: AuthenticationDeps, text: string): Promise<Found | undefined> => {
  const known = await apiKeys.find(text);
  if (!known) return undefined;
  const { key, tenant, askedAt } = known;
  const { keyId, role, personId } = key;
  // The request does not wait for it, nor fail with it.
  apiKeys.recordUse(key).catch((error: unknown) => log.warn({ msg: 'key.use-not-recorded', keyId, error }));
  return { keyId, role, ...present({ personId }), ...ofTenant(tenant), ageMs: performance.now() - askedAt };
};

/** A session's token may do what a user agent may, for its identity. */
const byToken = async (
  { sessions }: AuthenticationDeps,
  token: string,
  device: string,
): Promise<Identified | undefined> => {
  const known = await sessions.identify(token, device);
  if (!known) return undefined;
  const { _id, identityId, allowedOrigins } = known.session;
  const { tokenHash } = known;
  const session = { sessionId: _id, tokenHash, identityId, ...present({ allowedOrigins, follows: known.follows }) };
  return { keyId: _id, role: 'USER_AGENT', tenant: known.tenant, session };
};

/** A person's browser, where no key and no token was sent. It may act from our own pages alone. */
const bySession = async (
  { signInFlow, page, publicUrl }: AuthenticationDeps,
  request: Request,
): Promise<Identified | undefined> => {
  const token = page && readCookie(request, page, publicUrl);
  if (!page || token === undefined) return undefined;
  if (!isOwnPage(request, publicUrl)) throw new ApiError('FOREIGN_ORIGIN');
  const known = await signInFlow.identify(page, token, request.headers[BY_ITSELF] !== undefined);
  if (!known) return undefined;
  const { _id: keyId, role, personId } = known.session;
  return { keyId, role, personId, staffSession: known.session, ...ofTenant(known.tenant) };
};

const identify = async (deps: AuthenticationDeps, request: Request): Promise<Found | undefined> => {
  const key = keyOf(request);
  if (key !== undefined) return byKey(deps, key);
  const token = tokenOf(request);
  return token === undefined ? bySession(deps, request) : byToken(deps, token, deviceOf(request));
};

/**
 * Throws where the caller would be let in no more, or for less. Who followed and has the session
 * again may do more.
 */
const admitAgain = async (deps: AuthenticationDeps, request: Request, before: Identified): Promise<void> => {
  const identified = await identify(deps, request);
  const mayOnlyFollow = identified?.session?.follows && !before.session?.follows;
  if (identified?.keyId !== before.keyId || mayOnlyFollow)
    throw new ApiError('UNAUTHENTICATED', { message: UNAUTHENTICATED });
};

/**
 * Finds out who calls: no key, a wrong one, or one whose tenant is unknown gets the same 401; so
 * does a token.
 */
export const authenticate =
  (deps: AuthenticationDeps): RequestHandler =>
  (request, response, next) => {
    const begin = async (): Promise<void> => {
      const startedAt = deps.now();
      const found = await identify(deps, request);
      if (!found) throw new ApiError('UNAUTHENTICATED', { message: UNAUTHENTICATED });
      const { ageMs = 0, ...identified } = found;
      if (identified.tenant?.effective.sandbox) response.set(SANDBOX_HEADER, 'true');
      response.locals.call = {
        ...identified,
        request,
        response,
        requestId: response.locals.requestId,
        startedAt,
        uri: request.originalUrl.split('?')[0] ?? '',
        ...sourceOf(request),
        atEnd: {
          checks: [() => admitAgain(deps, request, identified)],
          madeAt: new Date(startedAt.getTime() - ageMs),
          hasFailed: false,
        },
        isCutOff: () => !request.complete,
        seedId: newId(),
        body: undefined,
      };
    };
    begin().then(() => next(), next);
  };

const HANDED_OVER = 'the session was handed over to another device';

/**
 * A session's token opens no other identity, and that of a device which handed over nothing but
 * what it may follow; decided before an earlier reply could be repeated.
 */
export const withinSession =
  (forFollowers = false): RequestHandler =>
  ({ params }, response, next) => {
    const { session } = callOf(response);
    if (session?.follows && !forFollowers) return next(new ApiError('SESSION_ELSEWHERE', { message: HANDED_OVER }));
    const isForeign = session && params.identityId !== undefined && params.identityId !== session.identityId;
    next(isForeign ? new ApiError('NOT_FOUND') : undefined);
  };

/** A tenant's administrator finds no other tenant than its own. */
export const withinTenant: RequestHandler = ({ params }, response, next) => {
  const { role, tenant } = callOf(response);
  const isForeign =
    role === 'TENANT_ADMINISTRATOR' && params.tenantId !== undefined && params.tenantId !== tenant?.tenantId;
  next(isForeign ? new ApiError('NOT_FOUND') : undefined);
};

/**
 * Refuses a key of another role before anything is looked up, so that the answer tells nothing
 * about ids.
 */
export const requireRole =
  (roles: readonly KeyRole[], routeId: string, onWrongRole: (call: Call, routeId: string) => void): RequestHandler =>
  (_request, response, next) => {
    const call = callOf(response);
    if (mayCall(roles, call.role)) return next();
    onWrongRole(call, routeId);
    return next(new ApiError('WRONG_ROLE', { message: `needs a key of the role ${roles.join(' or ')}` }));
  };

export type WrongRole = Parameters<typeof requireRole>[2];

/** A wrong role is a line of the audit log. */
export const auditWrongRole =
  (auditLog: AuditLog, log: Log): WrongRole =>
  (call, routeId) => {
    const chain = call.tenant?.tenantId ?? SUITE_CHAIN;
    const failed = (error: unknown): void => log.error({ msg: 'audit.failed', requestId: call.requestId, error });
    auditLog.record(chain, call, 'role.refused', {}, { route: routeId }).catch(failed);
  };
