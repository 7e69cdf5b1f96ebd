import {
  CASE_STATES,
  CaseDecisionSchema,
  type CaseOperatorDay,
  CaseStatisticsSchema,
  type CaseSummary,
  CaseSummarySchema,
  type CaseView,
  CaseViewSchema,
  FieldPlacesSchema,
  formatDateTime,
  matches,
  OperatorSchema,
  present,
} from '@assay/contracts';
import { ok } from '@assay/http';
import type { AdjudicationCase } from '../domain/adjudication-case.ts';
import { ROLES } from '../domain/roles.ts';
import { effectiveSettings } from '../domain/settings.ts';
import type { AdjudicationFlow, DecisionRequest } from '../flows/adjudication.ts';
import { isRepeat, operatorIdOf, tenantOf } from '../flows/caller.ts';
import type { SignInFlow } from '../flows/sign-in.ts';
import type { CasePlace } from '../store/adjudications.ts';
import type { People } from '../store/people.ts';
import { type CallOf, param, queryOneOf } from './call.ts';
import { page, pageOf, pageQuery, placeIn } from './page.ts';
import { type Route, route } from './route.ts';
import { ownSession } from './staff-sessions.ts';

type Names = ReadonlyMap<string, string>;

const operatorsOf = ({ claimedBy, decisions }: AdjudicationCase): (string | undefined)[] => [
  claimedBy,
  ...decisions.map(({ operatorId }) => operatorId),
];

const summaryOf = (adjudication: AdjudicationCase, names: Names): CaseSummary => ({
  caseId: adjudication._id,
  identityId: adjudication.identityId,
  evidenceId: adjudication.evidenceId,
  type: adjudication.type,
  state: adjudication.state,
  requestedAt: adjudication.requestedAt,
  expiresAt: formatDateTime(adjudication.expiresAt),
  ...present({
    claimedBy: adjudication.claimedBy,
    claimedByName: names.get(adjudication.claimedBy ?? ''),
    claimedUntil: adjudication.claimedUntil && formatDateTime(adjudication.claimedUntil),
  }),
  fourEyes: adjudication.fourEyes,
  decisions: adjudication.decisions.map(({ operatorId, decision, reasons, endTime }) => ({
    operatorId,
    ...present({ operatorName: names.get(operatorId) }),
    decision,
    reasons,
    at: endTime,
  })),
  reasons: adjudication.reasons,
  ...present({ decision: adjudication.outcome, closedBecause: adjudication.closedBecause }),
});
interface OpenedCase {
  found: AdjudicationCase;
  fields: Record<string, unknown>;
  /** One for each decision, where its operator wrote one. */
  comments: (string | undefined)[];
  businessId: string | undefined;
}
const viewOf = ({ found, fields, comments, businessId }: OpenedCase, names: Names) => {
  const summary = summaryOf(found, names);
  const { places, ...read } = fields;
  const view: CaseView = {
    ...summary,
    ...present({ businessId }),
    decisions: summary.decisions.map((made, at) => {
      const comment = comments[at];
      return comment === undefined ? made : { ...made, comment };
    }),
    submitDateTime: found.submitDateTime,
    raisedIndicators: found.raisedIndicators,
    fields: read,
    ...(matches(FieldPlacesSchema, places) ? { places } : {}),
    media: found.media,
    ...present({ similarity: found.similarity }),
    ...(found.chips?.length ? { chips: found.chips } : {}),
  };
  return ok(view);
};

interface Deps {
  adjudication: AdjudicationFlow;
  people: Pick<People, 'names'>;
  signInFlow: Pick<SignInFlow, 'idleSeconds'>;
}

/** A case as it is answered, with its operators by name. */
const shower =
  ({ people }: Deps) =>
  async (opened: OpenedCase) =>
    viewOf(opened, await people.names(operatorsOf(opened.found), opened.found.tenantId));

const common = { tag: 'Operators', roles: ROLES.OPERATORS };
const caseOf = (call: CallOf<'caseId'>) => [tenantOf(call).tenantId, param(call, 'caseId')] as const;

const placeOf = ({ requestedAt, caseId }: CasePlace): string => `${requestedAt}~${caseId}`;

const readPlace = (cursor: string): CasePlace | undefined => {
  const [, requestedAt, caseId] = /^(\d{4}-\d\d-\d\dT[\d:.]+)~(.+)$/.exec(cursor) ?? [];
  return requestedAt !== undefined && caseId !== undefined ? { requestedAt, caseId } : undefined;
};

const listRoutes = ({ adjudication, people, signInFlow }: Deps): Route[] => [
  route({
    ...common,
    id: 'getOperator',
    method: 'get',
    path: '/me',
    summary: 'Who asks, as cases name their operators',
    reply: { description: 'The operator', schema: OperatorSchema },
    errors: [],
    handle: async (call) => {
      const tenant = tenantOf(call);
      const { adjudication: settings } = effectiveSettings(tenant.settings);
      const operatorId = operatorIdOf(call);
      const name = (await people.names([operatorId], tenant.tenantId)).get(operatorId);
      const own = present({ name, session: ownSession(call, signInFlow) });
      return ok({ operatorId, ...own, adjudicationEnabled: settings.enabled });
    },
  }),
  route({
    ...common,
    id: 'listCases',
    method: 'get',
    path: '/cases',
    summary: 'Cases by state: the longest waiting first, of decided ones the newest',
    query: { state: 'OPEN (by default), CLAIMED or DECIDED', ...pageQuery },
    reply: { description: 'Cases', schema: page(CaseSummarySchema) },
    errors: ['BAD_FIELD'],
    handle: async (call) => {
      const { tenantId } = tenantOf(call);
      const state = queryOneOf(call, 'state', CASE_STATES) ?? 'OPEN';
      const list = async (after: string | undefined, limit: number) => {
        const found = await adjudication.list(tenantId, state, placeIn(after, readPlace), limit);
        const names = await people.names(found.flatMap(operatorsOf), tenantId);
        return found.map((each) => summaryOf(each, names));
      };
      return ok(await pageOf(call, list, placeOf));
    },
  }),
  route({
    ...common,
    id: 'getStatistics',
    method: 'get',
    path: '/statistics',
    summary: "Counts of the tenant's cases",
    reply: { description: 'Figures', schema: CaseStatisticsSchema },
    errors: [],
    handle: async (call) => {
      const { tenantId } = tenantOf(call);
      const figures = await adjudication.figures(tenantId);
      const names = await people.names(
        figures.operators.map(({ operatorId }) => operatorId),
        tenantId,
      );
      const named = (day: CaseOperatorDay) => ({ ...day, ...present({ operatorName: names.get(day.operatorId) }) });
      return ok({ ...figures, operators: figures.operators.map(named) });
    },
  }),
];

const caseRoutes = ({ adjudication }: Deps, shown: ReturnType<typeof shower>): Route[] => [
  route({
    ...common,
    id: 'getCase',
    audit: 'case.view',
    method: 'get',
    path: '/cases/{caseId}',
    summary: 'One case with what was read and raised',
    reply: { description: 'The case', schema: CaseViewSchema },
    errors: [],
    handle: async (call) => shown(await adjudication.view(...caseOf(call))),
  }),
  route({
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
      stream: await adjudication.medium(...caseOf(call), param(call, 'mediaId'), call.requestId),
      headers: { 'content-type': 'application/octet-stream' },
    }),
  }),
];

/** A case has what may be deleted meanwhile: a repeated call reads it as it is now. */
const ofRepeats = ({ adjudication }: Deps, shown: ReturnType<typeof shower>) => ({
  auditOfRepeat: 'case.view' as const,
  storedOf: (body: unknown) => {
    const { caseId, identityId } = body as CaseView;
    return { caseId, identityId };
  },
  complete: async (call: CallOf<'caseId'>) => shown(await adjudication.view(...caseOf(call))),
});

const actRoutes = (deps: Deps, shown: ReturnType<typeof shower>): Route[] => [
  route({
    ...common,
    ...ofRepeats(deps, shown),
    id: 'claimCase',
    audit: 'case.claim',
    method: 'post',
    path: '/cases/{caseId}/claim',
    summary: 'Claim a case; the claim lapses after 15 minutes',
    reply: { description: 'The case', schema: CaseViewSchema },
    errors: ['STATE_CONFLICT'],
    handle: async (call) => shown(await deps.adjudication.claim(...caseOf(call), operatorIdOf(call))),
  }),
  route({
    ...common,
    ...ofRepeats(deps, shown),
    id: 'decideCase',
    audit: 'case.decide',
    method: 'post',
    path: '/cases/{caseId}/decision',
    summary: 'Accept or reject, with reasons',
    body: { kind: 'json', schema: CaseDecisionSchema, nullIsAbsent: true },
    reply: { description: 'The case', schema: CaseViewSchema },
    errors: ['STATE_CONFLICT', 'CLOSED', 'UNSUPPORTED_MEDIA_TYPE'],
    handle: async (call) => {
      const { decision: value, reasons = [], comment } = call.body;
      const isRepeated = isRepeat(call);
      const decision: DecisionRequest = { decision: value, reasons, isRepeated, ...present({ comment }) };
      return shown(await deps.adjudication.decide(...caseOf(call), operatorIdOf(call), decision));
    },
  }),
];

/**
 * Adjudication by operators (specification, Operators). An operator is the person who calls, or the
 * key where it names nobody.
 */
export const operatorRoutes = (deps: Deps): Route[] => {
  const shown = shower(deps);
  return [...listRoutes(deps), ...caseRoutes(deps, shown), ...actRoutes(deps, shown)];
};
