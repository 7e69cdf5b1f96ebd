import { todayAt, violationsOf } from '@assay/contracts';
import { ApiError, badFields, claimsOf, ok, type Reply } from '@assay/http';
import { faultsOfPolicy, type Policies, type Policy, parsePolicy } from '@assay/policy';
import { type Clock, newId } from '@assay/runtime';
import type { Request } from 'express';
import { policyOf } from '../domain/case.ts';
import { explain } from '../domain/explain.ts';
import { differencesOf, type ExportedCase, evaluateExported, exportCase, summaryOf } from '../domain/export-case.ts';
import { ExportedCaseSchema } from '../domain/exported-shape.ts';
import { type CaseChanger, reevaluateUnder } from '../flows/change-case.ts';
import type { CaseStore } from '../store/cases.ts';

export interface Deps {
  cases: CaseStore;
  changer: CaseChanger;
  policies: Policies;
  now: Clock;
}

const exported = async ({ cases, policies }: Deps, request: Request): Promise<ExportedCase> => {
  const { tenantId } = claimsOf(request);
  const caseDocument = await cases.find(String(request.params.identityId));
  if (!caseDocument || caseDocument.tenantId !== tenantId) throw new ApiError('NOT_FOUND');
  if (caseDocument.closed) throw new ApiError('CLOSED');
  const { name, version } = policyOf(caseDocument);
  const policy = policies.named(name, version) ?? policies.named('default')!;
  return exportCase(caseDocument, { name: policy.name, version: policy.version });
};

const ownPolicy = ({ policies }: Deps, { policy }: ExportedCase): Policy =>
  policies.named(policy.name, policy.version) ?? policies.named('default')!;

/**
 * GET /internal/v1/cases/:identityId: the case without anything personal, its evaluation under its
 * own policy, and the explanation in words. 404 where there is none, 410 where it is closed.
 */
export const createCaseRoute =
  (deps: Deps) =>
  async (request: Request): Promise<Reply> => {
    const found = await exported(deps, request);
    const policy = ownPolicy(deps, found);
    const evaluation = evaluateExported(found, policy, todayAt(deps.now()));
    return ok({ case: found, evaluation: summaryOf(evaluation, policy), explanation: explain(evaluation) });
  };

const namedPolicy = ({ policies }: Deps, name: string): Policy => {
  const named = policies.named(name);
  if (named) return named;
  const known = policies.list().map((policy) => policy.name);
  throw badFields([{ field: 'policy', message: `there is no such policy; there are ${known.join(', ')}` }]);
};

/** `policy` is a name, or a whole policy file. */
const asked = (deps: Deps, body: unknown): Policy => {
  const { policy } = (body ?? {}) as { policy?: unknown };
  if (typeof policy === 'string') return namedPolicy(deps, policy);
  const faults = faultsOfPolicy(policy);
  if (faults.length > 0) throw badFields(faults.map((message) => ({ field: 'policy', message })));
  return parsePolicy(policy);
};

const compared = (deps: Deps, found: ExportedCase, policy: Policy): Reply => {
  const today = todayAt(deps.now());
  const own = ownPolicy(deps, found);
  const before = summaryOf(evaluateExported(found, own, today), own);
  const evaluation = evaluateExported(found, policy, today);
  const after = summaryOf(evaluation, policy);
  return ok({ before, after, changes: differencesOf(before, after), explanation: explain(evaluation) });
};

/**
 * POST /internal/v1/cases/:identityId/evaluate {policy}: what would change under another policy.
 * Nothing is stored.
 */
export const createEvaluateRoute =
  (deps: Deps) =>
  async (request: Request): Promise<Reply> => {
    const policy = asked(deps, request.body);
    return compared(deps, await exported(deps, request), policy);
  };

/**
 * POST /internal/v1/cases/:identityId/re-evaluation {policy}: the identity is evaluated under the
 * current version of this policy from now on. What changes is published like the outcome of any
 * evaluation; what is INVALID stays so.
 */
export const createReEvaluateRoute =
  (deps: Deps) =>
  async (request: Request): Promise<Reply> => {
    const { tenantId, identityId } = claimsOf(request);
    const { policy } = (request.body ?? {}) as { policy?: unknown };
    const { name, version } = namedPolicy(deps, String(policy));
    await deps.changer.change({ id: newId(), tenantId, identityId }, reevaluateUnder({ name, version }));
    return ok({ policy: { name, version } });
  };

/** The exported case in a body: of what it lacks, the place in the body is reported. */
const givenCase = (body: unknown): ExportedCase => {
  const { case: given } = (body ?? {}) as { case?: unknown };
  const faults = violationsOf(ExportedCaseSchema, given);
  if (faults.length === 0) return given as ExportedCase;
  throw badFields(faults.map(({ field, message }) => ({ field: field ? `case.${field}` : 'case', message })));
};

/** POST /internal/v1/evaluations {case, policy}: the same for a case that was exported. */
export const createEvaluateExportedRoute =
  (deps: Deps) =>
  async (request: Request): Promise<Reply> => {
    const policy = asked(deps, request.body);
    return compared(deps, givenCase(request.body), policy);
  };
