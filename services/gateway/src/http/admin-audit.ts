import { AUDIT_ACTS } from '@assay/contracts';
import { ApiError, ok } from '@assay/http';
import { Type } from 'typebox';
import { ROLES } from '../domain/roles.ts';
import { type AuditLog, SUITE_CHAIN } from '../flows/audit.ts';
import type { AuditCriteria, AuditStore } from '../store/audit.ts';
import type { Tenants } from '../store/tenants.ts';
import { type Call, type CallOf, param, query, queryOneOf } from './call.ts';
import { type PageCall, page, pageOf, pageQuery, placeIn } from './page.ts';
import { type Route, route } from './route.ts';

const EntrySchema = Type.Object({
  chain: Type.String(),
  seq: Type.Integer(),
  at: Type.String(),
  commitment: Type.String({ description: 'HMAC-SHA256 of the canonical JSON of the content, keyed by the salt' }),
  previous: Type.String(),
  hash: Type.String({ description: 'SHA-256 of previous, chain, seq, at and commitment, each on its line' }),
  content: Type.Optional(Type.Unknown()),
  salt: Type.Optional(Type.String()),
});
const CheckpointSchema = Type.Object({
  chain: Type.String(),
  seq: Type.Integer(),
  hash: Type.String(),
  at: Type.String(),
  jws: Type.String(),
  kid: Type.String(),
});
const VerificationSchema = Type.Object({
  entries: Type.Integer(),
  ok: Type.Boolean(),
  fault: Type.Optional(Type.Object({ seq: Type.Integer(), fault: Type.String() })),
});

export interface AdminAuditDeps {
  audit: AuditStore;
  auditLog: AuditLog;
  tenants: Tenants;
}

const placeOf = (call: CallOf<never, 'cursor'>): number | undefined =>
  placeIn(query(call, 'cursor'), (cursor) => (/^\d{1,12}$/.test(cursor) ? Number(cursor) : undefined));

const entryQuery = {
  ...pageQuery,
  order: 'asc (the default), the oldest first, or desc, the newest first',
  act: `entries of one act: ${AUDIT_ACTS.join(', ')}`,
  identityId: 'entries about this identity',
};

const criteriaOf = (call: CallOf<never, keyof typeof entryQuery>): AuditCriteria => ({
  order: queryOneOf(call, 'order', ['asc', 'desc']) ?? 'asc',
  after: placeOf(call),
  act: queryOneOf(call, 'act', AUDIT_ACTS),
  identityId: query(call, 'identityId'),
});

/** One page of what a chain has, by its places. */
const pageBySeq = <T extends { seq: number }>(call: PageCall, list: (limit: number) => Promise<T[]>) =>
  pageOf(
    call,
    (_after, limit) => list(limit),
    ({ seq }) => String(seq),
  );

/** The audit log: export, checkpoints, verification; of one tenant, and of the suite itself. */
export const adminAuditRoutes = ({ audit, auditLog, tenants }: AdminAuditDeps): Route[] => {
  const ofTenant = async (call: Call): Promise<string> => {
    const tenant = await tenants.find(param(call, 'tenantId'));
    if (!tenant) throw new ApiError('NOT_FOUND');
    return tenant.tenantId;
  };
  const ofSuite = async (): Promise<string> => SUITE_CHAIN;
  const common = { method: 'get' as const, tag: 'Audit', errors: ['BAD_FIELD'] as const };

  const routes = (
    name: string,
    path: string,
    roles: Route['roles'],
    chainOf: (call: Call) => Promise<string>,
  ): Route[] => [
    route({
      ...common,
      roles,
      id: `list${name}Audit`,
      path,
      summary: 'Entries of the audit log, oldest first by default',
      query: entryQuery,
      reply: { description: 'Entries', schema: page(EntrySchema) },
      handle: async (call) => {
        const [chain, criteria] = [await chainOf(call), criteriaOf(call)];
        return ok(await pageBySeq(call, (limit) => audit.search(chain, criteria, limit)));
      },
    }),
    route({
      ...common,
      roles,
      id: `list${name}AuditCheckpoints`,
      path: `${path}/checkpoints`,
      summary: 'Signed heads of the audit log',
      query: pageQuery,
      reply: { description: 'Checkpoints', schema: page(CheckpointSchema) },
      handle: async (call) => {
        const [chain, after] = [await chainOf(call), placeOf(call) ?? 0];
        return ok(await pageBySeq(call, (limit) => audit.checkpoints(chain, after, limit)));
      },
    }),
    route({
      ...common,
      roles,
      id: `verify${name}Audit`,
      path: `${path}/verification`,
      summary: 'Walk the whole chain',
      reply: { description: 'Whether it holds', schema: VerificationSchema },
      handle: async (call) => ok(await auditLog.verify(await chainOf(call))),
    }),
  ];
  return [
    ...routes('Tenant', '/tenants/{tenantId}/audit', ROLES.ADMINISTRATORS_OF_TENANT, ofTenant),
    ...routes('Suite', '/audit', ROLES.ADMINISTRATORS, ofSuite),
  ];
};
