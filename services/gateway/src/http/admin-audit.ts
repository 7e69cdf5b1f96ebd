import { ApiError, ok } from '@assay/http';
import { Type } from 'typebox';
import { ROLES } from '../domain/roles.ts';
import { type AuditLog, SUITE_CHAIN } from '../flows/audit.ts';
import type { AuditStore } from '../store/audit.ts';
import type { Tenants } from '../store/tenants.ts';
import { type Call, param, query } from './call.ts';
import { page, pageOf, pageQuery } from './page.ts';
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

const cursorOf = (call: Call): number => {
  const text = query(call, 'cursor') ?? '0';
  if (!/^\d{1,12}$/.test(text)) throw new ApiError('BAD_FIELD', { field: 'cursor' });
  return Number(text);
};

/** One page, in the order of `seq`, of what a chain has. */
const pageBySeq =
  <T extends { seq: number }>(
    chainOf: (call: Call) => Promise<string>,
    list: (chain: string, after: number, limit: number) => Promise<T[]>,
  ): Route['handle'] =>
  async (call) => {
    const chain = await chainOf(call);
    const after = cursorOf(call);
    return ok(
      await pageOf(
        call,
        (_after, limit) => list(chain, after, limit),
        ({ seq }) => String(seq),
      ),
    );
  };

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
      summary: 'Entries of the audit log, oldest first',
      query: pageQuery,
      reply: { description: 'Entries', schema: page(EntrySchema) },
      handle: pageBySeq(chainOf, (...range) => audit.list(...range)),
    }),
    route({
      ...common,
      roles,
      id: `list${name}AuditCheckpoints`,
      path: `${path}/checkpoints`,
      summary: 'Signed heads of the audit log',
      query: pageQuery,
      reply: { description: 'Checkpoints', schema: page(CheckpointSchema) },
      handle: pageBySeq(chainOf, (...range) => audit.checkpoints(...range)),
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
