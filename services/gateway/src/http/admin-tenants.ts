import {
  EndpointHealthSchema,
  Exact,
  present,
  type TenantSettings,
  TenantSettingsSchema,
  Text,
  violationsOf,
} from '@assay/contracts';
import { ApiError, badFields, ok, type Reply } from '@assay/http';
import { type Static, Type } from 'typebox';
import type { Notifier } from '../clients/notifier.ts';
import { ROLES } from '../domain/roles.ts';
import { changedGrant, effectiveSettings, mergePatch, sendsStoredSecret } from '../domain/settings.ts';
import { patchSchemaOf } from '../domain/settings-patch.ts';
import { isRepeat } from '../flows/caller.ts';
import { changeAndTell, createTell } from '../flows/change-settings.ts';
import type { Tenant, Tenants } from '../store/tenants.ts';
import { type CallOf, param } from './call.ts';
import { page, pageOf, pageQuery } from './page.ts';
import { type Route, route } from './route.ts';

const Settings = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Checked as a whole once merged (RFC 7396)',
});
const CreateTenantSchema = Exact({
  name: Text(200, { format: 'shown' }),
  settings: Type.Optional(Settings),
});
const PatchTenantSchema = Exact({ settings: Settings });
/** The same with every setting, for the documentation: what is set is checked once it is merged. */
const ShownCreationSchema = Exact({
  ...CreateTenantSchema.properties,
  settings: Type.Optional(TenantSettingsSchema),
});
const ShownPatchSchema = Exact({ settings: patchSchemaOf(TenantSettingsSchema) });
const TenantSchema = Type.Object({
  tenantId: Type.String(),
  name: Type.String(),
  settings: TenantSettingsSchema,
});
const ListedTenantSchema = Type.Object({
  ...TenantSchema.properties,
  endpoint: Type.Optional(EndpointHealthSchema),
});
const PolicySchema = Type.Object({ name: Type.String(), version: Type.String(), description: Type.String() });

const view = ({ tenantId, name, settings }: Tenant): Static<typeof TenantSchema> => ({ tenantId, name, settings });

interface PolicyInfo {
  name: string;
  version: string;
  description: string;
}

export interface AdminTenantDeps {
  tenants: Tenants;
  notifier: Notifier;
  policies: readonly PolicyInfo[];
  /** What a new tenant has where its creation says nothing. */
  newTenant?: TenantSettings;
}

/**
 * A sandbox stays one, and no other tenant becomes one: what it proved before would be worth
 * nothing.
 */
const withSameSandbox = (before: TenantSettings, after: TenantSettings): TenantSettings => {
  if ((before.sandbox ?? false) !== (after.sandbox ?? false))
    throw new ApiError('BAD_FIELD', { field: 'settings.sandbox', message: 'is decided when the tenant is made' });
  return after;
};

/** A tenant's own administrators take nothing that the suite grants. */
const withSameGrants = ({ role }: CallOf<never>, before: TenantSettings, after: TenantSettings): TenantSettings => {
  const changed = role === 'TENANT_ADMINISTRATOR' ? changedGrant(before, after) : undefined;
  if (changed)
    throw new ApiError('WRONG_ROLE', { field: `settings.${changed}`, message: 'only an administrator changes this' });
  return after;
};

const checkedSettings = (policies: readonly PolicyInfo[], before: TenantSettings, patch: unknown): TenantSettings => {
  const merged = mergePatch(before, patch);
  const violations = violationsOf(TenantSettingsSchema, merged);
  if (violations.length > 0)
    throw badFields(
      violations.map(({ field, message }) => ({ field: field ? `settings.${field}` : 'settings', message })),
    );
  const settings = merged as TenantSettings;
  if (sendsStoredSecret(before, settings, patch))
    throw new ApiError('BAD_FIELD', {
      field: 'settings.webhook.secret',
      message: 'must be given again: this change would send the stored secret to another address',
    });
  const { policy } = effectiveSettings(settings);
  if (!policies.some(({ name }) => name === policy))
    throw new ApiError('BAD_FIELD', { field: 'settings.policy', message: 'there is no such policy' });
  return settings;
};

/** Naming the webhook again enables it after a 410, also when nothing differs. */
const namesWebhook = (patch: unknown): boolean => (patch as { webhook?: unknown } | undefined)?.webhook !== undefined;

/**
 * Whether the notifier is to be told: whenever a request speaks of the webhook, or of how long its
 * log is.
 */
const concernsNotifier = (patch: unknown): boolean =>
  namesWebhook(patch) || (patch as { retention?: unknown } | undefined)?.retention !== undefined;

/**
 * The tenant, with whether its endpoint is enabled as the notifier has it: a receiver that answered
 * 410 disabled it.
 */
const withEndpoint = async (
  notifier: Notifier,
  call: CallOf<never>,
  tenant: Tenant | undefined,
): Promise<Tenant | undefined> => {
  const webhook = tenant?.settings.webhook;
  if (!tenant || !webhook) return tenant;
  const { enabled } = await notifier.endpoint(tenant.tenantId, call.requestId);
  return { ...tenant, settings: { ...tenant.settings, webhook: { ...webhook, enabled } } };
};

/** A page of tenants, with how their webhooks go. */
const withHealth = async (
  notifier: Notifier,
  call: CallOf<never>,
  items: readonly Static<typeof TenantSchema>[],
): Promise<Static<typeof ListedTenantSchema>[]> => {
  const sending = items.filter(({ settings }) => settings.webhook).map(({ tenantId }) => tenantId);
  const health = await notifier.healthOf(sending, call.requestId);
  return items.map((item) => ({ ...item, ...present({ endpoint: health.get(item.tenantId) }) }));
};

const found = (tenant: Tenant | undefined): Reply => {
  if (!tenant) throw new ApiError('NOT_FOUND');
  return ok(view(tenant));
};

const creationRoute = ({ tenants, notifier, policies, newTenant = {} }: AdminTenantDeps): Route =>
  route({
    id: 'createTenant',
    audit: 'tenant.create',
    method: 'post',
    path: '/tenants',
    summary: 'Create a tenant',
    tag: 'Administration',
    roles: ROLES.ADMINISTRATORS,
    body: { kind: 'json', schema: CreateTenantSchema, shown: ShownCreationSchema },
    reply: { description: 'The tenant', schema: TenantSchema },
    errors: ['BAD_FIELD', 'UNSUPPORTED_MEDIA_TYPE'],
    handle: async (call) => {
      // A request whose answer was lost made it: its webhook may have been changed since.
      const made = isRepeat(call) && (await tenants.find(call.seedId));
      if (made) return found(made);
      const { name, settings: given } = call.body;
      const defaults = given?.sandbox === true ? { ...newTenant, acceptSpecimens: true } : newTenant;
      const settings = checkedSettings(policies, defaults, given ?? {});
      if (concernsNotifier(given)) {
        const { changeNumber } = await tenants.beginChange(call.seedId);
        await createTell(notifier, { tenantId: call.seedId, requestId: call.requestId })(settings, changeNumber);
      }
      await tenants.create(call.seedId, name, settings, { isAtNotifier: true });
      return found(await tenants.find(call.seedId));
    },
  });

const readingRoutes = ({ tenants, notifier, policies }: AdminTenantDeps): Route[] => [
  route({
    id: 'listTenants',
    method: 'get',
    path: '/tenants',
    summary: 'List the tenants',
    tag: 'Administration',
    roles: ROLES.ADMINISTRATORS,
    query: pageQuery,
    reply: {
      description: 'Tenants; `endpoint` tells how the webhook of those that have one goes',
      schema: page(ListedTenantSchema),
    },
    errors: ['BAD_FIELD'],
    handle: async (call) => {
      const list = async (after: string | undefined, limit: number) => (await tenants.list(after, limit)).map(view);
      const { items, ...rest } = await pageOf(call, list, ({ tenantId }) => tenantId);
      return ok({ items: await withHealth(notifier, call, items), ...rest });
    },
  }),
  route({
    id: 'getTenant',
    method: 'get',
    path: '/tenants/{tenantId}',
    summary: 'One tenant',
    tag: 'Administration',
    roles: ROLES.ADMINISTRATORS_OF_TENANT,
    reply: { description: 'The tenant; a webhook is shown without its secret', schema: TenantSchema },
    errors: [],
    handle: async (call) => found(await withEndpoint(notifier, call, await tenants.find(param(call, 'tenantId')))),
  }),
  route({
    id: 'listPolicies',
    method: 'get',
    path: '/policies',
    summary: 'The evaluation policies a tenant can choose from',
    tag: 'Administration',
    roles: ROLES.ADMINISTRATORS_OF_TENANT,
    reply: { description: 'Policies', schema: page(PolicySchema) },
    errors: [],
    handle: () => ok({ items: policies }),
  }),
];

const changeRoute = ({ tenants, notifier, policies }: AdminTenantDeps): Route =>
  route({
    id: 'changeTenant',
    audit: 'tenant.change',
    method: 'patch',
    path: '/tenants/{tenantId}',
    summary: 'Change settings: objects merge, null removes (RFC 7396)',
    tag: 'Administration',
    roles: ROLES.ADMINISTRATORS_OF_TENANT,
    body: { kind: 'json', schema: PatchTenantSchema, shown: ShownPatchSchema },
    reply: { description: 'The tenant', schema: TenantSchema },
    errors: ['BAD_FIELD', 'UNSUPPORTED_MEDIA_TYPE'],
    handle: async (call) => {
      const tenantId = param(call, 'tenantId');
      const { settings: patch } = call.body;
      const next = (before: TenantSettings): TenantSettings =>
        withSameGrants(call, before, withSameSandbox(before, checkedSettings(policies, before, patch)));
      if (!concernsNotifier(patch))
        return found(await tenants.changeSettings(tenantId, async (stored) => next(stored)));
      const hearing = { tenantId, requestId: call.requestId, staysAsItGoes: !namesWebhook(patch) };
      return found(await changeAndTell(tenants, tenantId, next, createTell(notifier, hearing)));
    },
  });

/** Tenants and their switches (specification, Administration). */
export const adminTenantRoutes = (deps: AdminTenantDeps): Route[] => [
  creationRoute(deps),
  ...readingRoutes(deps),
  changeRoute(deps),
];
