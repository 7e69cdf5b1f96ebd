import { IDENTITY_SUMMARY_STATUSES, IdentitySummarySchema, instantOf, TimelineSchema } from '@assay/contracts';
import { ApiError, ok } from '@assay/http';
import type { Clock } from '@assay/runtime';
import { Type } from 'typebox';
import { businessReference } from '../domain/business-reference.ts';
import type { Identity } from '../domain/identity.ts';
import { summaryOf, summaryStatusOf } from '../domain/identity-summary.ts';
import { ROLES } from '../domain/roles.ts';
import type { IdentityRecords, Named } from '../flows/identity-records.ts';
import type { Lifecycle } from '../flows/lifecycle.ts';
import type { Identities } from '../store/identities.ts';
import type { IdentityCriteria } from '../store/identity-search.ts';
import type { Tenants } from '../store/tenants.ts';
import { type CallOf, param, query, queryOneOf } from './call.ts';
import { page, pageOf, pageQuery, placeIn } from './page.ts';
import { type Route, route } from './route.ts';

export interface AdminIdentityDeps {
  identities: Identities;
  tenants: Tenants;
  lifecycle: Lifecycle;
  records: IdentityRecords;
  /** Keys the hash of business ids. */
  businessKey: Buffer;
  now: Clock;
}

const PersonExportSchema = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The identity, its consents, evidence and history in clear, the images by id',
});
const PurgedSchema = Type.Object({ identityId: Type.String(), status: Type.Literal('CLOSED') });

const common = { tag: 'Administration', roles: ROLES.ADMINISTRATORS_OF_TENANT };
const PATH = '/tenants/{tenantId}/identities';

const time = <Name extends string>(call: CallOf<never, Name>, name: NoInfer<Name>): Date | undefined => {
  const given = query(call, name);
  if (given === undefined) return undefined;
  const date = instantOf(given);
  if (!date)
    throw new ApiError('BAD_FIELD', { field: name, message: 'must be a date or a time, YYYY-MM-DD or with THH:mm:ss' });
  return date;
};

const placeOf = ({ createdAt, _id }: Identity): string =>
  Buffer.from(`${createdAt.toISOString()} ${_id}`).toString('base64url');

const readPlace = (cursor: string): IdentityCriteria['after'] => {
  const [at = '', id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
  const createdAt = new Date(at);
  return Number.isNaN(createdAt.getTime()) || id === '' ? undefined : { createdAt, id };
};

const searchRoute = ({ identities, businessKey, now }: AdminIdentityDeps, tenantIdOf: TenantIdOf): Route =>
  route({
    ...common,
    id: 'listIdentities',
    method: 'get',
    path: PATH,
    summary: 'Identities of a tenant, the newest first; nothing personal',
    query: {
      identityId: 'this one',
      businessId: 'what the tenant calls the person',
      status: IDENTITY_SUMMARY_STATUSES.join(', '),
      createdFrom: 'date or time (UTC), inclusive',
      createdBefore: 'date or time (UTC), exclusive',
      ...pageQuery,
    },
    reply: { description: 'Identities', schema: page(IdentitySummarySchema) },
    errors: ['BAD_FIELD'],
    handle: async (call) => {
      const tenantId = await tenantIdOf(call);
      const businessId = query(call, 'businessId');
      const criteria: IdentityCriteria = {
        now: now(),
        identityId: query(call, 'identityId'),
        businessRef: businessId === undefined ? undefined : businessReference(businessKey, tenantId, businessId),
        status: queryOneOf(call, 'status', IDENTITY_SUMMARY_STATUSES),
        createdFrom: time(call, 'createdFrom'),
        createdBefore: time(call, 'createdBefore'),
      };
      const list = (cursor: string | undefined, limit: number) =>
        identities.search(tenantId, { ...criteria, after: placeIn(cursor, readPlace) }, limit);
      const { items, ...rest } = await pageOf(call, list, placeOf);
      return ok({ items: items.map(summaryOf), ...rest });
    },
  });

type TenantIdOf = (call: CallOf<'tenantId'>) => Promise<string>;
type NamedOf = (call: CallOf<'tenantId' | 'identityId'>) => Promise<Named>;

const readingRoutes = ({ records }: AdminIdentityDeps, namedOf: NamedOf): Route[] => [
  route({
    ...common,
    id: 'getTimeline',
    method: 'get',
    path: `${PATH}/{identityId}/timeline`,
    summary: 'What happened to an identity: events, evaluations, deliveries, acts; nothing personal',
    reply: { description: 'Oldest first', schema: TimelineSchema },
    errors: [],
    handle: async (call) => ok(await records.timeline(await namedOf(call))),
  }),
  route({
    ...common,
    id: 'exportIdentity',
    audit: 'identity.export',
    method: 'get',
    path: `${PATH}/{identityId}/export`,
    summary: 'All that is stored of the person, for the person',
    reply: { description: 'What is stored, in clear', schema: PersonExportSchema },
    errors: ['CLOSED'],
    handle: async (call) => ok(await records.exportPerson(await namedOf(call))),
  }),
  route({
    ...common,
    id: 'exportMedium',
    audit: 'identity.export',
    method: 'get',
    path: `${PATH}/{identityId}/media/{mediaId}`,
    summary: 'One of the images or files that the export names',
    reply: { description: 'Its bytes', contentType: 'application/octet-stream' },
    errors: ['CLOSED'],
    handle: async (call) => ({
      status: 200,
      stream: await records.medium(await namedOf(call), param(call, 'mediaId')),
      headers: { 'content-type': 'application/octet-stream' },
    }),
  }),
];

const purgeRoute = ({ records, lifecycle }: AdminIdentityDeps, namedOf: NamedOf): Route =>
  route({
    ...common,
    id: 'purgeIdentity',
    audit: 'identity.purge',
    method: 'delete',
    path: `${PATH}/{identityId}`,
    summary: 'Close an identity and erase everything gathered for it; once it is closed, nothing changes',
    reply: { description: 'Closed, its key destroyed', schema: PurgedSchema },
    errors: [],
    handle: async (call) => {
      const identity = await records.find(await namedOf(call));
      if (summaryStatusOf(identity) !== 'CLOSED') await lifecycle.closeNow(identity, 'DELETED');
      return ok({ identityId: identity._id, status: 'CLOSED' });
    },
  });

/** Identities as administrators see them (docs/administration.md). */
export const adminIdentityRoutes = (deps: AdminIdentityDeps): Route[] => {
  const tenantIdOf: TenantIdOf = async (call) => {
    const tenant = await deps.tenants.find(param(call, 'tenantId'));
    if (!tenant) throw new ApiError('NOT_FOUND');
    return tenant.tenantId;
  };
  const namedOf: NamedOf = async (call) => ({
    tenantId: await tenantIdOf(call),
    identityId: param(call, 'identityId'),
    requestId: call.requestId,
  });
  return [searchRoute(deps, tenantIdOf), ...readingRoutes(deps, namedOf), purgeRoute(deps, namedOf)];
};
