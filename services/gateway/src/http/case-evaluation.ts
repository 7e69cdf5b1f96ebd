import { Exact, type KeyRole } from '@assay/contracts';
import { ApiError, type CallClaims, ok } from '@assay/http';
import type { Clock } from '@assay/runtime';
import { Type } from 'typebox';
import type { VerificationWorker } from '../clients/verification-worker.ts';
import type { Identity } from '../domain/identity.ts';
import { ROLES } from '../domain/roles.ts';
import { effectiveSettings } from '../domain/settings.ts';
import { isForgotten, whyNotReadable } from '../domain/transaction.ts';
import type { AuditLog } from '../flows/audit.ts';
import type { Identities } from '../store/identities.ts';
import type { Tenants } from '../store/tenants.ts';
import { type CallOf, param } from './call.ts';
import { type Route, route } from './route.ts';

const PolicyChoice = Type.Union([Type.String({ maxLength: 64 }), Type.Record(Type.String(), Type.Unknown())], {
  description: 'The name of a policy, or a whole policy file',
});
const EvaluateSchema = Exact({ policy: PolicyChoice });
const ReEvaluateSchema = Exact({
  policy: Type.Optional(
    Type.String({ maxLength: 64, description: "The name of a policy; the tenant's present one when left out" }),
  ),
});
const ReEvaluatedSchema = Type.Object({
  policy: Type.Object({ name: Type.String(), version: Type.String() }),
});
const EvaluateExportedSchema = Exact({ case: Type.Record(Type.String(), Type.Unknown()), policy: PolicyChoice });
const ExplanationSchema = Type.Object({
  case: Type.Unknown({ description: 'The case, without anything personal' }),
  evaluation: Type.Unknown(),
  explanation: Type.Unknown({ description: 'In words' }),
});
const ComparisonSchema = Type.Object({
  before: Type.Unknown(),
  after: Type.Unknown(),
  changes: Type.Unknown(),
  explanation: Type.Unknown(),
});
const LARGEST_POLICY = 1024 * 1024;
const LARGEST_CASE = 2 * 1024 * 1024;

export interface CaseEvaluationDeps {
  worker: VerificationWorker;
  identities: Identities;
  tenants: Tenants;
  auditLog: AuditLog;
  now: Clock;
}

const identityOf = async (
  { identities, now }: Pick<CaseEvaluationDeps, 'identities' | 'now'>,
  call: CallOf<'identityId'>,
): Promise<Identity> => {
  const identity = await identities.read(param(call, 'identityId'));
  const foreign = call.tenant !== undefined && call.tenant.tenantId !== identity?.tenantId;
  if (!identity || foreign || isForgotten(identity, now())) throw new ApiError('NOT_FOUND');
  return identity;
};
const claimsFor = ({ requestId }: CallOf<never>, { _id, tenantId }: Identity): CallClaims => ({
  tenantId,
  identityId: _id,
  requestId,
});

/**
 * Why an identity was evaluated as it was, and what another policy would change; for operators of
 * its tenant, and for its administrators.
 */
const caseEvaluationRoutes = (deps: CaseEvaluationDeps, roles: readonly KeyRole[], by: string): Route[] => {
  const { worker } = deps;
  const claimsOf = async (call: CallOf<'identityId'>): Promise<CallClaims> =>
    claimsFor(call, await identityOf(deps, call));
  const common = { tag: 'Evaluation', roles, errors: ['CLOSED', 'BAD_FIELD', 'UNSUPPORTED_MEDIA_TYPE'] as const };
  return [
    route({
      ...common,
      id: `explain${by}`,
      method: 'get',
      path: '/identities/{identityId}/explanation',
      summary: 'Why the level of assurance is what it is',
      reply: { description: 'The case, its evaluation, and both in words', schema: ExplanationSchema },
      handle: async (call) => ok(await worker.explain(await claimsOf(call))),
    }),
    route({
      ...common,
      id: `evaluate${by}`,
      method: 'post',
      path: '/identities/{identityId}/evaluation',
      summary: 'What would change under another policy; nothing is stored',
      body: { kind: 'json', schema: EvaluateSchema, limit: LARGEST_POLICY },
      reply: { description: 'Before, after, and what differs', schema: ComparisonSchema },
      handle: async (call) => {
        const { policy } = call.body;
        return ok(await worker.evaluate(await claimsOf(call), policy));
      },
    }),
    route({
      ...common,
      id: `evaluateExported${by}`,
      method: 'post',
      path: '/evaluations',
      summary: 'What would change of an exported case under another policy',
      body: { kind: 'json', schema: EvaluateExportedSchema, limit: LARGEST_CASE },
      reply: { description: 'Before, after, and what differs', schema: ComparisonSchema },
      handle: async (call) => {
        const { case: exported, policy } = call.body;
        const claims = { tenantId: call.tenant?.tenantId ?? 'suite', identityId: 'suite', requestId: call.requestId };
        return ok(await worker.evaluateExported(claims, exported, policy));
      },
    }),
  ];
};

export const operatorCaseEvaluation = (deps: CaseEvaluationDeps): Route[] =>
  caseEvaluationRoutes(deps, ROLES.OPERATORS, 'ForOperator');

/**
 * Re-evaluation on purpose, for administrators: a running identity keeps the policy it began with
 * until somebody asks for this.
 */
const reEvaluationRoute = ({ worker, tenants, auditLog, ...deps }: CaseEvaluationDeps): Route =>
  route({
    id: 'reEvaluate',
    tag: 'Evaluation',
    roles: ROLES.ADMINISTRATORS,
    method: 'post',
    path: '/identities/{identityId}/re-evaluation',
    summary: 'Evaluate a running identity under another policy, or the current version of its own, from now on',
    body: { kind: 'json', schema: ReEvaluateSchema },
    reply: { description: 'The policy in force; what changes is announced by webhooks', schema: ReEvaluatedSchema },
    errors: ['CLOSED', 'STATE_CONFLICT', 'BAD_FIELD', 'UNSUPPORTED_MEDIA_TYPE'],
    handle: async (call) => {
      const identity = await identityOf(deps, call);
      const { policy } = call.body;
      const { tenantId } = identity;
      const chosen = policy ?? effectiveSettings((await tenants.find(tenantId))?.settings ?? {}).policy;
      return auditLog.around(tenantId, call, 'identity.re-evaluate', { identityId: identity._id }, async () => {
        if (identity.state !== 'OPEN' && identity.state !== 'PAUSED')
          throw new ApiError(whyNotReadable(identity) ?? 'STATE_CONFLICT');
        return ok(await worker.reEvaluate(claimsFor(call, identity), chosen));
      });
    },
  });

export const adminCaseEvaluation = (deps: CaseEvaluationDeps): Route[] => [
  ...caseEvaluationRoutes(deps, ROLES.ADMINISTRATORS_OF_TENANT, ''),
  reEvaluationRoute(deps),
];
