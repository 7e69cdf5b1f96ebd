import { type KeyRole, type TenantSettings, TenantSettingsSchema, violationsOf } from '@assay/contracts';
import { parseBody } from '@assay/http';
import { type Log, readJsonFile } from '@assay/runtime';
import { type Static, Type } from 'typebox';
import { hashOf } from '../store/api-key-document.ts';
import type { ApiKeys } from '../store/api-keys.ts';
import type { Seeds } from '../store/seeds.ts';
import type { Tenants } from '../store/tenants.ts';

const Key = Type.String({ minLength: 16 });
/**
 * The file SEED_FILE names: tenants and keys to begin with. The notifier is told of their webhooks
 * once they are stored.
 */
const SeedSchema = Type.Object({
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

/**
 * Owner, in the record of what was applied, of the administrators' key; no tenant's id can equal
 * it.
 */
const ADMINISTRATORS = '(administrators)';

export interface Deps {
  tenants: Tenants;
  apiKeys: ApiKeys;
  seeds: Seeds;
  log: Log;
}

type SeededTenant = Static<typeof SeedSchema>['tenants'][number];

const ROLES = ['RELYING_SERVICE', 'USER_AGENT', 'OPERATOR'] as const;

/** Registers each key once and remembers it: one that was revoked since stays revoked. */
const registerOnce = async (
  { apiKeys, seeds }: Deps,
  owner: string,
  applied: readonly string[],
  { key, role, tenantId }: { key: string; role: KeyRole; tenantId?: string },
): Promise<void> => {
  const hash = hashOf(key);
  if (applied.includes(hash)) return;
  await apiKeys.register(key, role, tenantId);
  await seeds.add(owner, hash);
};

const applyTenant = async (deps: Deps, { tenantId, name, settings = {}, keys }: SeededTenant): Promise<void> => {
  const given = ROLES.flatMap((role) => (keys[role] === undefined ? [] : [{ key: keys[role], role, tenantId }]));
  // A tenant without a record was seeded by a release that wrote none: the keys it lacks were
  // revoked.
  const applied = await deps.seeds.begin(tenantId, async () =>
    (await deps.tenants.find(tenantId)) ? given.map(({ key }) => hashOf(key)) : [],
  );
  await deps.tenants.create(tenantId, name, settingsOf(tenantId, settings));
  for (const each of given) await registerOnce(deps, tenantId, applied, each);
};

/**
 * Applies what the seed names and was not applied before; what is there stays as it is, what was
 * revoked stays revoked.
 */
export const seedFrom = async (file: string, deps: Deps): Promise<void> => {
  const json = readJsonFile('SEED_FILE', file);
  const [wrong] = violationsOf(SeedSchema, json);
  if (wrong) throw new Error(`configuration: SEED_FILE: ${wrong.field || 'the whole'} ${wrong.message}`);
  const seed = parseBody(SeedSchema, json);
  for (const tenant of seed.tenants) await applyTenant(deps, tenant);
  if (seed.administrator !== undefined) {
    // No release without this record could revoke an administrator's key.
    const applied = await deps.seeds.begin(ADMINISTRATORS, async () => []);
    await registerOnce(deps, ADMINISTRATORS, applied, { key: seed.administrator, role: 'ADMINISTRATOR' });
  }
  deps.log.info({ msg: 'seed.applied', tenants: seed.tenants.length });
};
