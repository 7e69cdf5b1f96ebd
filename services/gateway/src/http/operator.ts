import { formatDateTime } from '@assay/contracts';
import { ApiError, ok } from '@assay/http';
import { type Static, Type } from 'typebox';
import type { AdjudicationCase, CaseState } from '../domain/adjudication.ts';
import { ROLES } from '../domain/roles.ts';
import type { AdjudicationFlow, Verdict } from '../flows/adjudication.ts';
import { placeOf } from '../store/adjudications.ts';
import { type Call, param, query, tenantOf } from './call.ts';
import { page, pageOf, pageQuery } from './page.ts';
import type { Route } from './route.ts';

const STATES = ['OPEN', 'CLAIMED', 'DECIDED'] as const;
const summary = {
  caseId: Type.String(),
  identityId: Type.String(),
  evidenceId: Type.String(),
  type: Type.String(),
  state: Type.Enum([...STATES]),
  requestedAt: Type.String(),
  expiresAt: Type.String(),
  claimedBy: Type.Optional(Type.String()),
  fourEyes: Type.Boolean(),
  decisions: Type.Array(
    Type.Object({
      operatorId: Type.String(),
      decision: Type.String(),
      reasons: Type.Array(Type.String()),
      at: Type.String(),
    }),
  ),
  reasons: Type.Array(Type.String({ description: 'why the case came to operators' })),
  decision: Type.Optional(
    Type.String({ description: 'ACCEPT, REJECT, EXPIRED, or CLOSED when the identity ended first' }),
  ),
};
const CaseSummarySchema = Type.Object(summary);
const CaseSchema = Type.Object({
  ...summary,
  submitDateTime: Type.String(),
  raisedIndicators: Type.Array(Type.String()),
  fields: Type.Record(Type.String(), Type.Unknown()),
  media: Type.Array(Type.Object({ mediaId: Type.String(), label: Type.String() })),
});
const FiguresSchema = Type.Object({
  open: Type.Integer(),
  claimed: Type.Integer(),
  decided: Type.Integer(),
  accepted: Type.Integer(),
  rejected: Type.Integer(),
  medianDecisionSeconds: Type.Optional(Type.Number()),
});
const DecisionSchema = Type.Object({
  decision: Type.Enum(['ACCEPT', 'REJECT']),
  reasons: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 20 })),
  comment: Type.Optional(Type.String({ maxLength: 1000 })),
});

const summaryOf = (of: AdjudicationCase): Static<typeof CaseSummarySchema> => ({
  caseId: of._id,
  identityId: of.identityId,
  evidenceId: of.evidenceId,
  type: of.type,
  state: of.state,
  requestedAt: of.requestedAt,
  expiresAt: formatDateTime(of.expiresAt),
  ...(of.claimedBy === undefined ? {} : { claimedBy: of.claimedBy }),
  fourEyes: of.fourEyes,
  decisions: of.decisions.map(({ operatorId, decision, reasons, endTime }) => ({
    operatorId,
    decision,
    reasons,
    at: endTime,
  })),
  reasons: of.reasons,
  ...(of.outcome === undefined ? {} : { decision: of.outcome }),
});
const viewOf = ({ found, fields }: { found: AdjudicationCase; fields: Record<string, unknown> }) =>
  ok({
    ...summaryOf(found),
    submitDateTime: found.submitDateTime,
    raisedIndicators: found.raisedIndicators,
    fields,
    media: found.media,
  });

const stateOf = (call: Call): CaseState => {
  const state = STATES.find((each) => each === (query(call, 'state') ?? 'OPEN'));
  if (!state) throw new ApiError('BAD_FIELD', { field: 'state' });
  return state;
};

/** Adjudication by operators (interfaces, Operators). An operator is the key that calls. */
export const operatorRoutes = ({ adjudication }: { adjudication: AdjudicationFlow }): Route[] => {
  const common = { tag: 'Operators', roles: ROLES.OPERATORS };
  const of = (call: Call) => [tenantOf(call).tenantId, param(call, 'caseId')] as const;
  return [
    {
      ...common,
      id: 'getOperator',
      method: 'get',
      path: '/me',
      summary: 'Who asks, as cases name their operators',
      reply: { description: 'The operator', schema: Type.Object({ operatorId: Type.String() }) },
      errors: [],
      handle: async (call) => ok({ operatorId: call.key.keyId }),
    },
    {
      ...common,
      id: 'listCases',
      method: 'get',
      path: '/cases',
      summary: 'Cases by state: the longest waiting first, of decided ones the newest',
      query: { state: 'OPEN (unless told), CLAIMED or DECIDED', ...pageQuery },
      reply: { description: 'Cases', schema: page(CaseSummarySchema) },
      errors: ['BAD_FIELD'],
      handle: async (call) => {
        const { tenantId } = tenantOf(call);
        const state = stateOf(call);
        const list = async (after: string | undefined, limit: number) =>
          (await adjudication.list(tenantId, state, after, limit)).map(summaryOf);
        return ok(await pageOf(call, list, placeOf));
      },
    },
    {
      ...common,
      id: 'getStatistics',
      method: 'get',
      path: '/statistics',
      summary: "Counts of the tenant's cases",
      reply: { description: 'Figures', schema: FiguresSchema },
      errors: [],
      handle: async (call) => ok(await adjudication.figures(tenantOf(call).tenantId)),
    },
    {
      ...common,
      id: 'getCase',
      method: 'get',
      path: '/cases/{caseId}',
      summary: 'One case with what was read and raised',
      reply: { description: 'The case', schema: CaseSchema },
      errors: [],
      handle: async (call) => viewOf(await adjudication.view(...of(call))),
    },
    {
      ...common,
      id: 'getCaseMedium',
      audit: 'case.view-image',
      method: 'get',
      path: '/cases/{caseId}/media/{mediaId}',
      summary: 'An image of the case',
      reply: { description: 'Its bytes', contentType: 'application/octet-stream' },
      errors: ['CLOSED'],
      handle: async (call) => ({
        status: 200,
        stream: await adjudication.medium(...of(call), param(call, 'mediaId'), call.requestId),
        headers: { 'content-type': 'application/octet-stream' },
      }),
    },
    {
      ...common,
      id: 'claimCase',
      audit: 'case.claim',
      method: 'post',
      path: '/cases/{caseId}/claim',
      summary: 'Take a case on; the claim lapses after 15 minutes',
      reply: { description: 'The case', schema: CaseSchema },
      errors: ['STATE_CONFLICT'],
      handle: async (call) => viewOf(await adjudication.claim(...of(call), call.key.keyId)),
    },
    {
      ...common,
      id: 'decideCase',
      audit: 'case.decide',
      method: 'post',
      path: '/cases/{caseId}/decision',
      summary: 'Accept or reject, with reasons',
      body: { kind: 'json', schema: DecisionSchema },
      reply: { description: 'The case', schema: CaseSchema },
      errors: ['STATE_CONFLICT', 'CLOSED', 'UNSUPPORTED_MEDIA_TYPE'],
      handle: async (call) => {
        const { reasons = [], ...rest } = call.body as Static<typeof DecisionSchema>;
        const verdict: Verdict = { reasons, ...rest };
        return viewOf(await adjudication.decide(...of(call), call.key.keyId, verdict));
      },
    },
  ];
};
