import { Exact, formatDateTime, KEY_ROLES, type KeyRole, parseDateTime, present, Text } from '@assay/contracts';
import { ApiError, ok } from '@assay/http';
import type { Clock } from '@assay/runtime';
import { type Static, Type } from 'typebox';
import { shownName } from '../domain/person.ts';
import { ROLES } from '../domain/roles.ts';
import { attemptOf } from '../flows/caller.ts';
import { runsElsewhere } from '../flows/refusal.ts';
import type { SignInFlow } from '../flows/sign-in.ts';
import type { ApiKey } from '../store/api-key-document.ts';
import type { ApiKeys } from '../store/api-keys.ts';
import type { People } from '../store/people.ts';
import type { Tenant, Tenants } from '../store/tenants.ts';
import { type Call, type CallOf, param } from './call.ts';
import { type PageCall, page, pageOf, pageQuery } from './page.ts';
import { type Route, route } from './route.ts';

const TenantRole = Type.Enum(['RELYING_SERVICE', 'USER_AGENT', 'OPERATOR', 'TENANT_ADMINISTRATOR']);
const Role = Type.Enum([...KEY_ROLES]);
const expiresAt = Type.Optional(
  Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?Z?$',
    format: 'utc-date-time',
    description: 'a time in UTC, yyyy-MM-ddTHH:mm:ss; from then on the key answers 401',
  }),
);
const person = Type.Optional(
  Exact(
    {
      subject: Type.String({
        minLength: 1,
        maxLength: 255,
        // With a blank at its end it would be another person, and a second operator.
        pattern: '^\\S(.*\\S)?$',
        description:
          'what the issuer of OpenID Connect calls the person; without an issuer any text of yours; no blanks around it',
      }),
      name: Text(120, { format: 'shown', description: 'as colleagues see it' }),
    },
    { description: 'whose key it is; who signs in as the same subject counts as the same operator' },
  ),
);
const CreateKeySchema = Exact({ role: TenantRole, expiresAt, person });
const CreateAdministratorKeySchema = Exact({
  role: Type.Optional(Type.Literal('ADMINISTRATOR', { description: 'there is no other here' })),
  expiresAt,
  person,
});
const NewKeySchema = Type.Object({
  keyId: Type.String(),
  apiKey: Type.String({ description: 'Shown this once' }),
  role: Role,
  expiresAt: Type.Optional(Type.String()),
  personId: Type.Optional(Type.String()),
});
const KeySchema = Type.Object({
  keyId: Type.String(),
  role: Role,
  createdAt: Type.String(),
  lastUsedAt: Type.Optional(Type.String({ description: 'to the minute; absent while the key was never used' })),
  expiresAt: Type.Optional(Type.String()),
  personId: Type.Optional(Type.String()),
  name: Type.Optional(Type.String({ description: 'of the person whose key it is' })),
});

const viewOf = (
  { keyId, role, createdAt, personId, ...key }: ApiKey,
  names: ReadonlyMap<string, string>,
): Static<typeof KeySchema> => ({
  keyId,
  role,
  createdAt: formatDateTime(createdAt),
  ...present({
    lastUsedAt: key.lastUsedAt && formatDateTime(key.lastUsedAt),
    expiresAt: key.expiresAt && formatDateTime(key.expiresAt),
    personId,
    name: names.get(personId ?? ''),
  }),
});

interface Deps {
  tenants: Tenants;
  apiKeys: ApiKeys;
  people: Pick<People, 'named' | 'names'>;
  signInFlow: Pick<SignInFlow, 'issuer'>;
  now: Clock;
}

const createKey =
  ({ apiKeys, people, signInFlow, now }: Deps) =>
  async (call: Call<Pick<Static<typeof CreateKeySchema>, 'expiresAt' | 'person'>>, role: KeyRole, tenant?: Tenant) => {
    const { expiresAt: text, person: whose } = call.body;
    const end = text === undefined ? undefined : parseDateTime(text);
    if (end && end <= now())
      throw new ApiError('BAD_FIELD', { field: 'expiresAt', message: 'must be a time in the future' });
    const owner = tenant ? { tenantId: tenant.tenantId, sandbox: tenant.settings.sandbox === true } : {};
    const who = whose && { issuer: signInFlow.issuer, subject: whose.subject };
    const personId = who && (await people.named(who, shownName(whose.name), tenant?.tenantId));
    const request = { keyId: call.seedId, attempt: attemptOf(call) };
    const { isStored, ...made } = await apiKeys.create({ ...owner, ...request, role, expiresAt: end, personId });
    if (!isStored) throw runsElsewhere();
    return ok({ ...made, role, ...present({ expiresAt: end && formatDateTime(end), personId }) });
  };

const listKeys = async ({ apiKeys, people }: Deps, call: PageCall, tenantId?: string) => {
  const list = async (after: string | undefined, limit: number) => {
    const keys = await apiKeys.list(tenantId, after, limit);
    const names = await people.names(
      keys.map(({ personId }) => personId),
      tenantId,
    );
    return keys.map((key) => viewOf(key, names));
  };
  return ok(await pageOf(call, list, ({ keyId }) => keyId));
};

const ofSuite = { tag: 'Administration', roles: ROLES.ADMINISTRATORS };
const common = { tag: 'Administration', roles: ROLES.ADMINISTRATORS_OF_TENANT };

/** API keys of a tenant (specification, Administration). A key is shown once, when it is made. */
const tenantKeyRoutes = (deps: Deps): Route[] => {
  const tenantOf = async (call: CallOf<'tenantId'>): Promise<Tenant> => {
    const tenant = await deps.tenants.find(param(call, 'tenantId'));
    if (!tenant) throw new ApiError('NOT_FOUND');
    return tenant;
  };
  const create = createKey(deps);
  return [
    route({
      ...common,
      id: 'createKey',
      audit: 'key.create',
      method: 'post',
      path: '/tenants/{tenantId}/keys',
      summary: 'Make an API key',
      body: { kind: 'json', schema: CreateKeySchema, nullIsAbsent: true },
      reply: { description: 'The key', schema: NewKeySchema },
      errors: ['BAD_FIELD', 'UNSUPPORTED_MEDIA_TYPE'],
      handle: async (call) => {
        const { role } = call.body;
        return create(call, role, await tenantOf(call));
      },
    }),
    route({
      ...common,
      id: 'listKeys',
      method: 'get',
      path: '/tenants/{tenantId}/keys',
      summary: 'List the API keys, without their secrets',
      query: pageQuery,
      reply: { description: 'Keys', schema: page(KeySchema) },
      errors: ['BAD_FIELD'],
      handle: async (call) => listKeys(deps, call, (await tenantOf(call)).tenantId),
    }),
    route({
      ...common,
      id: 'deleteKey',
      audit: 'key.delete',
      method: 'delete',
      path: '/tenants/{tenantId}/keys/{keyId}',
      summary: 'Revoke an API key',
      reply: { description: 'Revoked; it answers 401 from now on' },
      errors: [],
      handle: async (call) => {
        const isDeleted = await deps.apiKeys.delete((await tenantOf(call)).tenantId, param(call, 'keyId'));
        if (!isDeleted) throw new ApiError('NOT_FOUND');
        return { status: 200 };
      },
    }),
  ];
};

/** Keys of administrators: they belong to no tenant, and the last one that works stays. */
const administratorKeyRoutes = (deps: Deps): Route[] => {
  const create = createKey(deps);
  return [
    route({
      ...ofSuite,
      id: 'createAdministratorKey',
      audit: 'key.create',
      method: 'post',
      path: '/keys',
      summary: "Make an administrator's key",
      body: { kind: 'json', schema: CreateAdministratorKeySchema, nullIsAbsent: true, mayBeAbsent: true },
      reply: { description: 'The key', schema: NewKeySchema },
      errors: ['BAD_FIELD', 'UNSUPPORTED_MEDIA_TYPE'],
      handle: (call) => create(call, 'ADMINISTRATOR'),
    }),
    route({
      ...ofSuite,
      id: 'listAdministratorKeys',
      method: 'get',
      path: '/keys',
      summary: "List the administrators' keys, without their secrets",
      query: pageQuery,
      reply: { description: 'Keys', schema: page(KeySchema) },
      errors: ['BAD_FIELD'],
      handle: (call) => listKeys(deps, call),
    }),
    route({
      ...ofSuite,
      id: 'deleteAdministratorKey',
      audit: 'key.delete',
      method: 'delete',
      path: '/keys/{keyId}',
      summary: "Revoke an administrator's key",
      reply: { description: 'Revoked; it answers 401 from now on' },
      errors: ['STATE_CONFLICT'],
      handle: async (call) => {
        const result = await deps.apiKeys.deleteAdministrator(param(call, 'keyId'));
        if (result === 'UNKNOWN') throw new ApiError('NOT_FOUND');
        if (result === 'LAST')
          throw new ApiError('STATE_CONFLICT', { message: "the last administrator's key cannot be revoked" });
        return { status: 200 };
      },
    }),
  ];
};

/** API keys: of tenants, and of administrators. */
export const adminKeyRoutes = (deps: Deps): Route[] => [...tenantKeyRoutes(deps), ...administratorKeyRoutes(deps)];
