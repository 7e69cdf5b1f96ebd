import type { KeyRole } from '@assay/contracts';
import { ApiError } from '@assay/http';
import { type Clock, type Log, newId } from '@assay/runtime';
import type { Request, RequestHandler } from 'express';
import { mayCall } from '../domain/roles.ts';
import { effectiveSettings } from '../domain/settings.ts';
import { type AuditLog, SUITE_CHAIN } from '../flows/audit.ts';
import type { ApiKeys } from '../store/api-keys.ts';
import { callOf } from './call.ts';

export interface AuthenticationParts {
  apiKeys: ApiKeys;
  clock: Clock;
}

const LONGEST_KEY = 512;

/** The `apikey` header; Node folds its name to lower case, and two of them into one that no key equals. */
const keyOf = (request: Request): string | undefined => {
  const value = request.headers.apikey;
  return typeof value === 'string' && value.length > 0 && value.length <= LONGEST_KEY ? value : undefined;
};

/** Finds out who calls: no key, a wrong one, or one whose tenant is gone gets the same 401. */
export const authenticate =
  ({ apiKeys, clock }: AuthenticationParts): RequestHandler =>
  (request, response, next) => {
    const identify = async (): Promise<void> => {
      const startedAt = clock();
      const text = keyOf(request);
      const known = text === undefined ? undefined : await apiKeys.find(text);
      if (!known) throw new ApiError('UNAUTHENTICATED');
      const { key, tenant } = known;
      response.locals.call = {
        request,
        response,
        requestId: response.locals.requestId,
        startedAt,
        key,
        ...(tenant ? { tenant: { ...tenant, effective: effectiveSettings(tenant.settings) } } : {}),
        seedId: newId(),
        body: undefined,
      };
    };
    identify().then(() => next(), next);
  };

/** Refuses a key of another role before anything is looked up, so that the answer tells nothing about ids. */
export const requireRole =
  (
    roles: readonly KeyRole[],
    routeId: string,
    onWrongRole: (call: ReturnType<typeof callOf>, routeId: string) => void,
  ): RequestHandler =>
  (_request, response, next) => {
    const call = callOf(response);
    if (mayCall(roles, call.key.role)) return next();
    onWrongRole(call, routeId);
    return next(new ApiError('WRONG_ROLE'));
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
