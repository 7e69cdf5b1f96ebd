import { formatDateTime, type KeyRole } from '@assay/contracts';
import { ApiError, ok } from '@assay/http';
import { Type } from 'typebox';
import { ROLES } from '../domain/roles.ts';
import type { ApiKeys } from '../store/api-keys.ts';
import type { Tenants } from '../store/tenants.ts';
import { type Call, param } from './call.ts';
import { page, pageOf, pageQuery } from './page.ts';
import type { Route } from './route.ts';

const Role = Type.Enum(['RELYING_SERVICE', 'USER_AGENT', 'OPERATOR']);
const CreateKeySchema = Type.Object({ role: Role });
const NewKeySchema = Type.Object({
  keyId: Type.String(),
  apiKey: Type.String({ description: 'Shown this once' }),
  role: Role,
});
const KeySchema = Type.Object({ keyId: Type.String(), role: Role, createdAt: Type.String() });

/** API keys of a tenant (interfaces, Administration). A key is shown once, when it is made. */
export const adminKeyRoutes = ({ tenants, apiKeys }: { tenants: Tenants; apiKeys: ApiKeys }): Route[] => {
  const tenantIdOf = async (call: Call): Promise<string> => {
    const tenant = await tenants.find(param(call, 'tenantId'));
    if (!tenant) throw new ApiError('NOT_FOUND');
    return tenant.tenantId;
  };
  const common = { tag: 'Administration', roles: ROLES.ADMINISTRATORS };
  return [
    {
      ...common,
      id: 'createKey',
      audit: 'key.create',
      method: 'post',
      path: '/tenants/{tenantId}/keys',
      summary: 'Make an API key',
      body: { kind: 'json', schema: CreateKeySchema },
      reply: { description: 'The key', schema: NewKeySchema },
      errors: ['BAD_FIELD', 'UNSUPPORTED_MEDIA_TYPE'],
      handle: async (call) => {
        const { role } = call.body as { role: KeyRole };
        return ok({ ...(await apiKeys.create(await tenantIdOf(call), role, call.seedId)), role });
      },
    },
    {
      ...common,
      id: 'listKeys',
      method: 'get',
      path: '/tenants/{tenantId}/keys',
      summary: 'List the API keys, without their secrets',
      query: pageQuery,
      reply: { description: 'Keys', schema: page(KeySchema) },
      errors: ['BAD_FIELD'],
      handle: async (call) => {
        const tenantId = await tenantIdOf(call);
        return ok(
          await pageOf(
            call,
            async (after, limit) =>
              (await apiKeys.list(tenantId, after, limit)).map(({ keyId, role, createdAt }) => ({
                keyId,
                role,
                createdAt: formatDateTime(createdAt),
              })),
            ({ keyId }) => keyId,
          ),
        );
      },
    },
    {
      ...common,
      id: 'deleteKey',
      audit: 'key.delete',
      method: 'delete',
      path: '/tenants/{tenantId}/keys/{keyId}',
      summary: 'Revoke an API key',
      reply: { description: 'Revoked; it answers 401 from now on' },
      errors: [],
      handle: async (call) => {
        if (!(await apiKeys.delete(await tenantIdOf(call), param(call, 'keyId')))) throw new ApiError('NOT_FOUND');
        return { status: 200 };
      },
    },
  ];
};
