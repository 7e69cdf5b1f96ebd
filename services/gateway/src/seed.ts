import { readFile } from 'node:fs/promises';
import { type TenantSettings, TenantSettingsSchema, violationsOf } from '@assay/contracts';
import { parseBody } from '@assay/http';
import type { Log } from '@assay/runtime';
import { type Static, Type } from 'typebox';
import type { ApiKeys } from './store/api-keys.ts';
import type { Tenants } from './store/tenants.ts';

const Key = Type.String({ minLength: 16 });
/** The file SEED_FILE names: tenants and keys to begin with. Webhooks are set through the administration API. */
export const SeedSchema = Type.Object({
  tenants: Type.Array(
    Type.Object({
      tenantId: Type.String({ minLength: 1 }),
      name: Type.String(),
      settings: Type.Optional(Type.Unknown()),
      keys: Type.Object({
        RELYING_SERVICE: Type.Optional(Key),
        USER_AGENT: Type.Optional(Key),
        OPERATOR: Type.Optional(Key),
      }),
    }),
  ),
  administrator: Type.Optional(Key),
});

const settingsOf = (tenantId: string, settings: unknown): TenantSettings => {
  const violations = violationsOf(TenantSettingsSchema, settings);
  if (violations.length > 0)
    throw new Error(`seed: settings of tenant ${tenantId}: ${violations.map(({ field }) => field).join(', ')}`);
  return settings as TenantSettings;
};

const register = async (apiKeys: ApiKeys, { tenantId, keys }: Static<typeof SeedSchema>['tenants'][number]) => {
  for (const role of ['RELYING_SERVICE', 'USER_AGENT', 'OPERATOR'] as const) {
    const key = keys[role];
    if (key !== undefined) await apiKeys.register(key, role, tenantId);
  }
};

/** Adds what the seed names and is not there yet; what is there stays as it is. */
export const seedFrom = async (
  file: string,
  { tenants, apiKeys, log }: { tenants: Tenants; apiKeys: ApiKeys; log: Log },
): Promise<void> => {
  const seed = parseBody(SeedSchema, JSON.parse(await readFile(file, 'utf8')));
  for (const tenant of seed.tenants) {
    await tenants.create(tenant.tenantId, tenant.name, settingsOf(tenant.tenantId, tenant.settings ?? {}));
    await register(apiKeys, tenant);
  }
  if (seed.administrator !== undefined) await apiKeys.register(seed.administrator, 'ADMINISTRATOR', undefined);
  log.info({ msg: 'seed.applied', tenants: seed.tenants.length });
};
